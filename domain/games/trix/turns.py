"""Whom a match waits for and what each may do."""

from typing import Final

from domain.cards import CardSet
from domain.game import Prompt, Seat
from domain.games.trix.commands import CHOICES, Command, plays, selections
from domain.games.trix.contracts import TERMS
from domain.games.trix.rows import playable
from domain.games.trix.state import Phase, State
from domain.tricks import following

_STEPS: Final = 64  # prompt numbers kept for each deal: the choice, doubling, 52 turns
_ALONE: Final = tuple((Seat(seat),) for seat in range(4))


def prompt(state: State) -> Prompt | None:
    """Return the wait there is; None while the system owes a deal and when the match is over."""
    number = _STEPS * state.deal
    table = state.table
    match state.phase:
        case Phase.TRICKS | Phase.LAYOUT:
            assert state.turn is not None
            number += 2 + state.played.bit_count()
            return Prompt(number, "turn", _ALONE[state.turn], ("play",), table.turn_seconds)
        case Phase.CHOOSING:
            assert state.owner is not None
            return Prompt(number, "contract", _ALONE[state.owner], ("choose_contract",), table.contract_seconds)
        case Phase.DOUBLING:
            waiting = tuple(Seat(seat) for seat, ready in enumerate(state.ready) if not ready)
            commands = ("set_doubles", "ready")
            return Prompt(number + 1, "doubling", waiting, commands, table.doubling_seconds, window=True)
        case _:
            return None


def legal(state: State, seat: Seat) -> tuple[Command, ...]:
    """Return every command that would be accepted from this seat now. It reads no hand but the seat's own."""
    match state.phase:
        case Phase.TRICKS if seat == state.turn:
            return plays(following(state.hands[seat], state.trick))
        case Phase.LAYOUT if seat == state.turn:
            return plays(playable(state.hands[seat], state.played))
        case Phase.CHOOSING if seat == state.owner:
            return tuple(CHOICES[contract] for contract in state.open)
        case Phase.DOUBLING if seat >= 0 and not state.ready[seat]:
            assert state.contract is not None
            return selections(CardSet(state.hands[seat] & TERMS[state.contract].doublable))
        case _:
            return ()
