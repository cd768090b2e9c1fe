"""What holds at every moment of any match; numbered as in the rules."""

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from domain.game import CommandRejected
from domain.games.banakil import GAME
from domain.games.banakil.commands import Command
from domain.games.banakil.events import (
    CardThrown,
    Event,
    GroundTaken,
    HandDealt,
    HandEnded,
    HandScored,
    MatchEnded,
    MeldExtended,
    MeldLaid,
    StarterDecided,
    StockDrawn,
    StockRebuilt,
)
from domain.games.banakil.melds import shape_of, stands_for
from domain.games.banakil.pack import CARDS, FACE, FACES, SIZE, VALUE, is_joker, is_real, is_two, members, value_of
from domain.games.banakil.scoring import verdict
from domain.games.banakil.state import State
from tests.domain.games.banakil.tables import DRAW, S0, S1, chance, fold, lay, settings, steps, throw

Step = tuple[State, Event, State]
KINDS = [pytest.param(False, id="random"), pytest.param(True, id="bots")]
PLAYING = ("turn_draw", "turn_play", "turn_end")


def matches(*, bots: bool) -> Iterator[Step]:
    for seed in range(3):
        yield from steps(seed, hands=3, bots=bots)


@pytest.mark.parametrize("bots", KINDS)
def test_invariants_1_2_every_card_is_in_one_place(bots: bool) -> None:  # noqa: FBT001
    for _, event, state in matches(bots=bots):
        if state.phase not in PLAYING:
            continue
        piles = [*state.stock, *state.ground, *(card for meld in state.melds for card in meld.cards)]
        piles += [card for hand in state.hands for card in members(hand)]
        assert sorted(piles) == list(range(SIZE))
        if isinstance(event, HandDealt):
            assert sorted(hand.bit_count() for hand in state.hands) == [18, 18, 18, 19]
            assert state.hands[event.starter].bit_count() == 19
            assert (len(state.stock), state.ground, state.melds) == (33, (), ())


@pytest.mark.parametrize("bots", KINDS)
def test_invariants_3_4_every_meld_is_legal(bots: bool) -> None:  # noqa: FBT001
    found = 0
    for _, event, state in matches(bots=bots):
        if not isinstance(event, MeldLaid | MeldExtended):
            continue
        meld = state.melds[int(event.meld[1:]) - 1]
        assert (meld.suit, meld.start) == shape_of(meld.cards, natural=False)
        assert sum(map(is_two, meld.cards)) <= 1
        assert sum(map(is_joker, meld.cards)) <= 1
        assert any(map(is_real, meld.cards))
        assert len(meld.laid_by) == len(meld.cards) >= 3
        found += 1
        if meld.suit < 0:
            assert event.stands_for == (None,) * len(meld.cards)
            continue
        assert 1 <= meld.start <= meld.start + len(meld.cards) - 1 <= 14
        for place, card in enumerate(meld.cards, meld.start):
            face = 13 * meld.suit + (place - 1) % 13
            if is_real(card):
                assert FACE[card] == face
            else:
                assert event.stands_for[place - meld.start] == FACES[face]
    assert found > 20


@pytest.mark.parametrize("bots", KINDS)
def test_invariants_5_6_7_what_a_meld_keeps(bots: bool) -> None:  # noqa: FBT001
    for before, event, after in matches(bots=bots):
        if not isinstance(event, MeldExtended):
            continue
        index = int(event.meld[1:]) - 1
        old, new = before.melds[index], after.melds[index]
        gone = set(old.cards) - set(new.cards)
        assert gone == ({CARDS[event.joker]} if event.joker else set())
        assert all(map(is_joker, gone))
        assert len(new.cards) >= len(old.cards)
        stood = dict(zip(old.cards, stands_for(old.cards, (old.suit, old.start), natural=False), strict=True))
        stands = dict(zip(new.cards, stands_for(new.cards, (new.suit, new.start), natural=False), strict=True))
        for card in set(stood) & set(stands):
            if stood[card] != stands[card]:
                assert is_two(card)
                assert stood[card] in {FACES[FACE[CARDS[code]]] for code in event.added}
        assert all((seat ^ new.owner) & 1 == 0 for seat in new.laid_by)
        assert (event.seat ^ new.owner) & 1 == 0
        others = [meld for place, meld in enumerate(before.melds) if place != index]
        assert others == [meld for place, meld in enumerate(after.melds) if place != index]


@pytest.mark.parametrize("bots", KINDS)
def test_invariants_8_to_12_and_23_within_a_hand(bots: bool) -> None:  # noqa: FBT001
    opened: set[int] = set()
    draws = reshuffles = 0
    flow: Counter[int] = Counter()
    for before, event, after in matches(bots=bots):
        if isinstance(event, HandDealt):
            opened, draws, reshuffles = set(), 0, 0
            flow = Counter({seat: len(cards) for seat, cards in enumerate(event.hands)})
        elif isinstance(event, StockDrawn | GroundTaken):
            assert before.turns > 1
            draws += 1
            assert draws == 1
            flow[event.seat] += 1 if isinstance(event, StockDrawn) else len(event.cards)
        elif isinstance(event, MeldLaid):
            opened.add(event.seat)
            flow[event.seat] -= len(event.cards)
        elif isinstance(event, MeldExtended):
            flow[event.seat] += (event.joker is not None) - len(event.added)
        elif isinstance(event, CardThrown):
            flow[event.seat] -= 1
            draws = 0
        elif isinstance(event, StockRebuilt):
            reshuffles += 1
            assert (len(after.ground), after.ground[0]) == (1, before.ground[0])
            assert event.number == after.reshuffles == reshuffles <= 2
        if after.phase in PLAYING:
            assert {seat for seat in range(4) if after.opened >> seat & 1} == opened
            assert [hand.bit_count() for hand in after.hands] == [flow[seat] for seat in range(4)]
        if after.phase == "turn_draw":
            assert after.stock
            assert after.ground
            assert all(after.hands)


@pytest.mark.parametrize("bots", KINDS)
def test_invariants_13_to_17_and_22_scores(bots: bool) -> None:  # noqa: FBT001
    starters: list[int] = []
    out = None
    hands = 0
    for before, event, after in matches(bots=bots):
        if isinstance(event, HandDealt):
            assert not starters or event.hand == 1 or event.starter == (starters[-1] + 1) % 4
            starters.append(event.starter)
        if isinstance(event, HandEnded):
            out = event.seat
            assert (out is None) == (event.how == "dead")
        if isinstance(event, MatchEnded):
            assert event.team_totals[event.team] > event.team_totals[1 - event.team]
        if not isinstance(event, HandScored):
            continue
        hands += 1
        table = sum(VALUE[card] for meld in before.melds for card in meld.cards)
        assert sum(event.laid) == table
        rest = sum(VALUE[card] for card in (*before.stock, *before.ground))
        assert sum(event.laid) + sum(event.left) + rest == 208
        assert event.left == tuple(map(value_of, after.hands))
        for seat in range(4):
            base = event.laid[seat] - event.left[seat] if event.opened[seat] else -40
            assert event.points[seat] == base + (40 if seat == out else 0)
        assert event.totals == tuple(map(sum, zip(before.totals, event.points, strict=True)))
        assert all(type(value) is int for value in (*event.points, *event.totals, *event.laid, *event.left))
        assert event.deciding == verdict(event.totals, before.rules, deciding=before.deciding)[1]
    assert hands >= 6


def test_invariants_18_a_refused_command_changes_nothing() -> None:
    tried: list[Command] = [DRAW, lay("AS AH"), throw("AS"), lay("2S 2H 2D")]
    refused = 0
    for seed in range(2):
        for state, _, _ in steps(seed):
            seat = S1 if state.turn == S0 else S0
            before = msgspec.json.encode(GAME.canonical(state))
            for command in tried:
                with pytest.raises(CommandRejected):
                    GAME.decide(state, seat, command)
                refused += 1
            assert msgspec.json.encode(GAME.canonical(state)) == before
    assert refused > 1000


def test_invariants_21_the_log_folds_to_the_same_state_and_storage_keeps_it() -> None:
    events = [event for _, event, _ in steps(6)]
    last = [after for _, _, after in steps(6)][-1]
    start = GAME.start(settings(owner=S0))
    stored = [
        msgspec.json.decode(msgspec.json.encode(event), type=next(kind for kind in GAME.events if type(event) is kind))
        for event in events
    ]
    assert fold(start, events) == fold(start, stored) == last


def test_invariants_24_the_starter_does_not_follow_from_the_cut_alone() -> None:
    starters: Counter[int] = Counter()
    for seed in range(200):
        events = GAME.proceed(GAME.start(settings(owner=S0)), chance(seed))
        waiting = fold(GAME.start(settings(owner=S0)), events)
        decided = GAME.decide(waiting, S0, msgspec.json.decode(b'{"do": "cut", "position": 50}', type=GAME.commands))[1]
        assert isinstance(decided, StarterDecided)
        starters[decided.starter] += 1
    assert sorted(starters) == [0, 1, 2, 3]
    assert min(starters.values()) > 25
