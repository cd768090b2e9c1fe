"""Section 6: what holds in every match, over random lawful play under several sets of options."""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from domain.game import CommandRejected, Seat
from domain.games.pinochle import GAME
from domain.games.pinochle.commands import PlayCard
from domain.games.pinochle.events import (
    BidMade,
    BidPassed,
    CardPlayed,
    CardsGiven,
    ContractMade,
    HandDealt,
    HandScored,
    MatchEnded,
    MeldShown,
    RedealAsked,
    TrickTaken,
)
from domain.games.pinochle.melds import display, meld_points
from domain.games.pinochle.pack import CODES, PACK, VALUES, codes, pack
from domain.games.pinochle.scoring import TEAMS
from domain.games.pinochle.state import Phase, State
from events.codec import Codec, kind_of
from tests.domain.games.pinochle.tables import OPTION_SETS, SEATS, fold, match, rules, started

every_set = pytest.mark.parametrize("options", OPTION_SETS)
ORDER = "9JQKTA"


def cards_in_hands(state: State) -> Counter[str]:
    return Counter(code for hand in state.hands for code in codes(hand))


@every_set
def test_1_2_3_cards_and_points_are_conserved(options: dict[str, Any]) -> None:
    taken: Counter[str] = Counter()
    points = [0, 0]
    for _, events, state in match(21, deals=4, **options):
        for event in events:
            if isinstance(event, HandDealt):
                taken, points = Counter(), [0, 0]
            if isinstance(event, TrickTaken):
                taken.update(CODES[kind] for kind in state.tricks.cards)
                points[TEAMS[event.seat]] += event.points
        lying = [CODES[kind] for kind in state.tricks.cards] if len(state.tricks.cards) < 4 else []
        if state.phase is not Phase.DEAL:
            assert cards_in_hands(state) + taken + Counter(lying) == Counter(PACK)
        assert state.tricks.points == tuple(points)
        counters = sum(VALUES[CODES.index(code)] * number for code, number in taken.items())
        done = sum(state.tricks.taken)
        assert sum(points) == counters + (10 if done == 12 else 0)
        if state.phase is Phase.PLAY:
            for seat in SEATS:
                played = bool(lying) and (seat - state.tricks.leader) % 4 < len(lying)
                assert state.held(seat) == 12 - done - played


@every_set
def test_4_11_14_tens_rising_bids_and_the_dealer_in_turn(options: dict[str, Any]) -> None:
    bid, deals, replaced, first = 0, -1, 0, 0
    for before, events, _ in match(22, deals=8, **options):
        for event in events:
            match event:
                case HandDealt(dealer=dealer):
                    bid, deals = 0, deals + 1
                    first = dealer if deals == 0 else first
                    assert dealer == (first + deals - replaced) % 4
                case RedealAsked():
                    replaced += 1
                case BidMade(amount=amount):
                    assert amount % 10 == 0
                    assert amount >= bid + 10
                    bid = amount
                case ContractMade(amount=amount, forced=forced):
                    assert amount == (before.rules.opening_min if forced else bid)
                    passed = [seat for seat, call in before.auction.calls if not call]
                    passed += [made.seat for made in events if isinstance(made, BidPassed)]
                    assert len(passed) == len(set(passed)) == (4 if forced else 3)
                case HandScored(scores=scores, totals=totals):
                    assert all(number % 10 == 0 for number in (*scores, *totals, *event.meld, *event.points))


def test_5_and_6_meld_depends_on_the_cards_alone_and_never_falls() -> None:
    random, ours = Random(23), rules()
    best = 0
    for _ in range(300):
        deck = random.sample(PACK, 48)
        hand = deck[:12]
        trump = random.randrange(4)
        points = meld_points(display(pack(hand), trump, ours)[0])
        assert meld_points(display(pack(reversed(hand)), trump, ours)[0]) == points
        assert meld_points(display(pack(deck[:13]), trump, ours)[0]) >= points
        swapped = [code.translate(str.maketrans("HC", "CH")) for code in hand]
        if trump in (0, 2):  # hearts and clubs play no part in type III
            assert meld_points(display(pack(swapped), trump, ours)[0]) == points
        best = max(best, points)
        four = [meld_points(display(pack(deck[at : at + 12]), trump, ours)[0]) for at in range(0, 48, 12)]
        assert max(four[0] + four[2], four[1] + four[3]) <= 2220
        assert sum(four) <= 2820
        assert points <= (1800 if trump in (0, 2) else 1540)
    assert best > 0
    largest = pack(["AS", "TS", "KS", "QS", "JS", "JD"] * 2)
    assert meld_points(display(largest, 0, ours)[0]) == 1800


def beating(card: str, other: str, trump: str) -> bool:
    if card[1] == other[1]:
        return ORDER.index(card[0]) > ORDER.index(other[0])
    return card[1] == trump


@every_set
def test_7_8_9_10_every_play_keeps_the_duties(options: dict[str, Any]) -> None:
    for before, events, _ in match(24, deals=4, **options):
        played = events[0]
        if not isinstance(played, CardPlayed):
            continue
        hand = codes(before.hands[played.seat])
        legal = {command.card for command in GAME.legal(before, played.seat) if isinstance(command, PlayCard)}
        trick = [CODES[kind] for kind in before.tricks.cards] if len(before.tricks.cards) < 4 else []
        assert legal
        assert legal <= set(hand)
        if not trick:
            assert legal == set(hand)
            continue
        check_duties(before, hand, trick, played.card)
        if len(trick) == 3:
            taken = events[1]
            assert isinstance(taken, TrickTaken)
            four, trump = [*trick, played.card], "SHDC"[before.trump]
            unbeaten = [
                place
                for place, card in enumerate(four)
                if card[1] in (trump, four[0][1]) and not any(beating(other, card, trump) for other in four)
            ]
            assert taken.seat == (before.tricks.leader + unbeaten[0]) % 4


def check_duties(before: State, hand: tuple[str, ...], trick: list[str], card: str) -> None:
    trump, led, always = "SHDC"[before.trump], trick[0][1], before.rules.heading == "always"
    ruffs = [code for code in trick if code[1] == trump]
    if card[1] != led:
        assert not any(code[1] == led for code in hand)
        if card[1] != trump:
            assert not any(code[1] == trump for code in hand)
        elif ruffs and led != trump and always and not all(beating(card, ruff, trump) for ruff in ruffs):
            assert not any(code[1] == trump and all(beating(code, ruff, trump) for ruff in ruffs) for code in hand)
    elif (led == trump or (not ruffs and always)) and not all(
        beating(card, code, trump) for code in trick if code[1] == led
    ):
        in_suit = [code for code in trick if code[1] == led]
        assert not any(code[1] == led and all(beating(code, other, trump) for other in in_suit) for code in hand)


@every_set
def test_12_13_15_scores_add_up_and_the_match_ends_when_it_must(options: dict[str, Any]) -> None:
    for before, events, state in match(25, deals=10, **options):
        scored = next((event for event in events if isinstance(event, HandScored)), None)
        if scored is None:
            assert not any(isinstance(event, MatchEnded) for event in events)
            continue
        bidders = TEAMS[scored.declarer]
        ours, theirs = scored.scores[bidders], scored.scores[1 - bidders]
        assert ours >= scored.bid if scored.made else ours == -scored.bid
        assert theirs >= 0
        if scored.conceded:
            assert theirs == scored.meld[1 - bidders]
        else:
            assert sum(scored.points) == 250
            if not scored.tricks[1 - bidders]:
                assert theirs == 0
            if scored.made and all(scored.tricks) and before.rules.save_meld == "trick":
                assert ours + theirs == sum(scored.meld) + 250
        assert scored.totals == tuple(old + new for old, new in zip(before.totals, scored.scores, strict=True))
        check_end(state, scored, bidders)


def check_end(state: State, scored: HandScored, bidders: int) -> None:
    there = [total >= state.rules.target_score for total in scored.totals]
    mercy = state.rules.mercy_limit
    fallen = [bool(mercy) and total <= -mercy for total in scored.totals]
    over = any(there) or sum(fallen) == 1
    assert (state.phase is Phase.MATCH_END) == over
    if all(there):
        assert state.champions == bidders


@every_set
def test_16_the_log_survives_storage_and_replays_to_the_same_state(options: dict[str, Any]) -> None:
    codec = Codec(GAME.events)
    replayed = started(**options)
    state = replayed
    for _, events, after in match(26, deals=3, **options):
        stored = [codec.decode(kind_of(event), codec.encode(event)) for event in events]
        assert stored == list(events)
        replayed, state = fold(replayed, stored), after
    assert replayed == state
    assert msgspec.json.encode(GAME.canonical(replayed)) == msgspec.json.encode(GAME.canonical(state))


@pytest.mark.parametrize("options", OPTION_SETS[1:3])
def test_17_passing_moves_n_cards_each_way_and_nobody_elses(options: dict[str, Any]) -> None:
    given = 0
    for before, events, after in match(27, deals=6, **options):
        gifts = [event for event in events if isinstance(event, CardsGiven)]
        given += len(gifts)
        for gift in gifts:
            assert len(gift.cards) == before.rules.pass_count
            assert gift.to == (gift.seat + 2) % 4
            for seat in SEATS:
                if TEAMS[seat] != TEAMS[gift.seat]:
                    assert after.hands[seat] == before.hands[seat]
        if any(isinstance(event, MeldShown) for event in events):
            assert [after.held(seat) for seat in SEATS] == [12] * 4
    assert given


@every_set
def test_exactly_what_is_legal_is_accepted(options: dict[str, Any]) -> None:
    random = Random(28)
    tried: list[Any] = []
    for _, _, state in match(28, deals=4, **options):
        for seat in SEATS:
            legal = GAME.legal(state, seat)
            prompt = GAME.prompt(state)
            assert bool(legal) == (prompt is not None and seat in prompt.seats)
            tried = (tried + list(legal[:10]))[-200:]
            for command in random.sample(legal, min(4, len(legal))):
                assert GAME.decide(state, seat, command)
            for command in random.sample(tried, min(4, len(tried))):
                if command not in legal:
                    with pytest.raises(CommandRejected):
                        GAME.decide(state, Seat(seat), command)
