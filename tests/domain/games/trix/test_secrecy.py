"""Who may see what (TRX-136 to TRX-142, INV-17, INV-18)."""

from random import Random

import msgspec
import pytest

from domain.cards import BACK, PACK, codes
from domain.game import SPECTATOR, Seat, Viewer
from domain.games.trix import GAME
from domain.games.trix.commands import ChooseContract
from domain.games.trix.contracts import Contract
from domain.games.trix.events import CardPlayed, Dealt, Event, HandsTurnedUp
from domain.games.trix.state import Phase, State
from domain.games.trix.view import view
from tests.domain.games.trix.play import (
    SUITS,
    VIEWERS,
    choose,
    dealt,
    double,
    fold,
    holding,
    match,
    opened,
    played,
    settings,
)

VARIANTS = GAME.variants


def encoded(value: object) -> bytes:
    return msgspec.json.encode(value)


def names(message: bytes) -> set[str]:
    return {code for code in PACK if f'"{code}"'.encode() in message}


@pytest.mark.parametrize("variant", VARIANTS)
def test_inv_17_the_fold_of_what_a_viewer_was_told_is_his_view_after_every_event(variant: str) -> None:
    whole: State = GAME.start(settings(variant))
    told: dict[Viewer, State] = dict.fromkeys(VIEWERS, whole)
    for _, events, _ in match(variant, 31):
        for event in events:
            whole = GAME.evolve(whole, event)
            for viewer in VIEWERS:
                seen = GAME.redact(event, viewer)
                if seen is not None:
                    told[viewer] = GAME.evolve(told[viewer], seen)
                assert encoded(view(told[viewer], viewer)) == encoded(view(whole, viewer))


def test_trx_12_and_136_a_deal_shows_the_owner_his_own_cards_and_nobody_else_any() -> None:
    event = Dealt(deal=1, kingdom=1, owner=Seat(1), deck=PACK, salts=("00",) * 52)
    for viewer in VIEWERS:
        seen = GAME.redact(event, viewer)
        assert isinstance(seen, Dealt)
        expected = [code if viewer == 1 and place in range(13, 26) else BACK for place, code in enumerate(PACK)]
        assert seen == Dealt(deal=1, kingdom=1, owner=Seat(1), deck=tuple(expected), salts=())


def test_trx_24_and_141_hands_turn_up_for_their_holders_alone() -> None:
    for viewer in VIEWERS:
        seen = GAME.redact(HandsTurnedUp(SUITS), viewer)
        backs = (BACK,) * 13
        assert seen == HandsTurnedUp(tuple(hand if seat == viewer else backs for seat, hand in enumerate(SUITS)))


def test_a_card_played_is_the_same_event_for_everybody() -> None:
    event = CardPlayed(Seat(2), "QS")
    assert all(GAME.redact(event, viewer) is event for viewer in VIEWERS)


def test_trx_17_it_is_public_who_holds_the_seven_of_hearts_in_the_first_deal_until_it_is_played() -> None:
    state = dealt(SUITS)
    for viewer in VIEWERS:
        assert view(state, viewer).seven_of_hearts == 1
        assert view(dealt(SUITS, owner=0), viewer).seven_of_hearts is None
    state = fold(state, GAME.decide(state, Seat(1), ChooseContract(Contract.LTOOSH)))
    assert view(played(state, "6H"), SPECTATOR).seven_of_hearts == 1
    assert view(played(state, "7H"), SPECTATOR).seven_of_hearts is None


def test_trx_140_and_142_a_spectator_sees_what_all_have_in_common() -> None:
    state = played(opened(SUITS, Contract.QUEENS, "QS"), "QS QH QD 3C")
    seen = view(state, SPECTATOR)
    assert (seen.seat, seen.hand, seen.legal, seen.selection) == (None, (), (), None)
    assert seen.counts == (12, 12, 12, 12)
    assert seen.points == (-75 - 25 + 25, 0, 0, 0)
    assert [trick.cards for trick in seen.tricks] == [("QS", "QH", "QD", "3C")]


@pytest.mark.parametrize("variant", ["individual", "partnership"])
def test_trx_68_137_inv_18_cards_left_at_an_early_end_are_named_to_nobody_but_their_holder(variant: str) -> None:
    sent: dict[Viewer, list[bytes]] = {viewer: [] for viewer in VIEWERS}
    early = 0
    for before, events, state in match(variant, 33):
        if any(isinstance(event, Dealt) for event in events):
            sent = {viewer: [] for viewer in VIEWERS}
        for viewer, messages in sent.items():
            messages.extend(encoded(GAME.redact(event, viewer)) for event in events)
            messages.append(encoded(view(state, viewer)))
        if state.phase is not Phase.DEAL_SCORED or before.phase is state.phase:
            continue
        for holder, hand in enumerate(map(codes, state.hands)):
            shown = {code for code in hand if code[0] == "2"} if state.contract is Contract.TRIX else set()
            for viewer in VIEWERS:
                if viewer != holder:
                    assert not any(names(message) & (set(hand) - shown) for message in sent[viewer])
                    assert not names(sent[viewer][-1]) & set(hand)
            early += bool(hand)
    assert early > 20


def test_trx_137_nothing_further_is_shown_at_the_end_of_the_deal() -> None:
    hands = holding("AH 7H", "KH", "2H", "3H")
    state = played(double(choose(dealt(hands), Contract.KING)), "AH KH 2H 3H")
    assert state.phase is Phase.DEAL_SCORED
    for viewer in VIEWERS:
        seen = view(state, viewer)
        assert (seen.seven_of_hearts, seen.shown) == (None, ((), (), (), ()))


@pytest.mark.parametrize("variant", VARIANTS)
def test_inv_17_what_a_viewer_cannot_see_leaves_no_trace_in_his_stream(variant: str) -> None:
    """Two deals that differ only in cards a viewer has not seen are told him alike."""
    random = Random(34)
    for viewer in VIEWERS:
        deck = list(PACK)
        random.shuffle(deck)
        owner = deck.index("7H") // 13
        free = [place for place in range(52) if deck[place] != "7H" and not (viewer == owner == place // 13)]
        moved = random.sample(free, len(free))
        other = list(deck)
        for place, source in zip(free, moved, strict=True):
            other[place] = deck[source]
        streams = []
        for cards in (deck, other):
            event: Event = Dealt(deal=1, kingdom=1, owner=Seat(owner), deck=tuple(cards), salts=("00",) * 52)
            state = fold(GAME.start(settings(variant)), [event])
            streams.append((encoded(GAME.redact(event, viewer)), encoded(view(state, viewer))))
        assert streams[0] == streams[1]


def test_trx_44_the_stream_of_others_is_the_same_whatever_a_seat_selects() -> None:
    state = choose(dealt(holding("KH", "QH"), "complex", owner=2), Contract.COMPLEX)
    streams = []
    for command in GAME.legal(state, Seat(0)):
        after = fold(state, GAME.decide(state, Seat(0), command))
        if not after.ready[0]:
            streams.append([encoded(view(after, viewer)) for viewer in VIEWERS if viewer != 0])
    assert len(streams) == 2
    assert streams[0] == streams[1] == [encoded(view(state, viewer)) for viewer in VIEWERS if viewer != 0]
