"""Leaderboards: periods, zones, orders, ties."""

from datetime import UTC, date, datetime

import pytest

from domain.journal.events import MatchRecorded, Source
from projections.leaderboard import Leaderboards
from projections.periods import iso, moment, period_start, zone_of


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


NOW = at("2026-11-30T12:00")


def record(
    players: str,
    places: tuple[int, ...],
    *,
    ended: int = NOW,
    stake: int = 0,
    payouts: tuple[int, ...] = (),
    settled: bool = True,
    voided: str = "",
) -> MatchRecorded:
    """Return the record of a match; a name in capitals is a bot's."""
    names = tuple(players.split())
    bots = tuple(name.isupper() for name in names)
    return MatchRecorded(
        match=f"07-{ended}",
        game="leekha",
        variant="standard",
        started=ended - 1000,
        ended=ended,
        players=names,
        bots=bots,
        stakers=tuple(stake > 0 and not bot for bot in bots),
        stake=stake,
        rake_bps=0,
        pot=sum(payouts),
        rake=0,
        payouts=payouts or (0,) * len(names),
        settled=settled,
        source=Source("07", 1),
        places=places,
        voided=voided,
    )


def shown(boards: Leaderboards, by: str, period: str = "all", now: int = NOW) -> list[tuple[int, str, int]]:
    return [(row.rank, row.player, getattr(row, by)) for row in boards.rows("leekha", period, by, now=now)]


def test_points_count_the_seats_behind() -> None:
    boards = Leaderboards(events=[record("ana bo cy di", (1, 3, 2, 4)), record("ana bo cy di", (4, 3, 1, 1))])
    assert shown(boards, "points") == [(1, "cy", 4), (2, "ana", 3), (3, "bo", 2), (3, "di", 2)]


def test_a_partner_is_not_behind_and_both_win() -> None:
    boards = Leaderboards(events=[record("ana bo cy di", (1, 2, 1, 2))])
    assert shown(boards, "points") == [(1, "ana", 2), (1, "cy", 2), (3, "bo", 0), (3, "di", 0)]
    assert shown(boards, "wins") == [(1, "ana", 1), (1, "cy", 1), (3, "bo", 0), (3, "di", 0)]


def test_a_draw_is_nobodys_win() -> None:
    assert shown(Leaderboards(events=[record("ana bo", (1, 1))]), "wins") == [(1, "ana", 0), (1, "bo", 0)]


def test_equals_share_a_rank_in_the_order_of_their_ids() -> None:
    events = [record("zoe bo", (1, 2)), record("ana bo", (1, 2)), record("mia cy", (1, 2))]
    expected = [(1, "ana", 1), (1, "mia", 1), (1, "zoe", 1), (4, "bo", 0), (4, "cy", 0)]
    assert shown(Leaderboards(events=events), "points") == expected
    assert shown(Leaderboards(events=reversed(events)), "points") == expected


def test_bots_are_not_listed_and_beating_one_counts() -> None:
    assert shown(Leaderboards(events=[record("ana BOT", (1, 2))]), "points") == [(1, "ana", 1)]


def test_win_rates_compare_exactly() -> None:
    events = [record("ana bo", (1, 2)), record("ana bo", (1, 2)), record("ana bo", (2, 1)), record("cy di", (2, 1))]
    rows = Leaderboards(events=events).rows("leekha", "all", "win_rate", now=NOW)
    assert [(row.rank, row.player, row.win_rate) for row in rows] == [
        (1, "di", 1.0),
        (2, "ana", 0.6667),
        (3, "bo", 0.3333),
        (4, "cy", 0.0),
    ]


def test_winnings_are_what_comes_back_less_what_was_put_in() -> None:
    events = [record("ana bo BOT", (1, 2, 3), stake=100, payouts=(190, 0, 0))]
    events.append(record("ana bo", (1, 2), stake=100, payouts=(200, 0), settled=False))
    assert shown(Leaderboards(events=events), "winnings") == [(1, "ana", 90), (2, "bo", -100)]


def test_a_voided_match_does_not_count() -> None:
    assert shown(Leaderboards(events=[record("ana bo", (), voided="broken")]), "points") == []


@pytest.mark.parametrize(
    ("period", "in_it", "before_it"),
    [
        ("day", "2026-11-30T00:00", "2026-11-29T23:59:59.999"),
        ("week", "2026-11-30T00:00", "2026-11-29T23:59:59.999"),
        ("month", "2026-11-01T00:00", "2026-10-31T23:59:59.999"),
        ("season", "2026-10-01T00:00", "2026-09-30T23:59:59.999"),
    ],
)
def test_a_period_begins_at_its_first_midnight(period: str, in_it: str, before_it: str) -> None:
    boards = Leaderboards(events=[record("ana bo", (1, 2), ended=at(in_it))])
    assert len(shown(boards, "points", period)) == 2
    boards = Leaderboards(events=[record("ana bo", (1, 2), ended=at(before_it))])
    assert shown(boards, "points", period) == []
    assert len(shown(boards, "points", period, now=at(before_it))) == 2
    assert len(shown(boards, "points")) == 2


def test_days_are_those_of_the_zone() -> None:
    late = record("ana bo", (1, 2), ended=at("2026-11-29T21:30"))  # 00:30 on the 30th in Riyadh
    assert len(shown(Leaderboards("Asia/Riyadh", [late]), "points", "day")) == 2
    assert shown(Leaderboards("UTC", [late]), "points", "day") == []


def test_another_games_matches_are_on_another_board() -> None:
    assert Leaderboards(events=[record("ana bo", (1, 2))]).rows("trix", now=NOW) == ()


@pytest.mark.parametrize(("period", "by"), [("century", "points"), ("all", "luck")])
def test_what_is_unknown_is_refused_with_what_there_is(period: str, by: str) -> None:
    with pytest.raises(ValueError, match="take one of"):
        Leaderboards().rows("leekha", period, by, now=NOW)


def test_the_position_is_kept_with_the_view() -> None:
    boards = Leaderboards()
    boards.apply(record("ana bo", (1, 2)), 7)
    boards.apply(object(), 9)
    assert boards.position == 9


@pytest.mark.parametrize("name", ["Mars/Base", "../etc/passwd", "", "\0"])
def test_an_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        zone_of(name)


@pytest.mark.parametrize(
    ("text", "end", "expected"),
    [
        ("2026-11-30", False, "2026-11-29T21:00"),
        ("2026-11-30", True, "2026-11-30T21:00"),
        ("2026-11-30T06:30", True, "2026-11-30T03:30"),
        ("2026-11-30T06:30+00:00", False, "2026-11-30T06:30"),
        ("2026-11-30T06:30Z", False, "2026-11-30T06:30"),
    ],
)
def test_a_moment_is_in_the_zone_unless_it_says_otherwise(text: str, end: bool, expected: str) -> None:  # noqa: FBT001
    assert moment(text, zone_of("Asia/Riyadh"), end=end) == at(expected)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-02-30", "2026-11-30T25:00", "9999-12-31"])
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no date or time"):
        moment(text, UTC, end=True)


def test_times_are_written_with_their_offset() -> None:
    assert iso(at("2026-11-30T12:00"), zone_of("Asia/Riyadh")) == "2026-11-30T15:00:00+03:00"
    assert period_start(NOW, "season", UTC) == date(2026, 10, 1)
