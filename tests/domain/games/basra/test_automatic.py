import pytest

from domain.cards import PACK
from domain.game import SPECTATOR, Seat
from domain.games.basra import GAME
from domain.games.basra.events import CardPlayed, HandDealt
from domain.games.basra.state import Phase
from domain.games.basra.view import view
from tests.domain.games.basra.plays import Chance, any_card, by_bot, fold, match, position, random_match, settings


@pytest.mark.parametrize(
    ("hand", "floor", "card"),
    [
        ("KD 3H JC 7D", "2S AC", "3H"),
        ("KD 3H JC 7D", "9S", "KD"),
        ("JC 7D", "9S 4C", "JC"),
        ("7D JC", "9S 4C", "JC"),
        ("7D", "9S 4C", "7D"),
        ("9H 8H", "4S 5H 8S", "9H"),  # the most cards
        ("8H 9H", "9S 8S", "8H"),  # as many, dealt first
        ("8H AH", "8S AS", "AH"),  # as many, more points, its own counted
        ("4H TH", "4S TD", "TH"),
        ("QD KD 3H", "9S", "QD"),  # a picture, dealt first
        ("AS 2C 3H 9D 9H", "", "9D"),  # fewest points, then highest, then dealt first
        ("AS 2C TD", "", "AS"),
        ("TD 2C", "", "2C"),
        ("AS AH", "", "AS"),
        ("7D AS", "", "AS"),
        ("JC 7D TD", "KS", "TD"),  # a numeral before a sweeper
        ("JC JH 7D", "KS", "JC"),
    ],
)
def test_bsr_55_the_policy_of_the_clock(hand: str, floor: str, card: str) -> None:
    spare = [code for code in (*PACK[4::13], *PACK[11::13]) if code not in f"{hand} {floor}"]  # sixes and kings
    state = position(hand, " ".join(spare[: len(hand.split())]), floor=floor, last_capturer=1)
    assert GAME.automatic(state, Seat(0), Chance(0)).card == card


def test_bsr_55_the_policy_is_an_ordinary_throw_always_legal() -> None:
    for players in (2, 4):
        of = settings(players=players)
        for before, event, _ in match(of, [GAME.automatic] * players, Chance(55)):
            if isinstance(event, CardPlayed):
                assert event.card in [command.card for command in GAME.legal(before, event.seat)]


def test_bsr_55_the_policy_uses_only_what_the_player_sees() -> None:
    seen = GAME.start(settings())
    for before, event, after in random_match(56):
        if before.phase is Phase.TURN and before.turn == 0:
            assert GAME.automatic(seen, Seat(0), Chance(0)) == GAME.automatic(before, Seat(0), Chance(0))
        told = GAME.redact(event, Seat(0))
        assert told is not None
        seen = fold(seen, [told])
        assert GAME.view(seen, Seat(0)) == GAME.view(after, Seat(0))


def test_bots_play_legally_from_their_view_alone() -> None:
    for players, options in ((2, {"capture_overlap": "union"}), (4, {"jack_on_jack": 30})):
        of = settings(players=players, **options)
        for before, event, _ in match(of, [by_bot] * players, Chance(57)):
            if isinstance(event, CardPlayed):
                assert event.card in [command.card for command in GAME.legal(before, event.seat)]


@pytest.mark.parametrize(("other", "wins"), [(any_card, 50), (GAME.automatic, 38)])
def test_bots_win_against_chance_and_against_the_clock(other: object, wins: int) -> None:
    won = 0
    for seed in range(60):
        actors = [by_bot, other] if seed % 2 == 0 else [other, by_bot]
        *_, (_, _, ended) = match(settings(), actors, Chance(seed))  # type: ignore[arg-type] # actors both
        result = GAME.result(ended)
        assert result is not None
        won += result.places[seed % 2] == 1
    assert won >= wins


def test_a_spectator_is_offered_nothing() -> None:
    for _, event, after in random_match(58, "single_hand"):
        seen = view(after, SPECTATOR)
        assert (seen.seat, seen.legal, seen.hand) == (None, (), ())
        if isinstance(event, HandDealt):
            assert GAME.legal(after, SPECTATOR) == ()
