"""What the operator sets about the lobby."""

import msgspec

PARTITIONS: tuple[str, ...] = tuple(f"{number:02}" for number in range(8))


class LobbySettings(msgspec.Struct, frozen=True, kw_only=True):
    """Spans are in seconds; those of the table's rules are divided by ``time_scale``."""

    partitions: tuple[str, ...] = PARTITIONS  # where new matches go, in turn
    fill_seconds: int = 20  # quick play: how long a waiting player waits before bots fill up (TBL-4)
    rematch_seconds: int = 60  # how long a room waits for everybody's yes to another match (TBL-7)
    idle_seconds: int = 1800  # a room in which nothing happens for so long is closed; not scaled
    time_scale: int = 1
    rake_bps: int = 0  # the operator's commission, in hundredths of a percent (TBL-24)
    fast_pace: bool = False  # whether rooms may ask for pace "max"; on private backends only
    rooms_per_player: int = 50  # rooms that one player may sit in at once; 0: any number

    def span(self, seconds: int) -> int:
        """Return a span of the rules in milliseconds."""
        return max(1, seconds * 1000 // self.time_scale)
