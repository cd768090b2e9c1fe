"""Calendar time for reports and leaderboards: zones, the periods of a leaderboard, and moments that people write."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

PERIODS: Final = ("day", "week", "month", "season", "all")
EVER: Final = date(1970, 1, 1)  # the first day of the period "all"


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its name in the tz database; raise ``ValueError`` if there is none."""
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as fault:
        msg = f"there is no time zone {name!r}"
        raise ValueError(msg) from fault


def local(at: int, zone: tzinfo) -> datetime:
    """Return a moment (milliseconds since 1970) in a zone."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone)


def period_start(at: int, period: str, zone: tzinfo) -> date:
    """Return the first day of the period around a moment; raise ``ValueError`` for an unknown period.

    Weeks begin on Monday; a season is a quarter of the year.
    """
    day = local(at, zone).date()
    match period:
        case "day":
            return day
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "season":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case "all":
            return EVER
    msg = f"there is no period {period!r}: take one of {', '.join(PERIODS)}"
    raise ValueError(msg)


def moment(text: str, zone: tzinfo, *, end: bool = False) -> int:
    """Return a moment that a person wrote, in milliseconds since 1970; raise ``ValueError`` if it is none.

    ISO 8601: a date, or a date and a time, in ``zone`` unless it names an offset. A date alone is its midnight, or,
    as the ``end`` of a span that leaves its end out, the midnight after it.
    """
    try:
        try:
            day = date.fromisoformat(text)
        except ValueError:
            written = datetime.fromisoformat(text)
        else:
            written = datetime.combine(day + timedelta(days=end), time(), zone)
        aware = written if written.tzinfo is not None else written.replace(tzinfo=zone)
        return round(aware.timestamp() * 1000)
    except (ValueError, OverflowError) as fault:
        msg = f"{text!r} is no date or time: write 2026-11-30 or 2026-11-30T18:00"
        raise ValueError(msg) from fault


def iso(at: int, zone: tzinfo) -> str:
    """Return a moment as ISO 8601 with its offset, to the second."""
    return local(at, zone).isoformat(timespec="seconds")
