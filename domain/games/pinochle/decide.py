"""What a command leads to under the rules of pinochle: the only place that refuses."""

from collections.abc import Callable
from typing import Any, Final

from domain.cards import SUIT_LETTERS
from domain.game import CommandRejected, Seat
from domain.games.pinochle.commands import (
    AskRedeal,
    Bid,
    Command,
    Concede,
    Give,
    NameTrump,
    PassBid,
    PlayCard,
    PlayOn,
    Ready,
    Refusal,
)
from domain.games.pinochle.events import (
    BidMade,
    BidPassed,
    CardPlayed,
    CardsGiven,
    ContractMade,
    DealPassedOut,
    Event,
    HandConceded,
    HandScored,
    MatchEnded,
    MeldClosed,
    MeldShown,
    PassChosen,
    PlayedOn,
    RedealAsked,
    SeatReady,
    TrickTaken,
    TrumpNamed,
)
from domain.games.pinochle.evolve import evolve
from domain.games.pinochle.melds import display, has_marriage
from domain.games.pinochle.pack import EITHER, KINDS, NINE, RANKS, SEATS, VALUES, codes, copies, of
from domain.games.pinochle.rules import BID_STEP, MAX_BID
from domain.games.pinochle.scoring import LAST_TRICK, TEAMS, TRICKS, score, winner
from domain.games.pinochle.state import ALL_SEATS, Phase, State, partner_of
from domain.games.pinochle.tricks import beats, duty

FIVE_NINES: Final = 5


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """Return what the command leads to, all consequences but the next deal included.

    Raises :class:`CommandRejected` with a :class:`Refusal`.
    """
    return _DECIDE[type(command)](state, seat, command)


def _require(state: State, seat: Seat, phase: Phase) -> None:
    if state.phase is not phase:
        raise CommandRejected(Refusal.WRONG_PHASE)
    if state.turn != seat:
        raise CommandRejected(Refusal.NOT_YOUR_TURN)


# The auction, section 3.3.


def may_bid(state: State, seat: Seat) -> bool:
    """Say whether the seat's hand allows it to bid at all (PIN-29)."""
    return not state.rules.trump_needs_marriage or any(has_marriage(state.hands[seat], suit) for suit in range(4))


def lowest_bid(state: State) -> int:
    """Return the least amount that may be bid now (PIN-17)."""
    return state.auction.bid + BID_STEP if state.auction.bid else state.rules.opening_min


def nines(state: State, seat: Seat) -> int:
    """Return the number of nines in a hand."""
    return sum(copies(state.hands[seat], of(suit, NINE)) for suit in range(4))


def has_called(state: State, seat: Seat) -> bool:
    """Say whether the seat has bid or passed in this auction."""
    return any(caller == seat for caller, _ in state.auction.calls)


def _bid(state: State, seat: Seat, command: Bid) -> tuple[Event, ...]:
    _require(state, seat, Phase.BIDDING)
    amount, lowest = command.amount, lowest_bid(state)
    if amount % BID_STEP or (amount > lowest and state.rules.bid_jump == "step_only"):
        raise CommandRejected(Refusal.BID_STEP)
    if amount < lowest:
        raise CommandRejected(Refusal.BID_TOO_LOW)
    if amount > MAX_BID:
        raise CommandRejected(Refusal.BID_TOO_HIGH)
    if not may_bid(state, seat):
        raise CommandRejected(Refusal.BID_NEEDS_MARRIAGE)
    bid = BidMade(seat, amount)
    if state.auction.passed | 1 << seat == ALL_SEATS:  # PIN-22: the dealer, after three passes
        return bid, ContractMade(seat, amount, forced=False)
    return (bid,)


def _pass_bid(state: State, seat: Seat, _command: PassBid) -> tuple[Event, ...]:
    _require(state, seat, Phase.BIDDING)
    auction = state.auction
    passed = auction.passed | 1 << seat
    if passed == ALL_SEATS:
        if state.dealer_is_forced():
            return BidPassed(seat), ContractMade(state.dealer, state.rules.opening_min, forced=True)
        return BidPassed(seat), DealPassedOut(state.dealer, state.passed_out + 1)
    if auction.bid and passed | 1 << auction.bidder == ALL_SEATS:  # PIN-21
        return BidPassed(seat), ContractMade(auction.bidder, auction.bid, forced=False)
    return (BidPassed(seat),)


def _ask_redeal(state: State, seat: Seat, _command: AskRedeal) -> tuple[Event, ...]:
    if not state.rules.nines_redeal:
        raise CommandRejected(Refusal.WRONG_PHASE)
    _require(state, seat, Phase.BIDDING)
    if has_called(state, seat):
        raise CommandRejected(Refusal.WRONG_PHASE)
    if nines(state, seat) < FIVE_NINES:
        raise CommandRejected(Refusal.NO_FIVE_NINES)
    return (RedealAsked(seat),)


# Trump, passing and meld, sections 3.4 to 3.6.


def trumps(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the suits the declarer may name (PIN-28, PIN-29)."""
    married = tuple(suit for suit in range(4) if has_marriage(state.hands[seat], suit))
    return married if state.rules.trump_needs_marriage and married else (0, 1, 2, 3)


def _name_trump(state: State, seat: Seat, command: NameTrump) -> tuple[Event, ...]:
    _require(state, seat, Phase.TRUMP)
    suit = SUIT_LETTERS.find(command.suit) if command.suit else -1
    if suit < 0:
        raise CommandRejected(Refusal.BAD_SUIT)
    if suit not in trumps(state, seat):
        raise CommandRejected(Refusal.TRUMP_NEEDS_MARRIAGE)
    named = TrumpNamed(seat, command.suit)
    return (named,) if state.rules.pass_count else _then_show(state, named)


def _then_show(state: State, *events: Event) -> tuple[Event, ...]:
    """Add the meld of every hand as it is after the events."""
    for event in events:
        state = evolve(state, event)
    shows = [display(hand, state.trump, state.rules) for hand in state.hands]
    return *events, MeldShown(tuple(melds for melds, _ in shows), tuple(codes(cards) for _, cards in shows))


def _give(state: State, seat: Seat, command: Give) -> tuple[Event, ...]:
    together = state.phase is Phase.PASS_BOTH
    if state.phase not in (Phase.PASS_PARTNER, Phase.PASS_DECLARER, Phase.PASS_BOTH):
        raise CommandRejected(Refusal.WRONG_PHASE)
    if state.turn != seat if not together else TEAMS[seat] != TEAMS[state.auction.bidder]:
        raise CommandRejected(Refusal.NOT_YOUR_TURN)
    if together and not state.waiting >> seat & 1:
        raise CommandRejected(Refusal.ALREADY_READY)
    if len(command.cards) != state.rules.pass_count:
        raise CommandRejected(Refusal.BAD_PASS_COUNT)
    hand = state.hands[seat]
    for code in set(command.cards):
        if code not in KINDS or copies(hand, KINDS[code]) < command.cards.count(code):
            raise CommandRejected(Refusal.CARD_NOT_IN_HAND)
    partner = partner_of(seat)
    given = CardsGiven(seat, partner, command.cards)
    if not together:
        return (given,) if state.phase is Phase.PASS_PARTNER else _then_show(state, given)
    chosen = PassChosen(seat, command.cards)
    if state.waiting != 1 << seat:
        return (chosen,)
    return _then_show(state, chosen, CardsGiven(partner, seat, codes(state.given[partner])), given)


def _ready(state: State, seat: Seat, _command: Ready) -> tuple[Event, ...]:
    if state.phase not in (Phase.MELD, Phase.SCORED):
        raise CommandRejected(Refusal.WRONG_PHASE)
    if not state.waiting >> seat & 1:
        raise CommandRejected(Refusal.ALREADY_READY)
    if state.phase is Phase.MELD and state.waiting == 1 << seat:
        return SeatReady(seat), MeldClosed()
    return (SeatReady(seat),)


def _concede(state: State, seat: Seat, _command: Concede) -> tuple[Event, ...]:
    _require(state, seat, Phase.CONCEDE)
    return HandConceded(seat), *_score(state, conceded=True)


def _play_on(state: State, seat: Seat, _command: PlayOn) -> tuple[Event, ...]:
    _require(state, seat, Phase.CONCEDE)
    return (PlayedOn(seat),)


# Play and scores, sections 3.7 and 3.8.


def _play(state: State, seat: Seat, command: PlayCard) -> tuple[Event, ...]:
    if state.phase is not Phase.PLAY:
        raise CommandRejected(Refusal.WRONG_PHASE)
    if state.turn != seat:
        raise CommandRejected(Refusal.NOT_YOUR_TURN)
    hand, kind = state.hands[seat], KINDS.get(command.card)
    if kind is None or not hand & EITHER[kind]:
        raise CommandRejected(Refusal.CARD_NOT_IN_HAND)
    tricks = state.tricks
    before = len(tricks.cards) % SEATS
    played = CardPlayed(seat, command.card)
    if not before:
        return (played,)
    always = state.rules.heading == "always"
    kinds, allowed, following = duty(hand, state.trump, tricks.cards[0] // RANKS, tricks.best, always=always)
    if not EITHER[kind] & allowed:
        if EITHER[kind] & kinds:
            raise CommandRejected(Refusal.MUST_BEAT if following else Refusal.MUST_OVERTRUMP)
        raise CommandRejected(Refusal.MUST_FOLLOW if following else Refusal.MUST_TRUMP)
    if before < SEATS - 1:
        return (played,)
    points = VALUES[kind] + sum([VALUES[card] for card in tricks.cards])
    last = sum(tricks.taken) == TRICKS - 1
    taker = seat if beats(kind, tricks.best, state.trump) else tricks.winner
    taken = TrickTaken(taker, points + LAST_TRICK if last else points)
    if not last:
        return played, taken
    return played, taken, *_score(evolve(evolve(state, played), taken))


def _score(state: State, *, conceded: bool = False) -> tuple[Event, ...]:
    auction, tricks = state.auction, state.tricks
    bidders = TEAMS[auction.bidder]
    result = score(
        bidders=bidders,
        bid=auction.bid,
        meld=state.meld_of_teams(),
        points=tricks.points,
        tricks=tricks.taken,
        rules=state.rules,
        conceded=conceded,
    )
    totals = (state.totals[0] + result.scores[0], state.totals[1] + result.scores[1])
    scored = HandScored(
        declarer=auction.bidder,
        bid=auction.bid,
        made=result.made,
        conceded=conceded,
        meld=result.meld,
        points=result.points,
        tricks=result.tricks,
        scores=result.scores,
        totals=totals,
    )
    team = winner(totals, bidders, state.rules)
    return (scored,) if team is None else (scored, MatchEnded(team, totals))


_DECIDE: Final[dict[type[Any], Callable[[State, Seat, Any], tuple[Event, ...]]]] = {
    Bid: _bid,
    PassBid: _pass_bid,
    AskRedeal: _ask_redeal,
    NameTrump: _name_trump,
    Give: _give,
    Ready: _ready,
    Concede: _concede,
    PlayOn: _play_on,
    PlayCard: _play,
}
