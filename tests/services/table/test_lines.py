"""Gateways that fall silent: their lines are lost (TBL-13), and nobody else's."""

from services.table.lines import SILENCE_MS, Line, Lines

A = Line("00-m", "amal", "e1")
B = Line("00-m", "badr", "e2")
C = Line("00-n", "amal", "e1")


def test_with_nobody_connected_nothing_is_due() -> None:
    lines = Lines()
    assert lines.due() is None
    assert lines.lost(10**12) == []


def test_the_lines_of_a_silent_gateway_are_lost_once() -> None:
    lines = Lines()
    lines.opened(A, "one", 1000)
    lines.opened(B, "two", 2000)
    lines.opened(C, "one", 3000)
    assert lines.due() == 2000 + SILENCE_MS
    assert lines.lost(2000 + SILENCE_MS - 1) == []
    lines.heard("two", 2500)
    assert lines.due() == 2500 + SILENCE_MS
    assert lines.lost(2500 + SILENCE_MS) == [B]
    assert lines.lost(3000 + SILENCE_MS) == [A, C]
    assert lines.due() is None
    lines.heard("one", 90_000)
    assert lines.lost(90_000 + SILENCE_MS) == []


def test_a_player_who_went_to_another_gateway_is_not_lost_with_the_first() -> None:
    lines = Lines()
    lines.opened(A, "one", 1000)
    lines.opened(Line("00-m", "amal", "e3"), "two", 9000)
    assert lines.lost(1000 + SILENCE_MS) == []
    assert lines.lost(9000 + SILENCE_MS) == [Line("00-m", "amal", "e3")]


def test_a_match_that_is_over_has_no_lines() -> None:
    lines = Lines()
    lines.opened(A, "one", 1000)
    lines.ended("00-m")
    lines.ended("00-m")
    assert lines.lost(10**6) == []
