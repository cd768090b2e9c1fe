from collections import Counter

import msgspec
import pytest

from domain.games.banakil import GAME
from domain.games.banakil.events import HandDealt, PackCut, PackShuffled, StarterDecided
from domain.games.banakil.pack import CARDS, CODES, FACES, SIZE, VALUE, VALUES
from domain.games.banakil.scenario import Start, begin
from domain.games.banakil.stacking import Deal, Stacked, stack
from domain.games.banakil.state import State
from tests.domain.games.banakil.tables import (
    CANONICAL,
    DRAW,
    S0,
    S1,
    S2,
    S3,
    at,
    chance,
    cut_of,
    fold,
    hand,
    proceeded,
    refused,
    settings,
    throw,
)


def in_cut(owner: int = 0, deck: str = CANONICAL) -> State:
    state = GAME.start(settings(owner=msgspec.convert(owner, type(S0))))
    return fold(state, GAME.proceed(state, stack(state, Deal(deck=deck))))


def test_bnk_1_2_3_four_seats_two_teams_and_the_turn_goes_up() -> None:
    assert GAME.seats(settings()) == 4
    assert GAME.teams(settings()) == (0, 1, 0, 1)
    state = at("3S 4S", "5S", "6S", "7S", turn=3, phase="turn_play", melds=[])
    state = at("3S", "5S", "6S", "7S 8S", turn=3)
    assert fold(state, GAME.decide(state, S3, throw("7S"))).turn == S0


def test_bnk_4_the_pack_has_106_cards_with_fixed_ids() -> None:
    assert len(CODES) == len(set(CODES)) == SIZE
    assert [CARDS[code] for code in ("AS", "KS", "AH", "AC", "KC", "AS.2", "KC.2", "JK1", "JK2")] == [
        0, 12, 13, 39, 51, 52, 103, 104, 105,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ranks", "half_points"), [("3456", 1), ("789T", 2), ("JQKA", 2), ("2", 4)], ids=["3-6", "7-T", "J-A", "2"]
)
def test_bnk_5_values(ranks: str, half_points: int) -> None:
    assert {VALUES[FACES.index(rank + suit)] for rank in ranks for suit in "SHDC"} == {half_points}


def test_bnk_5_the_jokers_and_the_whole_pack() -> None:
    assert VALUE[CARDS["JK1"]] == VALUE[CARDS["JK2"]] == 8
    assert sum(VALUE) == 208


def test_bnk_10_the_pack_is_fixed_before_anyone_cuts_and_only_then_dealt() -> None:
    state = GAME.start(settings(owner=S0))
    assert GAME.prompt(state) is None
    (shuffled,) = GAME.proceed(state, chance())
    assert isinstance(shuffled, PackShuffled)
    assert sorted(shuffled.deck) == sorted(CODES)
    assert len(shuffled.salts) == SIZE
    waiting = GAME.evolve(state, shuffled)
    cut, decided, dealt = GAME.decide(waiting, S0, cut_of(40))
    assert isinstance(dealt, HandDealt)
    after = shuffled.deck[40:] + shuffled.deck[:40]
    assert dealt.stock == after[73:]
    assert isinstance(cut, PackCut)
    assert isinstance(decided, StarterDecided)
    assert Counter(code for cards in (*dealt.hands, dealt.stock) for code in cards) == Counter(CODES)


def test_bnk_11_13_the_owner_is_asked_to_cut_within_15_seconds() -> None:
    prompt = GAME.prompt(in_cut(owner=2))
    assert prompt is not None
    assert (prompt.kind, prompt.seats, prompt.commands, prompt.seconds) == ("cut", (S2,), ("cut",), 15)
    assert len(GAME.legal(in_cut(owner=2), S2)) == 105
    assert GAME.legal(in_cut(owner=2), S1) == ()


@pytest.mark.parametrize("position", [0, 106, -1, 52.5, 60.0])
def test_bnk_12_a_cut_is_a_whole_number_from_1_to_105(position: float) -> None:
    refused(in_cut(), S0, cut_of(position), "CUT_OUT_OF_RANGE")


def test_bnk_12_the_wire_takes_any_number_and_the_rules_refuse_it() -> None:
    for text in ("0", "106", "52.5"):
        command = msgspec.json.decode(f'{{"do": "cut", "position": {text}}}', type=GAME.commands)
        refused(in_cut(), S0, command, "CUT_OUT_OF_RANGE")


def test_bnk_13_the_clock_cuts_uniformly_from_1_to_105() -> None:
    state, drawn = in_cut(), chance()
    cuts = Counter(GAME.automatic(state, S0, drawn).position for _ in range(21_000))
    assert set(cuts) == set(range(1, 106))
    assert max(cuts.values()) < 280
    assert min(cuts.values()) > 130


def test_bnk_14_only_the_owner_cuts_once_and_only_where_a_cut_is_due() -> None:
    refused(in_cut(), S1, cut_of(40), "NOT_ROOM_OWNER")
    cut = fold(in_cut(), GAME.decide(in_cut(), S0, cut_of(40)))
    refused(cut, S0, cut_of(41), "ALREADY_CUT")
    refused(cut, S1, cut_of(0), "ALREADY_CUT")
    later = proceeded(GAME.start(settings(owner=S0, first=S2)))
    refused(later, S0, cut_of(40), "NOT_IN_PHASE")


def test_bnk_14_without_an_owner_at_the_table_the_system_cuts_at_once() -> None:
    state = GAME.start(settings())
    shuffled, cut, _, dealt = GAME.proceed(state, Stacked(tuple(range(SIZE)), 14))
    assert isinstance(shuffled, PackShuffled)
    assert cut == PackCut(position=14, seat=None)
    assert isinstance(dealt, HandDealt)
    assert dealt.starter == S1


@pytest.mark.parametrize("position", [1, 13, 14, 40, 53, 104, 105])
def test_bnk_15_16_the_last_card_that_is_no_joker_decides_by_its_suit(position: int) -> None:
    for owner in range(4):
        state = in_cut(owner)
        cut, decided, dealt = GAME.decide(state, msgspec.convert(owner, type(S0)), cut_of(position))
        assert isinstance(decided, StarterDecided)
        assert isinstance(dealt, HandDealt)
        last = next(card for card in reversed(range(position)) if card < 104) if position else 0
        suit = last % 52 // 13
        assert decided.starter == dealt.starter == (owner + suit) % 4
        assert dealt.stock[-len(decided.shown) :] == decided.shown
        assert cut == PackCut(position=position, seat=msgspec.convert(owner, type(S0)))


def test_bnk_16_every_seat_starts_equally_often_whatever_the_cut() -> None:
    """26 cards of each suit: over all orders the deciding card is as often of one suit as of another."""
    starters: Counter[int] = Counter()
    for turned in range(SIZE):
        deck = CANONICAL.split()
        state = in_cut(0, " ".join(deck[turned:] + deck[:turned]))
        starters[GAME.decide(state, S0, cut_of(7))[1].starter] += 1  # type: ignore[union-attr]
    assert sorted(starters.values()) == [26, 26, 26, 28]  # both jokers stand over a king of clubs


def test_bnk_17_the_deciding_card_is_seen_by_all_and_stays() -> None:
    state = fold(in_cut(), GAME.decide(in_cut(), S0, cut_of(105)))
    for viewer in (S0, S1, S2, S3, msgspec.convert(-1, type(S0))):
        seen = GAME.view(state, viewer)
        assert seen.shown == seen.stock_end == ("KC.2", "JK1")  # type: ignore[attr-defined]


def test_bnk_18_the_next_starter_is_the_next_seat_without_a_cut() -> None:
    state = begin(settings(owner=S0), Start(starter=S2, hand=4))
    shuffled, dealt = GAME.proceed(state, chance())
    assert isinstance(shuffled, PackShuffled)
    assert isinstance(dealt, HandDealt)
    assert (dealt.hand, dealt.starter, dealt.shown) == (5, S2, 0)
    ended = fold(state, (shuffled, dealt))
    assert ended.turn == S2


def test_bnk_19_a_later_match_of_a_series_starts_where_the_series_says() -> None:
    state = GAME.start(settings(owner=S0, first=S2))
    assert GAME.prompt(state) is None
    shuffled, dealt = GAME.proceed(state, chance())
    assert isinstance(dealt, HandDealt)
    assert dealt.starter == S2
    playing = fold(state, (shuffled, dealt))
    assert playing.phase == "turn_play"
    assert playing.cut is None


def test_bnk_21_22_19_cards_for_the_starter_18_for_the_rest_nothing_turned_up() -> None:
    state = proceeded(GAME.start(settings(first=S1)))
    assert [cards.bit_count() for cards in state.hands] == [18, 19, 18, 18]
    assert (len(state.stock), state.ground, state.melds) == (33, (), ())


def test_bnk_23_nine_rounds_of_two_then_one_to_the_starter() -> None:
    state = GAME.start(settings(first=S3))
    state = fold(state, GAME.proceed(state, stack(state, Deal(deck=CANONICAL))))
    deck = CANONICAL.split()
    for step, seat in enumerate((S3, S0, S1, S2)):
        cards = [deck[8 * turn + 2 * step + card] for turn in range(9) for card in range(2)]
        assert Counter(hand(state, seat)) == Counter(cards + (deck[72:73] if seat == S3 else []))
    assert [CODES[card] for card in state.stock[:2]] == ["9H.2", "TH.2"]


def test_bnk_24_27_nobody_acts_before_the_deal() -> None:
    state = in_cut()
    for command in (DRAW, throw("AS")):
        refused(state, S0, command, "NOT_IN_PHASE")
