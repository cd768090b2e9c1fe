"""Totals, places, and what holds at every step of a match."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from domain.cards import CARDS, FULL, SUITS, card_set, codes
from domain.game import Seat
from domain.games.trix import GAME
from domain.games.trix.commands import Play
from domain.games.trix.contracts import JACKS, TERMS, Contract
from domain.games.trix.events import ContractChosen, DealScored, DoublesRevealed, MatchEnded, TwosShown
from domain.games.trix.scoring import result_of
from domain.games.trix.state import Phase, State
from tests.domain.games.trix.play import match, refusal, settings

VARIANTS = GAME.variants
BOUNDS = {  # INV-6
    Contract.KING: (-150, 75),
    Contract.QUEENS: (-200, 100),
    Contract.DIAMONDS: (-130, 0),
    Contract.LTOOSH: (-195, 0),
    Contract.COMPLEX: (-675, 175),
    Contract.TRIX: (50, 200),
}


@pytest.mark.parametrize(
    ("totals", "places"),
    [
        ((300, 100, -100, -300), (1, 2, 3, 4)),
        ((120, -40, 120, -200), (1, 3, 1, 4)),
        ((0, 0, 0, 0), (1, 1, 1, 1)),
        ((100, 0, 0, -100), (1, 2, 2, 4)),
    ],
)
def test_trx_108_equal_totals_share_a_place_and_the_next_is_skipped(
    totals: tuple[int, ...], places: tuple[int, ...]
) -> None:
    result = result_of(totals, Seat(0), partnership=False)
    assert (result.totals, result.places, result.team_totals) == (totals, places, None)


@pytest.mark.parametrize(
    ("totals", "teams", "places", "draw"),
    [
        ((100, -50, -20, -30), (80, -80), (1, 3, 1, 3), False),
        ((-100, 50, 20, 30), (-80, 80), (3, 1, 3, 1), False),
        ((100, -50, -100, 50), (0, 0), (1, 1, 1, 1), True),
    ],
)
def test_trx_106_109_and_110_the_positive_team_wins_and_0_0_is_a_draw(
    totals: tuple[int, ...], teams: tuple[int, int], places: tuple[int, ...], *, draw: bool
) -> None:
    result = result_of(totals, Seat(2), partnership=True)
    assert (result.team_totals, result.places, result.draw, result.first) == (teams, places, draw, 2)
    assert GAME.scenarios.final(settings("partnership"), totals, Seat(2)) == result


def test_trx_104_and_105_the_contracts_of_a_kingdom_sum_to_zero() -> None:
    assert {contract: terms.total for contract, terms in TERMS.items()} == {
        Contract.KING: -75,
        Contract.QUEENS: -100,
        Contract.DIAMONDS: -130,
        Contract.LTOOSH: -195,
        Contract.COMPLEX: -500,
        Contract.TRIX: 500,
    }
    for variant in VARIANTS:
        assert sum(TERMS[contract].total for contract in GAME.start(settings(variant)).table.contracts) == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_trx_103_105_108_and_111_totals_add_up_and_the_match_ends_with_the_fourth_kingdom(variant: str) -> None:
    totals = [0, 0, 0, 0]
    steps = list(match(variant, 21))
    scored = [event for _, events, _ in steps for event in events if isinstance(event, DealScored)]
    for event in scored:
        totals = [before + now for before, now in zip(totals, event.points, strict=True)]
        assert event.totals == tuple(totals)
        if event.deal % (len(scored) // 4) == 0:
            assert sum(totals) == 0
    _, last, state = steps[-1]
    assert isinstance(last[-1], MatchEnded)
    assert GAME.result(state) == result_of(tuple(totals), last[-1].first, partnership="partnership" in variant)
    assert GAME.prompt(state) is None
    for seat in range(4):
        assert refusal(state, seat, Play("2S")) == "MATCH_OVER"
        assert GAME.legal(state, Seat(seat)) == ()


def check_cards(state: State) -> None:
    """INV-1, INV-2 and INV-3: every card is in one place, and rows are runs with their jack."""
    hands = list(state.hands)
    taken = card_set(CARDS[code] for trick in state.tricks for code in trick.cards)
    trick = card_set(state.trick)
    assert state.played == (taken | trick if state.contract is not Contract.TRIX else state.played)
    assert sum(hand.bit_count() for hand in hands) + state.played.bit_count() == 52
    assert hands[0] | hands[1] | hands[2] | hands[3] | state.played == FULL
    if state.phase is Phase.TRICKS and not state.trick:
        assert {hand.bit_count() for hand in hands} == {13 - len(state.tricks)}
    if state.contract is Contract.TRIX:
        for suit in SUITS:
            row = state.played & suit
            assert not row or (row & JACKS and "1" * row.bit_count() in bin(row))


def check_deal(state: State, event: DealScored, doubled: int) -> None:
    """INV-4, INV-6, INV-7, INV-8 and INV-9."""
    low, high = BOUNDS[event.contract]
    assert sum(event.points) == TERMS[event.contract].total
    assert all(low <= points <= high and points % 5 == 0 for points in event.points)
    assert doubled & ~state.played == 0
    if event.contract is Contract.TRIX:
        assert sorted(event.points) == [50, 100, 150, 200]
    else:
        assert len(state.tricks) <= 13
        assert len(state.tricks) == 13 or event.contract in {Contract.KING, Contract.QUEENS, Contract.DIAMONDS}


@pytest.mark.parametrize("variant", VARIANTS)
@trials(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_invariants_of_every_match(variant: str, seed: int) -> None:
    chosen: list[ContractChosen] = []
    passes = 0
    for before, events, state in match(variant, seed):
        prompt = GAME.prompt(state)
        if prompt is not None:
            check_cards(state)
            assert all(GAME.legal(state, seat) for seat in prompt.seats)  # INV-11
        for event in events:
            passes = passes + 1 if event.__struct_config__.tag == "trix.passed.v1" else 0
            assert passes <= 3  # INV-11
            match event:
                case ContractChosen():
                    chosen.append(event)
                case DoublesRevealed(doubled=doubled):  # INV-13
                    for seat, cards in enumerate(doubled):
                        assert set(cards) <= set(codes(before.hands[seat]))
                        assert card_set(CARDS[code] for code in cards) & ~TERMS[chosen[-1].contract].doublable == 0
                case TwosShown(twos=twos):  # INV-14
                    assert "partnership" in variant
                    assert sum(map(len, twos)) == 4
                case DealScored():
                    check_deal(state, event, state.doubled[0] | state.doubled[1] | state.doubled[2] | state.doubled[3])
                case _:
                    pass
    size = len(state.table.contracts)  # INV-10 and INV-12
    assert len(chosen) == 4 * size
    assert sum(not event.auto_last for event in chosen) == 4 * (size - 1)
    assert sum(state.totals) == 0  # INV-5


@trials(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_inv_16_states_and_events_survive_storage(seed: int) -> None:
    for step, (_, events, state) in enumerate(match("complex_partnership", seed)):
        for event in events:
            assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
        if step % 25 == 0:
            assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
            assert GAME.canonical(state)
