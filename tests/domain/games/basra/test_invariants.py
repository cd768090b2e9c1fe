"""The invariants of the rules, over random matches of every variant and option."""

import random
from itertools import pairwise

import msgspec
import pytest

from domain.cards import BACK, CARDS, PACK, RANKS, Card, members
from domain.game import SPECTATOR, Seat
from domain.games.basra import GAME
from domain.games.basra.capture import JACK, KOMI, SWEEPERS, VALUES
from domain.games.basra.events import BatchDealt, CardPlayed, Event, HandDealt, HandScored, LeftoversTaken, MatchEnded
from domain.games.basra.rules import Rules
from domain.games.basra.state import Phase, State
from tests.domain.games.basra.plays import fold, random_match, settings, thrown
from tests.domain.games.basra.test_capture import groups

Steps = list[tuple[State, Event, State]]

MATCHES: list[dict[str, object]] = [
    {},
    {"capture_overlap": "union"},
    {"variant": "single_hand", "komi_basra": "equal_groups_le_10"},
    {"jack_on_jack": 30, "target": 61},
    {"players": 4},
    {"players": 4, "variant": "single_hand", "jack_on_jack": 30},
]


@pytest.fixture(scope="module", params=[(number, seed) for number in range(len(MATCHES)) for seed in range(3)])
def steps(request: pytest.FixtureRequest) -> Steps:
    number, seed = request.param
    return random_match(100 * number + seed, **MATCHES[number])


def all_cards(state: State) -> list[Card]:
    in_piles = [card for pile in state.piles for card in members(pile)]
    return [*(card for hand in state.hands for card in hand), *state.stock, *state.floor, *in_piles]


def test_i1_every_card_is_in_one_place(steps: Steps) -> None:
    for _, _, state in steps:
        assert sorted(all_cards(state)) == sorted(CARDS.values())


def test_i2_the_stock_shrinks_by_batches(steps: Steps) -> None:
    for _, event, state in steps:
        if isinstance(event, HandDealt | BatchDealt):
            players = state.rules.players
            assert len(state.stock) == 48 - 4 * players * state.batch


def test_i3_i4_the_floor_starts_with_four_cards_and_no_sweeper_and_pairs_are_of_the_deal(steps: Steps) -> None:
    first: set[Card] = set()
    for before, event, after in thrown(steps):
        if after.batch == 1 and sum(map(len, before.hands)) == 4 * before.rules.players:
            first = set(before.floor)
            assert len(before.floor) == 4
            assert not first & SWEEPERS
        lying = [card for card in after.floor if VALUES[card] or card % RANKS != JACK]
        for card in lying:
            alike = {other for other in after.floor if other % RANKS == card % RANKS}
            assert len(alike) == 1 or alike <= first, event


def test_i5_a_capture_adds_two_cards_or_more(steps: Steps) -> None:
    for before, event, after in thrown(steps):
        grown = [new.bit_count() - old.bit_count() for old, new in zip(before.piles, after.piles, strict=True)]
        assert sorted(grown) == [0, 1 + len(event.taken) if event.taken else 0]
        assert all(pile.bit_count() != 1 for pile in after.piles)


def test_i6_a_sweeper_leaves_nothing(steps: Steps) -> None:
    for before, event, after in thrown(steps):
        if CARDS[event.card] in SWEEPERS and before.floor:
            assert after.floor == ()


def test_i7_i8_i14_points_of_a_hand_add_up_and_never_tie(steps: Steps) -> None:
    hands = 0
    for before, event, after in steps:
        if not isinstance(event, HandScored):
            continue
        hands += 1
        majority = max(score.cards for score in event.scores) > 26
        extras = 10 * sum(before.basra) + sum(before.jack_bonus)
        points = [score.points for score in event.scores]
        assert sum(points) == 13 + (30 + before.carry if majority else 0) + extras
        assert sum(points) % 2 == 1
        assert sum(event.totals) % 2 == hands % 2
        assert event.carry % 30 == 0
        assert event.carry == (0 if majority else before.carry + 30)
        assert after.phase is Phase.HAND_END


def test_i9_a_pile_is_what_was_captured_and_left_over(steps: Steps) -> None:
    won: list[set[str]] = [set(), set()]
    for before, event, _ in steps:
        match event:
            case HandDealt():
                won = [set(), set()]
            case CardPlayed(seat=seat, card=card, taken=taken) if taken:
                won[seat % 2] |= {card, *taken}
            case LeftoversTaken(seat=seat, cards=left):
                won[seat % 2] |= set(left)
            case HandScored(scores=scores):
                assert [len(cards) for cards in won] == [score.cards for score in scores]
                assert won[0] | won[1] == set(PACK)
                assert [{PACK[card] for card in members(pile)} for pile in before.piles] == won


def splits(cards: list[Card], total: int) -> bool:
    """Say by brute force whether cards split into groups of that total."""
    if not cards:
        return True
    floor = tuple(cards)
    return any(
        splits([card for place, card in enumerate(floor) if place not in group], total)
        for group in groups(floor, total)
        if 0 in group
    )


def test_i10_a_throw_takes_all_it_is_entitled_to(steps: Steps) -> None:
    for before, event, after in thrown(steps):
        card = CARDS[event.card]
        if card in SWEEPERS:
            continue
        taken = [CARDS[code] for code in event.taken]
        alike = [other for other in before.floor if other % RANKS == card % RANKS]
        assert set(alike) <= set(taken)
        assert not VALUES[card] or not groups(after.floor if taken else before.floor, VALUES[card])
        if not before.rules.union:
            assert splits([other for other in taken if other not in alike], VALUES[card])


def test_i11_what_a_basra_needs(steps: Steps) -> None:
    for before, event, after in thrown(steps):
        card = CARDS[event.card]
        if event.basra:
            assert not after.floor
            assert card % RANKS != JACK
            assert event.jack_bonus == 0
        if event.basra and card == KOMI and not before.rules.equal_groups:
            values = [VALUES[other] for other in before.floor]
            assert all(values)
            assert sum(values) <= 10


def test_i12_48_plays_a_hand_in_turn(steps: Steps) -> None:
    seats: list[int] = []
    for before, event, _ in steps:
        if isinstance(event, CardPlayed):
            seats.append(event.seat)
        elif isinstance(event, HandScored):
            players = before.rules.players
            assert seats == [(before.dealer + 1 + place) % players for place in range(48)]
            seats = []


def test_i13_a_log_replays_to_the_same_states_from_storage(steps: Steps) -> None:
    state = steps[0][0]
    for _, event, after in steps:
        stored = msgspec.json.decode(msgspec.json.encode(event), type=type(event))
        state = fold(state, [stored])
        assert state == after
        assert GAME.canonical(state) == GAME.canonical(after)
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


def test_bsr_60_61_62_the_fold_of_what_a_viewer_is_told_is_his_view(steps: Steps) -> None:
    players = steps[0][0].rules.players
    for viewer in (*map(Seat, range(players)), SPECTATOR):
        seen = steps[0][0]
        for _, event, after in steps:
            told = GAME.redact(event, viewer)
            assert told is not None
            seen = fold(seen, [told])
            assert msgspec.json.encode(GAME.view(seen, viewer)) == msgspec.json.encode(GAME.view(after, viewer))


def public_cards(state: State) -> set[str]:
    gone = {PACK[card] for pile in state.piles for card in members(pile)}
    return gone | {PACK[card] for card in (*state.floor, *state.returned)}


def test_bsr_61_i13_no_view_and_no_message_holds_a_hidden_card(steps: Steps) -> None:
    players = steps[0][0].rules.players
    for viewer in (*map(Seat, range(players)), SPECTATOR):
        for _, event, after in steps:
            own = {PACK[card] for card in after.hands[viewer]} if viewer >= 0 else set()
            hidden = set(PACK) - public_cards(after) - own
            out = [GAME.view(after, viewer)]
            if isinstance(event, BatchDealt):
                out.append(GAME.redact(event, viewer))  # type: ignore[arg-type] # never None
            text = msgspec.json.encode(out).decode()
            assert not [code for code in hidden if f'"{code}"' in text]


def test_bsr_61_a_deal_shows_a_viewer_his_packet_and_the_floor() -> None:
    for players in (2, 4):
        event = next(event for _, event, _ in random_match(61, players=players))
        assert isinstance(event, HandDealt)
        for viewer in (*map(Seat, range(players)), SPECTATOR):
            told = GAME.redact(event, viewer)
            assert isinstance(told, HandDealt)
            assert told.salts == ()
            shown = [place for place, code in enumerate(told.deck) if code != BACK]
            own = range(4 * ((viewer - event.dealer - 1) % players), 4 * ((viewer - event.dealer - 1) % players) + 4)
            floor = range(4 * players, 4 * players + 4)
            assert shown == [*(own if viewer >= 0 else ()), *floor]
            assert all(told.deck[place] == event.deck[place] for place in shown)


def redealt(state: State, viewer: Seat, chance: random.Random) -> State:
    """Deal again what the viewer may not see: the other hands and the stock, but for cards known to be at its end."""
    known = state.returned if state.stock else ()
    others = [seat for seat in range(len(state.hands)) if seat != viewer]
    top = state.stock[: len(state.stock) - len(known)]
    unseen = [card for seat in others for card in state.hands[seat]] + list(top)
    chance.shuffle(unseen)
    hands = list(state.hands)
    for seat in others:
        hands[seat] = tuple(unseen.pop() for _ in state.hands[seat])
    return msgspec.structs.replace(state, hands=tuple(hands), stock=(*unseen, *state.stock[len(top) :]))


def test_bsr_61_a_view_does_not_change_when_unseen_cards_are_dealt_again(steps: Steps) -> None:
    chance = random.Random(61)
    for _, _, state in steps:
        for viewer in (*map(Seat, range(len(state.hands))), SPECTATOR):
            assert GAME.view(redealt(state, viewer, chance), viewer) == GAME.view(state, viewer)


def test_legal_is_what_decide_accepts(steps: Steps) -> None:
    for state in [after for _, _, after in steps][::7]:
        for seat in map(Seat, range(len(state.hands))):
            offered = {command.card for command in GAME.legal(state, seat)}
            held = {PACK[card] for card in state.hands[seat]}
            assert offered == (held if state.phase is Phase.TURN and seat == state.turn else set())
            for command in GAME.legal(state, seat):
                assert isinstance(GAME.decide(state, seat, command)[0], CardPlayed)


def test_prompts_have_one_number_a_clock(steps: Steps) -> None:
    stops = [after for before, event, after in steps if isinstance(event, CardPlayed | BatchDealt | HandScored)]
    numbers = [prompt.number for state in stops if (prompt := GAME.prompt(state)) is not None]
    assert all(later - earlier in {0, 1, 2} for earlier, later in pairwise(numbers))
    assert numbers == sorted(numbers)
    turns = [prompt.number for state in (before for before, _, _ in thrown(steps)) if (prompt := GAME.prompt(state))]
    assert len(set(turns)) == len(turns)


def test_a_match_ends_when_it_must(steps: Steps) -> None:
    for _, event, after in steps[:-1]:
        assert not isinstance(event, MatchEnded)
        assert GAME.result(after) is None
    *_, (_, last, ended) = steps
    assert isinstance(last, MatchEnded)
    rules: Rules = ended.rules
    assert rules.single_hand or max(ended.totals) >= rules.target
    assert ended.totals[0] != ended.totals[1]
    assert GAME.prompt(ended) is None


def test_the_same_pack_gives_the_same_match() -> None:
    assert random_match(9) == random_match(9)
    assert GAME.start(settings()) == GAME.start(settings())
