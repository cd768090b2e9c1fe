"""The whole state in wire names: what a state hash covers, under this version of the rules."""

from domain.cards import CODES, codes
from domain.games.trix.state import State


def canonical(state: State) -> dict[str, object]:
    """Return the state as plain values whose meaning does not change when the structs inside do."""
    result = state.result
    return {
        "variant": state.table.variant,
        "seconds": [state.table.contract_seconds, state.table.doubling_seconds, state.table.turn_seconds],
        "phase": state.phase.value,
        "deal": state.deal,
        "kingdom": state.kingdom,
        "first": state.first,
        "owner": state.owner,
        "chosen": [contract.value for contract in state.chosen],
        "totals": state.totals,
        "places": None if result is None else result.places,
        "contract": None if state.contract is None else state.contract.value,
        "hands": [codes(hand) for hand in state.hands],
        "backs": state.backs,
        "selected": [None if cards is None else codes(cards) for cards in state.selected],
        "ready": state.ready,
        "doubled": [codes(cards) for cards in state.doubled],
        "twos": [codes(cards) for cards in state.twos],
        "turn": state.turn,
        "played": codes(state.played),
        "leader": state.leader,
        "trick": [CODES[card] for card in state.trick],
        "tricks": [
            {"leader": trick.leader, "cards": trick.cards, "taker": trick.taker, "points": trick.points}
            for trick in state.tricks
        ],
        "moves": [{"seat": move.seat, "card": move.card} for move in state.moves],
        "out": state.out,
        "points": state.points,
    }
