"""The table service: one writer for each partition of the matches."""
