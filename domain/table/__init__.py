"""A match at a table, around any game: seats, presence, clocks, absence, bots, stakes."""
