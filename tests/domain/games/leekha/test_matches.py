"""The invariants of section 5 of both rules files, over random lawful matches."""

from collections.abc import Iterator

import msgspec
import pytest

from domain.cards import BACK, CARDS, FULL, SUITS, CardSet, codes, suit_of
from domain.game import SPECTATOR, CommandRejected, Seat, Viewer
from domain.games.leekha import BINT_SBEET, LEEKHA
from domain.games.leekha.commands import Announce, Command, Pass, Play, Ready, SetDoubles
from domain.games.leekha.events import (
    CardPlayed,
    CardsPassed,
    DoublesChosen,
    Event,
    HandDealt,
    HandScored,
    MinusAnswered,
    PassChosen,
    TrickTaken,
    kind,
)
from domain.games.leekha.state import LEEKHA_CARDS, PENALTIES, QS, TD, State
from tests.domain.games.leekha.hands import (
    SEATS,
    AnyOfBoth,
    at_random,
    both,
    by_bot,
    by_policy,
    chance,
    match,
    settings,
    settled,
)

SEEDS = range(4)
VIEWERS: tuple[Viewer, ...] = (*SEATS, SPECTATOR)
MIXED = (at_random, by_policy, by_bot, at_random)
every_seed = pytest.mark.parametrize("seed", SEEDS)
OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"talyeekh": "void"},
    {"talyeekh": "void_or_covered", "pass_cycle": ("right", "none", "left")},
    {"doubling": False},
)


def matches(game: AnyOfBoth, seed: int) -> Iterator[tuple[State, Event, State]]:
    yield from match(game, seed, MIXED, **OPTIONS[seed % len(OPTIONS)])


@every_seed
@both
def test_i1_the_pack_is_in_one_place(game: AnyOfBoth, seed: int) -> None:
    for _, event, state in matches(game, seed):
        parts = [*state.hands, *state.taken, *(1 << card for card in state.trick)]
        assert sum(parts) == FULL
        assert sum(part.bit_count() for part in parts) == 52
        if isinstance(event, HandDealt | CardsPassed):
            assert [hand.bit_count() for hand in state.hands] == [13] * 4


@every_seed
@both
def test_i2_a_pass_moves_three_cards_one_way(game: AnyOfBoth, seed: int) -> None:
    for before, event, after in matches(game, seed):
        if isinstance(event, CardsPassed):
            cycle = before.rules.pass_cycle
            assert event.direction == cycle[(before.hand_no - 1) % len(cycle)]
            step = {"left": 3, "right": 1}[event.direction]
            for seat in SEATS:
                assert len(event.cards[seat]) == 3
                assert set(event.cards[seat]) == set(codes(after.hands[(seat + step) % 4])) - set(
                    codes(before.hands[(seat + step) % 4])
                )


@every_seed
@both
def test_i3_i10_a_card_off_the_suit_led_means_none_of_it_in_the_hand(game: AnyOfBoth, seed: int) -> None:
    for before, event, _ in matches(game, seed):
        if isinstance(event, CardPlayed) and before.trick:
            led, card, hand = suit_of(before.trick[0]), CARDS[event.card], before.hands[event.seat]
            if suit_of(card) != led:
                assert not hand & SUITS[led]
                if before.rules.talyeekh != "off" and hand & LEEKHA_CARDS:
                    assert card in {QS, TD}


@every_seed
@both
def test_i4_the_highest_card_of_the_suit_led_takes_the_trick(game: AnyOfBoth, seed: int) -> None:
    for before, event, after in matches(game, seed):
        if isinstance(event, TrickTaken):
            led = suit_of(before.trick[0])
            best = max(card for card in before.trick if suit_of(card) == led)
            assert before.trick[(event.seat - before.leader) % 4] == best
            assert after.turn == event.seat
        if isinstance(event, HandScored):
            assert sum(before.tricks) == 13


@every_seed
@both
def test_i5_i6_i7_i8_sums_of_a_hand(game: AnyOfBoth, seed: int) -> None:
    for before, event, after in matches(game, seed):
        if not isinstance(event, HandScored):
            continue
        hearts = 2 if game is BINT_SBEET and before.doubled == LEEKHA_CARDS else 1
        queen = 26 if before.doubled >> QS & 1 else 13
        ten = 20 if before.doubled >> TD & 1 else 10
        total = queen + ten + 13 * hearts
        assert total in ({36, 49, 46, 72} if game is BINT_SBEET else {36, 49, 46, 59})
        if game is LEEKHA:
            assert sum(event.points) == total
            assert min(event.points) >= 0
            assert all(new >= old for new, old in zip(after.totals, before.totals, strict=True))
        else:
            cards = [
                queen * (taken >> QS & 1) + ten * (taken >> TD & 1) + hearts * (taken & SUITS[1]).bit_count()
                for taken in before.taken
            ]
            announced = [before.announced >> seat & 1 for seat in SEATS]
            clean = [tricks == 0 for tricks in before.tricks]
            assert sum(clean) <= 3
            extra = sum(cards[s] for s in SEATS if announced[s] and not clean[s])
            off = sum(20 if announced[s] else 10 for s in SEATS if clean[s])
            assert sum(event.points) == total + extra - off
            for seat, points in enumerate(event.points):
                assert -20 <= points <= (144 if announced[seat] else 72)
        assert after.totals == tuple(map(sum, zip(before.totals, event.points, strict=True)))


@every_seed
@both
def test_i9_leader_and_dealer(game: AnyOfBoth, seed: int) -> None:
    first: int | None = None
    for before, event, state in matches(game, seed):
        if isinstance(event, HandDealt):
            first = event.dealer if first is None else first
            assert event.dealer == (first + event.hand_no - 1) % 4
        if isinstance(event, CardPlayed) and not before.trick and not sum(before.tricks):
            assert state.dealer is not None
            assert event.seat == (state.dealer + 1) % 4


@every_seed
@both
def test_i10_a_match_ends_after_the_target_and_with_one_winner(game: AnyOfBoth, seed: int) -> None:
    reached = False
    for _, event, state in matches(game, seed):
        if isinstance(event, HandScored):
            compared = event.totals
            if game is LEEKHA:
                compared = (event.totals[0] + event.totals[2], event.totals[1] + event.totals[3])
            reached = reached or max(compared) >= state.rules.target
            assert event.target_reached == reached
            ends = reached and compared.count(min(compared)) == 1
            if game is LEEKHA and state.hand_no >= 6:
                assert reached
        if state.phase == "match_end":
            assert ends
            result = game.result(state)
            assert result is not None
            assert result.places.count(1) == (2 if game is LEEKHA else 1)
            assert result.totals[result.places.index(1)] == min(result.totals) or game is LEEKHA


@every_seed
def test_lkh_i8_no_event_of_a_minus_in_leekha(seed: int) -> None:
    kinds = {kind(event) for event in LEEKHA.events}
    for _, event, state in matches(LEEKHA, seed):
        assert kind(type(event)) in kinds
        assert state.phase != "minus"
    assert not any("minus" in name for name in kinds)


@every_seed
@both
def test_i11_the_fold_of_what_a_viewer_was_told_is_his_view_at_every_point(game: AnyOfBoth, seed: int) -> None:
    known = dict.fromkeys(VIEWERS, game.start(settings(game, **OPTIONS[seed % len(OPTIONS)])))
    for _, event, state in matches(game, seed):
        for viewer in VIEWERS:
            told = game.redact(event, viewer)
            if told is not None:
                assert type(told) is type(event)
                known[viewer] = game.evolve(known[viewer], told)
            mine, true = game.view(known[viewer], viewer), game.view(state, viewer)
            assert msgspec.json.encode(mine) == msgspec.json.encode(true)


@every_seed
@both
def test_i11_a_view_and_a_redacted_event_name_no_card_that_the_viewer_may_not_see(game: AnyOfBoth, seed: int) -> None:
    for _, event, state in matches(game, seed):
        for viewer in VIEWERS:
            mine = state.hands[viewer] if viewer != SPECTATOR else 0
            passed_on = state.gave[viewer] if viewer != SPECTATOR else 0
            held = sum(state.hands)
            shown = msgspec.json.encode(game.view(state, viewer))
            told = msgspec.json.encode(game.redact(event, viewer))
            for code in codes(CardSet(held & ~mine & ~passed_on & ~state.doubled)):
                assert f'"{code}"'.encode() not in shown
                assert f'"{code}"'.encode() not in told or code in _seen(event, viewer)


def _seen(event: Event, viewer: Viewer) -> set[str]:
    """Return the cards of an exchange that the viewer gave or got."""
    if not isinstance(event, CardsPassed) or viewer == SPECTATOR:
        return set()
    step = {"left": 3, "right": 1}[event.direction]
    return {*event.cards[viewer], *event.cards[(viewer - step) % 4]}


@both
def test_sbt_44_lkh_24_redaction_of_deal_pass_and_sealed_choices(game: AnyOfBoth) -> None:
    (deal,) = game.proceed(game.start(settings(game)), chance(3))
    assert isinstance(deal, HandDealt)
    for viewer in VIEWERS:
        told = game.redact(deal, viewer)
        assert isinstance(told, HandDealt)
        assert told.salts == ()
        kept = [place for place, code in enumerate(told.deck) if code != BACK]
        assert kept == ([] if viewer == SPECTATOR else [p for p in range(52) if (deal.dealer + 1 + p) % 4 == viewer])
        assert all(told.deck[place] == deal.deck[place] for place in kept)
    for sealed in (
        PassChosen(Seat(1), ("AS", "KS", "QS")),
        DoublesChosen(Seat(1), ("QS",)),
        MinusAnswered(Seat(1), minus=True),
    ):
        assert [game.redact(sealed, viewer) == sealed for viewer in VIEWERS] == [False, True, False, False, False]
        assert [game.redact(sealed, viewer) is None for viewer in VIEWERS] == [True, False, True, True, True]
    moved = CardsPassed("left", (("2S",) * 3, ("2H",) * 3, ("2D",) * 3, ("2C",) * 3))
    backs = (BACK,) * 3
    assert game.redact(moved, Seat(0)) == CardsPassed("left", (("2S",) * 3, ("2H",) * 3, backs, backs))
    assert game.redact(moved, Seat(3)) == CardsPassed("left", (("2S",) * 3, backs, backs, ("2C",) * 3))
    assert game.redact(moved, SPECTATOR) == CardsPassed("left", (backs,) * 4)


@every_seed
@both
def test_i12_replay_and_storage_give_the_same_state(game: AnyOfBoth, seed: int) -> None:
    kinds = msgspec.json.Decoder(Event)
    replayed: State | None = None
    for before, event, after in matches(game, seed):
        stored = kinds.decode(msgspec.json.encode(event))
        assert stored == event
        replayed = game.evolve(replayed or before, stored)
        assert replayed == after
        assert msgspec.json.encode(game.canonical(replayed)) == msgspec.json.encode(game.canonical(after))


@every_seed
@both
def test_legal_is_exactly_what_is_accepted(game: AnyOfBoth, seed: int) -> None:
    randomness = chance(seed)
    for state in settled(game, seed, MIXED, **OPTIONS[seed % len(OPTIONS)]):
        if randomness.below(20):
            continue
        prompt = game.prompt(state)
        others: list[Command] = [Play(code) for code in CARDS]
        others += [Pass(("2S", "3S", "4S")), SetDoubles(("QS",)), Ready(), Announce(minus=True)]
        for seat in SEATS:
            legal = game.legal(state, seat)
            assert bool(legal) == (prompt is not None and seat in prompt.seats)
            for command in legal[:: max(1, len(legal) // 15)]:
                assert game.decide(state, seat, command)
            for command in others:
                if command not in legal:
                    with pytest.raises(CommandRejected):
                        game.decide(state, seat, command)


@every_seed
@both
def test_the_canonical_form_is_made_of_wire_names_and_tells_states_apart(game: AnyOfBoth, seed: int) -> None:
    seen: dict[bytes, State] = {}
    for _, _, state in matches(game, seed):
        canonical = game.canonical(state)
        assert isinstance(canonical, dict)
        assert sum(len(hand) for hand in canonical["hands"]) == sum(hand.bit_count() for hand in state.hands)
        assert seen.setdefault(msgspec.json.encode(canonical), state) == state
    assert len(seen) > 52


@both
def test_sbt_46_the_log_keeps_every_choice_for_an_audit(game: AnyOfBoth) -> None:
    for before, event, _ in match(game, 9):
        if isinstance(event, CardsPassed):
            assert all(BACK not in cards for cards in event.cards)
        if isinstance(event, HandDealt):
            assert BACK not in event.deck
        if isinstance(event, HandScored):
            assert sum((taken & PENALTIES).bit_count() for taken in before.taken) == 15
