"""Who may see what of a match: TBL-28 to TBL-31. What a game shows is in its own tests and in test_laws.py."""

import json
import re
from itertools import islice
from typing import Any

import pytest

from domain.game import SPECTATOR, AnyGame, Seat, Viewer
from domain.table.events import TABLE_EVENTS, ConnectionRestored, MatchOpened
from domain.table.match import begin, evolve
from domain.table.view import EndView, MatchView, SeatView, redact, view, views
from tests.domain.matches import GAMES_AND_VARIANTS, IDS, as_bytes, outcomes, viewers
from tests.domain.table.tables import OPENED, Table, kinds

every_game = pytest.mark.parametrize(("game", "variant"), GAMES_AND_VARIANTS, ids=IDS)
CARD = re.compile(rb'"((?:[2-9TJQKA][SHDC]|JK[12])(?:\.\d)?)"')
STEPS = 400  # of a match


def cards_in(message: bytes) -> set[bytes]:
    return set(CARD.findall(message))


def test_tbl_28_the_tables_part_of_a_view_is_an_allow_list() -> None:
    """A new field is a decision: it is shown to everybody at the table."""
    assert MatchView.__struct_fields__ == (
        "game",
        "variant",
        "rules_version",
        "seat",
        "seats",
        "deal",
        "deadline",
        "stake",
        "pot",
        "rake_bps",
        "pace",
        "play",
        "end",
    )
    assert SeatView.__struct_fields__ == ("player", "bot", "staker", "away", "lost_until")
    assert EndView.__struct_fields__ == ("voided", "places", "totals", "team_totals", "payouts")


def test_tbl_28_no_message_of_the_table_names_a_connection_or_a_shuffle() -> None:
    table = Table(ordinal=7)
    for event_type in TABLE_EVENTS:
        if event_type in (MatchOpened, ConnectionRestored):
            continue
        assert not {"epoch", "ordinal", "seed", "deck"} & set(event_type.__struct_fields__)
    for viewer in (Seat(0), SPECTATOR):
        told = redact(table.game, table.opened, viewer)
        assert told is not None
        assert told.ordinal == 0
        assert b'"ordinal":7' not in as_bytes(told)


def test_tbl_28_an_untouched_event_is_told_as_it_is() -> None:
    table = Table()
    (lost,) = table.lose(0).recorded
    assert redact(table.game, lost.event, Seat(1)) is lost.event


@every_game
def test_tbl_28_a_salt_is_told_to_nobody(game: AnyGame, variant: str) -> None:
    salts = 0
    for outcome, _ in islice(outcomes(game, variant, 31, automatic=0.1), STEPS):
        for step in outcome.recorded:
            secret = getattr(step.event, "salts", ())
            salts += len(secret)
            for viewer in viewers(outcome.match):
                told = as_bytes(redact(game, step.event, viewer)) if secret else b""
                assert not any(salt.encode() in told for salt in secret)
    assert salts


@every_game
def test_tbl_28_one_seats_hand_is_in_its_own_view_and_the_commands_it_may_send(game: AnyGame, variant: str) -> None:
    for outcome, random in islice(outcomes(game, variant, 32, automatic=0.1), STEPS):
        if outcome.match.ended or random.random() > 0.1:
            continue
        for viewer in viewers(outcome.match):
            shown = view(outcome.match, viewer)
            assert shown.seat == (None if viewer == SPECTATOR else viewer)
            asked = viewer != SPECTATOR and outcome.match.prompt is not None and viewer in outcome.match.prompt.seats
            assert bool(shown.play.legal) == asked
            assert tuple(shown.play.legal) == (game.legal(outcome.match.play, viewer) if asked else ())


@every_game
def test_tbl_29_the_views_of_a_move_are_those_made_one_by_one(game: AnyGame, variant: str) -> None:
    for outcome, random in islice(outcomes(game, variant, 33, automatic=0.1), STEPS):
        if random.random() < 0.1:
            match = outcome.match
            together = views(match, viewers(match))
            assert [as_bytes(one) for one in together] == [as_bytes(view(match, viewer)) for viewer in viewers(match)]


@every_game
def test_tbl_30_a_spectator_sees_no_card_that_a_seat_is_not_shown_too(game: AnyGame, variant: str) -> None:
    told: dict[Viewer, set[bytes]] = {}
    for outcome, _ in islice(outcomes(game, variant, 34, automatic=0.1), STEPS):
        match = outcome.match
        for step in outcome.recorded:
            opens = step.event.__struct_config__.tag in game.opens_deal
            for viewer in viewers(match):
                seen = cards_in(as_bytes(redact(game, step.event, viewer)))
                told[viewer] = seen if opens else told.get(viewer, set()) | seen
        spectator = told[SPECTATOR] | cards_in(as_bytes(view(match, SPECTATOR)))
        for seat in map(Seat, range(len(match.seats))):
            assert spectator <= told[seat] | cards_in(as_bytes(view(match, seat)))


def test_tbl_30_a_room_says_whether_it_may_be_watched() -> None:
    assert MatchOpened(game="basra", rules_version=1, variant="match", options={}, seats=()).spectators is False
    assert Table(spectators=True).match.opened.spectators


@pytest.mark.parametrize("variant", ["individual", "partnership"])
@pytest.mark.parametrize("seed", range(3))
def test_tbl_31_cards_left_at_an_early_end_are_never_shown(variant: str, seed: int) -> None:
    """Of a deal of Trix that ends before the last card, what is left in a hand stays with who held it."""
    game = Table("trix").game
    early = 0
    sent: dict[Viewer, list[bytes]] = {}
    before: list[list[str]] = []
    face_up: set[str] = set()  # 2s that lie beside their holder
    for outcome, _ in outcomes(game, variant, seed, automatic=0.2):
        match = outcome.match
        dealt = [step for step in outcome.recorded if step.event.__struct_config__.tag in game.opens_deal]
        scored = [step for step in outcome.recorded if step.event.__struct_config__.tag in game.closes_deal]
        if scored:
            played = {step.event.card for step in outcome.recorded if hasattr(step.event, "card")}
            left = {code: seat for seat, hand in enumerate(before) for code in hand if code not in played | face_up}
            early += len(left)
            until = outcome.recorded.index(dealt[0]) if dealt else len(outcome.recorded)
            for viewer, messages in sent.items():
                messages += [as_bytes(redact(game, step.event, viewer)) for step in outcome.recorded[:until]]
                for code, seat in left.items():
                    assert seat == viewer or not any(f'"{code}"'.encode() in message for message in messages)
        twos = [getattr(step.event, "twos", ()) for step in outcome.recorded]
        face_up = {code for shown in twos for codes in shown for code in codes} | (set() if dealt else face_up)
        if dealt or not sent:
            sent = {viewer: [] for viewer in viewers(match)}
        for viewer, messages in sent.items():
            messages.append(as_bytes(view(match, viewer)))
            if not scored:
                messages += [as_bytes(redact(game, step.event, viewer)) for step in outcome.recorded]
        before = hands(game, match.play)
    assert early > 20


def hands(game: AnyGame, play: Any) -> list[list[str]]:
    facts: dict[str, Any] = json.loads(as_bytes(dict(game.scenarios.facts(play))))
    return list(facts["hands"])


def test_tbl_31_the_log_keeps_every_card_for_the_auditor() -> None:
    table = Table("trix", "individual", pace="max")
    while table.match.deal < 3:
        table.run_out()
    replayed = begin(table.game, table.opened, OPENED)
    decks = 0
    for step in table.log[1:]:
        replayed = evolve(replayed, step)
        decks += len(getattr(step.event, "deck", ()))
    assert decks == 52 * kinds(table.log).count("trix.dealt") == 156
    assert hands(table.game, replayed.play) == hands(table.game, table.match.play)
