"""What the clock does for a seat, from nothing but what that seat sees (TRX-122 to TRX-127)."""

from typing import Final

from domain.cards import CODES, Card, CardSet, has, of_suit, rank_of, suit_of
from domain.game import Randomness, Seat
from domain.games.trix.commands import CHOICES, READY, Command, Play
from domain.games.trix.contracts import TERMS, Contract, steps_to_end
from domain.games.trix.rows import playable
from domain.games.trix.state import Phase, State

_CARDS: Final = tuple(map(Card, range(52)))
_LEADS: Final = sorted(_CARDS, key=lambda card: (rank_of(card), suit_of(card)))
_LAYS: Final = sorted(_CARDS, key=lambda card: (steps_to_end(card), suit_of(card), -rank_of(card)))
_DISCARDS: Final = {
    contract: sorted(_CARDS, key=lambda card: (-terms.cards[card], -rank_of(card), suit_of(card)))
    for contract, terms in TERMS.items()
}


def automatic(state: State, seat: Seat, randomness: Randomness) -> Command:  # noqa: ARG001 - this policy takes no chance
    """Return the command of the automatic policy for a seat that is being waited for."""
    match state.phase:
        case Phase.CHOOSING:
            return CHOICES[state.open[0]]
        case Phase.DOUBLING:
            return READY
        case _:
            assert seat == state.turn
            return Play(CODES[_card(state, state.hands[seat])])


def _card(state: State, hand: CardSet) -> Card:
    assert state.contract is not None
    if state.contract is Contract.TRIX:
        return _first(_LAYS, playable(hand, state.played))
    if not state.trick:
        return _first(_LEADS, hand)
    follows = of_suit(hand, suit_of(state.trick[0]))
    return _first(_LEADS, follows) if follows else _first(_DISCARDS[state.contract], hand)


def _first(order: list[Card], cards: CardSet) -> Card:
    return next(card for card in order if has(cards, card))
