"""What the clock does for a seat whose time has run out: auto_pass_v1 and auto_play_v1."""

from typing import Final

from domain.cards import CODES, Card, CardSet, card_set, codes, members, of_suit, rank_of, suit_of
from domain.game import Randomness, Seat
from domain.games.leekha.commands import Announce, Command, Pass, Play, Ready, SetDoubles
from domain.games.leekha.state import HEARTS, QS, TD, Phase, State, playable

_LEAD_ORDER: Final = (2, 3, 1, 0)  # by suit S H D C: equal ranks are led in the order C, D, S, H
_READY: Final = Ready()
_NO_MINUS: Final = Announce(minus=False)
_NO_DOUBLES: Final = SetDoubles(())


def automatic(state: State, seat: Seat, _randomness: Randomness) -> Command:
    """Return the command that the clock gives for a seat of the prompt (SBT-39 to 41, LKH-22).

    A doubling that was chosen but not confirmed is first taken back, so that being ready doubles nothing.
    """
    match state.phase:
        case Phase.PLAY:
            cards = playable(state.hands[seat], state.trick, state.rules.talyeekh)
            return Play(CODES[auto_play(cards, state.trick)])
        case Phase.PASS:
            return Pass(codes(card_set(auto_pass(state.hands[seat]))))
        case Phase.DOUBLE:
            return _NO_DOUBLES if state.selected[seat] else _READY
        case Phase.MINUS:
            return _NO_MINUS
        case _:
            message = f"the clock waits for nobody in the phase {state.phase}"
            raise AssertionError(message)


def auto_pass(hand: CardSet) -> tuple[Card, ...]:
    """Return the three highest cards, equal ranks in the order S, H, D, C (SBT-39)."""
    return tuple(sorted(members(hand), key=lambda card: (-rank_of(card), suit_of(card)))[:3])


def auto_play(cards: CardSet, trick: tuple[Card, ...]) -> Card:
    """Return the card that auto_play_v1 plays out of those allowed (SBT-41).

    Leading: the lowest rank, equal ranks C, D, S, H. Following: the lowest card of the suit. Void: QS, else
    TD, else the highest heart, else the highest rank, equal ranks S, D, C.
    """
    if not trick:
        return min(members(cards), key=lambda card: (rank_of(card), _LEAD_ORDER[suit_of(card)]))
    suited = of_suit(cards, suit_of(trick[0]))
    if suited:
        return min(members(suited))
    for thrown in (QS, TD):
        if cards >> thrown & 1:
            return thrown
    if cards & HEARTS:
        return max(members(of_suit(cards, 1)))
    return min(members(cards), key=lambda card: (-rank_of(card), suit_of(card)))
