"""How a bot plays, seeing what a player in its seat would see (TRX-132)."""

from domain.cards import CODES, SUITS, CardSet, members, rank_of, suit_of
from domain.game import Randomness
from domain.games.trix.commands import CHOICES, READY, Command, Play, SetDoubles
from domain.games.trix.contracts import TERMS, Contract
from domain.games.trix.state import Phase
from domain.games.trix.tactics import known, lay, play
from domain.games.trix.view import View
from domain.games.trix.worth import guarded, worth


def bot(view: View, randomness: Randomness) -> Command:  # noqa: ARG001 - its choice follows from what it sees
    """Return the command of a bot that is being waited for.

    Doubling takes it two commands whatever it holds, so that its pace tells nothing (TRX-44, TRX-133).
    """
    match view.phase:
        case Phase.CHOOSING:
            return _choose(view)
        case Phase.DOUBLING:
            return _double(view) if view.selection is None else READY
        case _:
            return Play(lay(view) if view.contract is Contract.TRIX else play(view))


def _choose(view: View) -> Command:
    hand = known(view.hand)
    return CHOICES[max(view.contracts_open, key=lambda contract: worth(contract, hand))]


def _double(view: View) -> Command:
    """Double what others will more likely take than this seat: cards with lower ones of their suit beside them."""
    assert view.contract is not None
    hand = known(view.hand)
    chosen = []
    for card in members(CardSet(hand & TERMS[view.contract].doublable)):
        suit = CardSet(hand & SUITS[suit_of(card)])
        if guarded([rank_of(other) for other in members(suit)], rank_of(card)):
            chosen.append(CODES[card])
    return SetDoubles(tuple(chosen))
