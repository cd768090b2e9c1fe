"""Which card a bot plays: each legal card gets an estimate, in points, of what it costs; the cheapest is played.

The estimates are made from one view alone: the hand, the cards played, and what they show. Their constants were
settled by playing thousands of matches against the automatic policy and against chance.
"""

from collections.abc import Sequence
from typing import Final

from domain.cards import (
    CARDS,
    EMPTY,
    FULL,
    RANKS,
    SUITS,
    Card,
    CardSet,
    card_set,
    has,
    members,
    of_suit,
    rank_of,
    suit_of,
)
from domain.game import Seat
from domain.games.trix.commands import Play
from domain.games.trix.contracts import DOUBLE_VALUE, JACK_RANK, SEATS, TERMS
from domain.games.trix.view import View
from domain.tricks import winning_place

_GOES_OVER: Final = 0.12  # chance that one later player goes over a card, for each higher one still out
_CAUGHT: Final = 0.45  # share of the penalties below a card in its suit that the card catches
_KEPT: Final = 0.6  # share of its own penalty that a card is expected to cost who keeps it
_THROWN: Final = 0.35  # share of a penalty that falls into a trick which one leads


def known(codes: Sequence[str]) -> CardSet:
    """Return the set of the cards named."""
    return card_set(CARDS[code] for code in codes)


def play(view: View) -> str:
    """Choose the card to play to a trick."""
    return _Tricks(view).cheapest(_choices(view))


def lay(view: View) -> str:
    """Choose the card to lay in TRIX: first what opens the way for one's own cards, last what serves only others."""
    hand = known(view.hand)
    return min(_choices(view), key=lambda code: _opens(CARDS[code], hand))


def _choices(view: View) -> list[str]:
    return [command.card for command in view.legal if isinstance(command, Play)]


def _opens(card: Card, hand: CardSet) -> float:
    """Weigh the cards beyond this one: others' are a price, one's own a gain, the greater the longer their way."""
    price = 0.0
    for step in (-1, 1):
        if step * (rank_of(card) - JACK_RANK) < 0:
            continue  # the card lies on the other side of its jack
        weight = 1.0
        beyond = card + step
        while beyond >= 0 and beyond // RANKS == suit_of(card):
            if has(hand, Card(beyond)):
                price -= 1.5 + 0.45 * abs(beyond - card)
            else:
                price += weight
                weight *= 0.75
            beyond += step
    return price


class _Tricks:
    """A trick contract as the seat to play sees it."""

    def __init__(self, view: View) -> None:
        """Read the view."""
        assert view.seat is not None
        assert view.leader is not None
        assert view.contract is not None
        terms = TERMS[view.contract]
        self.seat = view.seat
        self.partner = None if view.team_totals is None else Seat((view.seat + 2) % SEATS)
        self.leader = view.leader
        self.hand = known(view.hand)
        self.trick = tuple(CARDS[code] for code in view.trick)
        self.voids = [EMPTY] * SEATS  # by seat: the suits it has not followed
        gone = known(view.trick)
        for trick in view.tricks:
            gone = CardSet(gone | known(trick.cards))
            self._note_voids(trick.leader, trick.cards)
        self._note_voids(view.leader, view.trick)
        self.unseen = CardSet(FULL & ~gone & ~self.hand)
        self.price_of_trick = terms.trick
        self.prices = list(terms.cards)  # what a card costs its taker, by card
        for code in (code for cards in view.doubled for code in cards):
            self.prices[CARDS[code]] += DOUBLE_VALUE[CARDS[code]]
        left = self._sum(CardSet(self.unseen | self.hand))
        self.average = terms.trick + left / self.hand.bit_count()  # price of a trick to come

    def _note_voids(self, leader: Seat, codes: Sequence[str]) -> None:
        for step, code in enumerate(codes):
            if code[1] != codes[0][1]:
                seat = (leader + step) % SEATS
                self.voids[seat] = CardSet(self.voids[seat] | SUITS[suit_of(CARDS[codes[0]])])

    def _sum(self, cards: CardSet) -> int:
        return sum(self.prices[card] for card in members(cards))

    def cheapest(self, codes: Sequence[str]) -> str:
        """Return the card that costs least to play, less what it would cost to keep."""
        cost = self._following if self.trick else self._leading
        return min(codes, key=lambda code: cost(CARDS[code]) - self._keeping(CARDS[code]))

    def _keeping(self, card: Card) -> float:
        """Estimate the cost of keeping a card: tricks it may have to take, penalties it catches, its own."""
        out = of_suit(self.unseen, suit_of(card))
        lower = _below(out, card)
        mine = of_suit(self.hand, suit_of(card))
        takes = (lower.bit_count() + 0.5) / (out.bit_count() + 1) if out else 0.3
        takes *= 1.15 - 0.09 * min(_below(mine, card).bit_count(), 5) - 0.02 * min(mine.bit_count(), 5)
        price = 0.5 * self.average + _CAUGHT * self._sum(lower) + _KEPT * self.prices[card]
        return takes * price + 0.25 * self.prices[card]

    def _leading(self, card: Card) -> float:
        out = of_suit(self.unseen, suit_of(card))
        lower = _below(out, card).bit_count()
        higher = out.bit_count() - lower
        takes = (lower / out.bit_count()) ** (0.6 if higher < 3 else 0.9) if out else 1.0
        void = sum(has(suits, card) for suits in self.voids) if out else SEATS - 1
        worst = max((self.prices[other] for other in members(self.unseen)), default=0)
        return takes * (self.price_of_trick + self.prices[card] + _THROWN * (self._sum(out) + worst * void))

    def _following(self, card: Card) -> float:
        place = winning_place(self.trick)
        best = self.trick[place]
        later = SEATS - 1 - len(self.trick)
        price = self.price_of_trick + self._sum(card_set((card, *self.trick))) + 0.12 * later * self.average
        if suit_of(card) == suit_of(best) and card > best:
            return price * self._stays(card, later)
        if (self.leader + place) % SEATS == self.partner:
            return price * self._stays(best, later)
        return 0.0

    def _stays(self, card: Card, later: int) -> float:
        """Estimate the chance that none of the later players goes over the card."""
        out = of_suit(self.unseen, suit_of(card))
        higher = CardSet(out & ~_below(out, card))
        if later and out and higher == out:
            return 0.25
        return float((1 - _GOES_OVER) ** (higher.bit_count() * later))


def _below(cards: CardSet, card: Card) -> CardSet:
    """Return the lower ones of a set of cards of the card's own suit."""
    return CardSet(cards & ((1 << card) - 1))
