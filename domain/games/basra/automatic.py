"""The clock's policy (BSR-55): what is thrown for a player whose time is up."""

from collections.abc import Sequence

from domain.cards import RANKS, Card
from domain.game import Randomness, Seat
from domain.games.basra.capture import JACK, KOMI, POINTS, VALUES, Cards, capture
from domain.games.basra.commands import PLAYS, Play
from domain.games.basra.rules import Rules
from domain.games.basra.state import State


def automatic(state: State, seat: Seat, randomness: Randomness) -> Play:  # noqa: ARG001 - the contract offers chance
    """Return the policy's throw for the seat to act."""
    return PLAYS[auto_play(state.rules, state.hands[seat], state.floor)]


def auto_play(rules: Rules, hand: Sequence[Card], floor: Cards) -> Card:
    """Choose from a hand in deal order; where cards are equal, the one dealt first.

    In turn: the ordinary card that captures most; a king or queen; the numeral of fewest points, then highest; a
    jack; the seven of diamonds.
    """
    ordinary = [card for card in hand if card % RANKS != JACK and card != KOMI]
    taken = {card: capture(rules, card, floor).taken for card in ordinary}
    capturing = [card for card in ordinary if taken[card]]
    if capturing:
        return max(capturing, key=lambda card: (len(taken[card]), _points((card, *taken[card]))))
    if ordinary:
        return min(ordinary, key=lambda card: (VALUES[card] != 0, POINTS[card], -VALUES[card]))
    return next((card for card in hand if card != KOMI), KOMI)


def _points(cards: Cards) -> int:
    return sum(POINTS[card] for card in cards)
