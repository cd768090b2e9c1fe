"""A bot's choices out of a seat's view: it weighs what a card may cost now and what the rest of the hand may cost.

All costs are expected penalty points. The estimates are rough, quick, and the same for both games.
"""

from functools import lru_cache
from itertools import combinations
from typing import Final

import msgspec

from domain.cards import CARDS, CODES, FULL, SUITS, Card, CardSet, card_set, codes, has, members, rank_of, suit_of
from domain.game import Randomness
from domain.games.leekha.commands import Announce, Command, Pass, Play, Ready, SetDoubles
from domain.games.leekha.rules import BINT_NAME
from domain.games.leekha.state import LEEKHA_CARDS, PENALTIES, QS, TD, Phase
from domain.games.leekha.view import View

_BIT: Final = {"S": 1, "H": 2, "D": 4, "C": 8}
_VOID_MASKS: Final = {
    "".join(suit for suit in "SHDC" if mask & _BIT[suit]): sum(
        1 << bit for bit, suit in enumerate("SHDC") if mask & _BIT[suit]
    )
    for mask in range(16)
}
_SPADES: Final = 0
_HEARTS: Final = 1
_DIAMONDS: Final = 2
_SHORT: Final = (0.0, 0.1, 0.5, 0.9)  # by suit S H D C: what an empty suit is worth before the play
_READY: Final = Ready()
_NO_MINUS: Final = Announce(minus=False)


class Table(msgspec.Struct, frozen=True, gc=False):
    """What a bot reads out of its view, in the terms it reckons with."""

    seat: int
    partner: int  # -1 where all play alone
    hand: CardSet
    unseen: CardSet  # in the hands of the others
    queen: int  # what QS costs
    ten: int  # what TD costs
    heart: int  # what a heart costs
    voids: tuple[int, ...]  # by seat: bit by suit
    leader: int
    trick: tuple[Card, ...]
    prize: float  # what the first trick would throw away, in points: the minus


def bot(view: View, _randomness: Randomness) -> Command:
    """Return a command for the seat that the view is of; it never announces a minus (SBT-42)."""
    match view.phase:
        case Phase.PLAY:
            return _choose_play(view)
        case Phase.PASS:
            return Pass(codes(card_set(choose_pass(_cards(view.hand)))))
        case Phase.DOUBLE:
            chosen = choose_doubles(_cards(view.hand))
            return _READY if chosen == view.selected else SetDoubles(chosen)
        case _:
            return _NO_MINUS


def _cards(names: tuple[str, ...]) -> CardSet:
    return card_set([CARDS[name] for name in names])


# Pass and doubling


def choose_pass(hand: CardSet) -> tuple[Card, ...]:
    """Return the three cards without which the hand looks cheapest."""
    others = CardSet(FULL & ~hand)
    best: list[tuple[float, tuple[Card, ...]]] = [(0.0, ()), *[(1e9, ())] * 3]
    for suit in range(4):
        cheapest = _cheapest_parts(CardSet(hand & SUITS[suit]), CardSet(others & SUITS[suit]), suit)
        best = [
            min(
                (best[count - part][0] + cost, best[count - part][1] + cards)
                for part, (cost, cards) in enumerate(cheapest)
                if part <= count
            )
            for count in range(4)
        ]
    return best[3][1]


def _cheapest_parts(held: CardSet, out: CardSet, suit: int) -> list[tuple[float, tuple[Card, ...]]]:
    """Return for 0, 1, 2, 3 cards of a suit given away the least cost of the rest, and which cards."""
    parts = []
    cards = tuple(members(held))
    for count in range(min(3, len(cards)) + 1):
        options = []
        for given in combinations(cards, count):
            rest = CardSet(held & ~card_set(given))
            cost = suit_cost(rest, out, suit, 13, 10, 1) - (0.0 if rest else _SHORT[suit])
            options.append((cost, given))
        parts.append(min(options))
    return parts


def choose_doubles(hand: CardSet) -> tuple[str, ...]:
    """Return which of QS and TD to double: one that low cards of its suit keep from being forced out."""
    chosen = []
    for card, others in ((QS, 4), (TD, 4)):
        suit = CardSet(hand & SUITS[suit_of(card)])
        low = (suit & ((1 << card) - 1)).bit_count()
        if has(hand, card) and low >= others:
            chosen.append(CODES[card])
    return tuple(chosen)


# What cards left in the hand may cost


@lru_cache(maxsize=1 << 16)
def suit_cost(held: int, out: int, suit: int, queen: int, ten: int, heart: int) -> float:
    """Return what the cards held of a suit may cost, when the others hold ``out`` of it.

    Low cards are played first, so that the higher ones meet fewer cards of the suit: card number i from below
    wins its trick if all that is left of the suit in the other hands lies under it.
    """
    cost = 0.0
    total = out.bit_count()
    for index, card in enumerate(members(CardSet(held))):
        lower = (out & ((1 << card) - 1)).bit_count()
        left = total - 2.4 * index
        if total == 0 or lower == 0:
            continue
        wins = (lower / total) ** min(3.0, max(left, 1.0)) * (1.0 if left > 0.5 else 0.25)
        cost += wins * _trick_worth(card, out, suit, queen, ten, heart)
    return cost


def _trick_worth(card: Card, out: int, suit: int, queen: int, ten: int, heart: int) -> float:
    """Return what a trick won with the card may hold."""
    if suit == _HEARTS:
        return 3.4 * heart
    worth = 1.3 * heart
    if card == QS:
        return worth + queen
    if card == TD:
        return worth + ten
    if suit == _SPADES and card > QS and out >> QS & 1:
        return worth + 0.45 * queen
    if suit == _DIAMONDS and card > TD and out >> TD & 1:
        return worth + 0.4 * ten
    return worth


def hand_cost(table: Table, hand: CardSet) -> float:
    """Return what the rest of a hand may cost."""
    return sum(
        suit_cost(hand & SUITS[suit], table.unseen & SUITS[suit], suit, table.queen, table.ten, table.heart)
        for suit in range(4)
    )


# A card


def _table(view: View) -> Table:
    hand = _cards(view.hand)
    seat = view.turn if view.turn is not None else 0
    trick = tuple(CARDS[laid.card] for laid in view.trick)
    solo = view.game == BINT_NAME
    clean = not (view.tricks[seat] if view.minus_rule == "no_tricks" else view.taken[seat])
    return Table(
        seat=seat,
        partner=-1 if solo else (seat + 2) % 4,
        hand=hand,
        unseen=CardSet(FULL & ~hand & ~_cards(view.played)),
        queen=26 if "QS" in view.doubled else 13,
        ten=20 if "TD" in view.doubled else 10,
        heart=view.heart_value,
        voids=tuple(_VOID_MASKS[voids] for voids in view.voids),
        leader=view.trick[0].seat if view.trick else seat,
        trick=trick,
        prize=(20.0 if seat in view.announced else 10.0) if view.minus_rule != "off" and clean else 0.0,
    )


def _choose_play(view: View) -> Play:
    cards = [CARDS[command.card] for command in view.legal if isinstance(command, Play)]
    if len(cards) == 1:
        return Play(CODES[cards[0]])
    table = _table(view)
    return Play(CODES[min(cards, key=lambda card: (card_cost(table, card), -rank_of(card), card))])


def card_value(table: Table, card: Card) -> int:
    """Return what the taker of a card pays for it."""
    if card == QS:
        return table.queen
    if card == TD:
        return table.ten
    return table.heart if suit_of(card) == _HEARTS else 0


def card_cost(table: Table, card: Card) -> float:
    """Return what playing the card may cost its seat (or its team): this trick, and the rest of the hand."""
    trick = (*table.trick, card)
    suit = suit_of(trick[0])
    place = max(range(len(trick)), key=lambda at: trick[at] if suit_of(trick[at]) == suit else -1)
    best, winner = trick[place], (table.leader + place) % 4
    rest = CardSet(table.hand & ~(1 << card))
    later = [(table.seat + step) % 4 for step in range(1, 5 - len(trick))]
    stays = 1.0
    to_come = 0.0
    for seat in later:
        over, adds = _later_card(table, seat, suit, best, friendly=seat == table.partner)
        stays *= 1.0 - over
        to_come += adds
    worth = sum(card_value(table, laid) for laid in trick) + to_come
    cost = hand_cost(table, rest)
    if winner == table.seat:
        cost += stays * (worth + _minus_loss(table, rest))
    elif winner == table.partner:
        cost += stays * worth
    if table.partner in later:
        cost += (1.0 - stays) * worth / len(later) * 0.6
    return cost


def _minus_loss(table: Table, rest: CardSet) -> float:
    """Return what taking a first trick throws away: the minus, by how likely the rest of the hand keeps it."""
    if not table.prize:
        return 0.0
    return table.prize * max(0.0, 1.0 - hand_cost(table, rest) / 6.0) ** 2


def _later_card(table: Table, seat: int, suit: int, best: Card, *, friendly: bool) -> tuple[float, float]:
    """Return how likely a later seat goes over the best card, and what penalty it may add to the trick."""
    out = CardSet(table.unseen & SUITS[suit])
    total = out.bit_count()
    penalties = CardSet(table.unseen & PENALTIES & ~SUITS[suit])
    dumps = 0.0 if friendly else _dump(table, penalties)
    holders = sum(1 for other in range(4) if other != table.seat and not table.voids[other] >> suit & 1)
    if table.voids[seat] >> suit & 1 or not total:
        return 0.0, dumps
    void = (1.0 - 1.0 / max(holders, 1)) ** total
    higher = (out >> (best + 1)).bit_count()
    lower = total - higher
    held = max(1.0, total / max(holders, 1))
    over = (higher / total) ** held if lower else 1.0
    adds = void * dumps
    if suit == _HEARTS:
        adds += (1.0 - void) * table.heart
    elif suit == _SPADES and has(out, QS) and best > QS:
        adds += table.queen / max(holders, 1) * 0.9
    elif suit == _DIAMONDS and has(out, TD) and best > TD:
        adds += table.ten / max(holders, 1) * 0.8
    return over * (1.0 - void), adds


def _dump(table: Table, penalties: CardSet) -> float:
    """Return what a seat without the suit may throw on the trick."""
    share = 0.0
    if has(penalties, QS):
        share += table.queen / 3
    if has(penalties, TD):
        share += table.ten / 3
    return share + (0.7 * table.heart if penalties & ~LEEKHA_CARDS else 0.0)
