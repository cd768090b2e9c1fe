"""Who sees what (BNK-128 … BNK-133)."""

from random import Random

import msgspec
import pytest

from domain.game import SPECTATOR, Seat
from domain.games.banakil import GAME
from domain.games.banakil.events import Event, HandDealt, PackShuffled, StockDrawn, StockRebuilt
from domain.games.banakil.pack import CODES, members
from domain.games.banakil.state import State
from tests.domain.games.banakil.tables import (
    DRAW,
    S0,
    S1,
    S2,
    S3,
    at,
    chance,
    extend,
    fold,
    play,
    settings,
    steps,
    take,
    throw,
)

VIEWERS = (S0, S1, S2, S3, SPECTATOR)


def seen(state: State, viewer: Seat) -> bytes:
    return msgspec.json.encode(GAME.view(state, viewer))


def dealt() -> tuple[PackShuffled, HandDealt]:
    shuffled, deal = GAME.proceed(GAME.start(settings(first=S1)), chance())
    assert isinstance(shuffled, PackShuffled)
    assert isinstance(deal, HandDealt)
    return shuffled, deal


@pytest.mark.parametrize("viewer", VIEWERS)
def test_bnk_128_129_a_deal_shows_each_seat_its_own_hand_alone(viewer: Seat) -> None:
    shuffled, deal = dealt()
    told = GAME.redact(shuffled, viewer)
    assert told == PackShuffled(hand=1, deck=("??",) * 106, salts=())
    told = GAME.redact(deal, viewer)
    assert isinstance(told, HandDealt)
    assert told.stock == ("??",) * 33
    for seat, cards in enumerate(told.hands):
        assert cards == (deal.hands[seat] if seat == viewer else ("??",) * len(deal.hands[seat]))


def test_bnk_129_a_card_drawn_is_seen_by_its_drawer_alone() -> None:
    (drawn,) = GAME.decide(at("KC", phase="turn_draw", stock="9D 4C"), S0, DRAW)
    assert GAME.redact(drawn, S0) == drawn
    for viewer in (S1, S2, S3, SPECTATOR):
        assert GAME.redact(drawn, viewer) == StockDrawn(seat=S0, card="??")


def test_bnk_17_129_a_card_shown_at_the_cut_is_seen_when_it_is_drawn() -> None:
    state = at("KC", "3S", phase="turn_draw", stock="9D 4C")
    state = msgspec.structs.replace(state, tail=1)
    (first,) = GAME.decide(state, S0, DRAW)
    assert GAME.redact(first, S1) == StockDrawn(seat=S0, card="??")
    state = play(state, (S0, DRAW), (S0, throw("KC")))
    (last,) = GAME.decide(state, S1, DRAW)
    assert GAME.redact(last, S3) == last == StockDrawn(seat=S1, card="4C", shown=True)
    assert GAME.view(GAME.evolve(state, last), S3).hands[1] == ("4C", "??")  # type: ignore[attr-defined]


def test_bnk_89_129_a_rebuilt_stock_is_seen_by_nobody() -> None:
    rebuilt = StockRebuilt(stock=("AS", "KD"), number=1, salts=("a", "b"))
    for viewer in VIEWERS:
        assert GAME.redact(rebuilt, viewer) == StockRebuilt(stock=("??", "??"), number=1, salts=())


def test_bnk_130_the_ground_and_what_is_taken_from_it_are_seen_by_all() -> None:
    state = at("KC", "3S", phase="turn_draw", ground="AS KD 5H 9C")
    (taken,) = GAME.decide(state, S0, take("5H", 3))
    after = GAME.evolve(state, taken)
    for viewer in VIEWERS:
        assert GAME.redact(taken, viewer) == taken
        view = GAME.view(after, viewer)
        assert view.ground == ("9C",)  # type: ignore[attr-defined]
        assert view.hands[0] == (("AS", "5H", "KD", "KC") if viewer == S0 else ("AS", "5H", "KD", "??"))  # type: ignore[attr-defined]


def test_bnk_131_melds_counts_and_who_has_opened_are_seen_by_all() -> None:
    state = at("9H KC", "3S 4S 5S", "", "6S", melds=[{"cards": "7H 8H 2C TH", "laid_by": 2}], reshuffles=1)
    state = play(state, (S0, extend("m1", "7H 8H 9H TH 2C")))
    for viewer in VIEWERS:
        view: dict[str, object] = msgspec.json.decode(seen(state, viewer))
        assert view["counts"] == [1, 3, 0, 1]
        assert view["opened"] == [False, False, True, False]
        assert view["reshuffles"] == 1
        assert view["melds"] == [
            {
                "meld": "m1",
                "team": 0,
                "owner": 2,
                "shape": "sequence",
                "cards": ["7H", "8H", "9H", "TH", "2C"],
                "stands_for": [None, None, None, None, "JH"],
                "laid_by": [2, 2, 0, 2, 2],
            }
        ]


def test_bnk_132_the_hands_left_are_shown_at_the_end_and_the_stock_is_not() -> None:
    state = play(at("9D", "3S 4S", "5S", "6S"), (S0, throw("9D")))
    for viewer in VIEWERS:
        view = GAME.view(state, viewer)
        assert view.hands == ((), ("3S", "4S"), ("5S",), ("6S",))  # type: ignore[attr-defined]
        assert view.stock == 101  # type: ignore[attr-defined]
        assert view.stock_end == ()  # type: ignore[attr-defined]


@pytest.mark.parametrize("bots", [False, True])
def test_the_fold_of_what_a_viewer_was_sent_is_his_view_at_every_event(bots: bool) -> None:  # noqa: FBT001
    for seed in range(2):
        known = dict.fromkeys(VIEWERS, GAME.start(settings(owner=S0)))
        for number, (_, event, after) in enumerate(steps(seed, bots=bots)):
            for viewer in VIEWERS:
                told = GAME.redact(event, viewer)
                assert told is not None
                known[viewer] = GAME.evolve(known[viewer], told)
                if number % 5 == 0 or number < 10:
                    assert seen(known[viewer], viewer) == seen(after, viewer), (viewer, event)


def dealt_again(state: State, viewer: Seat, random: Random) -> State:
    """Deal the cards that a viewer does not know again, among the hands and the stock."""
    own = state.hands[viewer] if viewer != SPECTATOR else 0
    shut = [0 if seat == viewer else state.hands[seat] & ~state.open[seat] for seat in range(4)]
    body = state.stock[: len(state.stock) - state.tail]
    loose = [*body, *(card for hand in shut for card in members(hand))]
    random.shuffle(loose)
    stock = (*loose[: len(body)], *state.stock[len(body) :])
    rest = iter(loose[len(body) :])
    hands = [
        own if seat == viewer else state.open[seat] | sum(1 << next(rest) for _ in range(shut[seat].bit_count()))
        for seat in range(4)
    ]
    return msgspec.structs.replace(state, stock=stock, hands=tuple(hands))


def test_views_do_not_change_when_unseen_cards_are_dealt_again() -> None:
    random = Random(3)
    compared = 0
    for state, _, _ in steps(4):
        if state.phase not in {"turn_draw", "turn_play"} or random.random() > 0.1:
            continue
        for viewer in VIEWERS:
            other = dealt_again(state, viewer, random)
            assert seen(other, viewer) == seen(state, viewer)
            compared += other != state
    assert compared > 50


def codes_in(value: object) -> set[str]:
    if isinstance(value, str):
        return {value} & set(CODES)
    if isinstance(value, dict):
        return codes_in([part for name, part in value.items() if name != "stands_for"])  # faces, not cards
    return set().union(*map(codes_in, value)) if isinstance(value, list) else set()


def test_no_view_or_event_names_a_card_of_another_hand_or_of_the_stock() -> None:
    """Save the cards shown at the cut, and those that went to a hand openly."""
    for state, event, after in steps(9):
        if after.phase not in {"turn_draw", "turn_play"}:
            continue
        for viewer in VIEWERS:
            secret = {CODES[card] for card in after.stock[: len(after.stock) - after.tail]}
            for seat in range(4):
                if seat != viewer:
                    secret |= {CODES[card] for card in members(after.hands[seat] & ~after.open[seat])}
            view: dict[str, object] = msgspec.json.decode(seen(after, viewer))
            del view["legal"]  # by faces, out of his own hand and the table
            assert not codes_in(view) & secret
            told: Event | None = GAME.redact(event, viewer)
            assert not codes_in(msgspec.json.decode(msgspec.json.encode(told))) & secret, (state.phase, event)


def test_a_fold_of_redacted_events_refuses_nothing_and_asks_nothing() -> None:
    shuffled, deal = dealt()
    state = GAME.start(settings(first=S1))
    for event in (shuffled, deal):
        state = fold(state, [GAME.redact(event, S2)])  # type: ignore[list-item]
    assert [hand.bit_count() for hand in state.hands] == [0, 0, 18, 0]
    assert state.hidden == (18, 19, 0, 18)
