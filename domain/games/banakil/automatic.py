"""What the clock does for a seat (BNK-13, BNK-115 … BNK-117): cut anywhere, draw, throw; it lays nothing."""

from domain.game import Randomness, Seat
from domain.games.banakil.commands import Command, Cut, Draw, Throw
from domain.games.banakil.pack import CODES, FACE, FACES, HIDDEN, SIZE, VALUE, is_joker, is_real, is_two, members
from domain.games.banakil.state import Phase, State


def automatic(state: State, seat: Seat, randomness: Randomness) -> Command:
    """Return the command of the clock's policy for a seat that is asked."""
    if state.phase is Phase.CUT:
        return Cut(position=1 + randomness.below(SIZE - 1))
    if state.phase is Phase.TURN_DRAW:
        return Draw()
    hand = state.hands[seat]
    barred = state.taken_top if state.rules.keep_taken_top and hand.bit_count() > 1 else None
    card = choice(tuple(card for card in members(hand) if card != barred), state.drawn)
    twin = 52 <= card < 104 and hand >> (card - 52) & 1
    return Throw(card=CODES[card] if twin else FACES[FACE[card]])


def choice(cards: tuple[int, ...], drawn: int | None) -> int:
    """Return the card to throw: no 2 or joker while there is another, and the card drawn before any (BNK-116)."""
    if drawn in cards and drawn != HIDDEN and is_real(drawn):
        return drawn
    return min(cards, key=_rank)


def _rank(card: int) -> tuple[bool, bool, int, int, int, int]:
    """Order cards to throw: real cards by value and rank from the top, then 2s, then jokers; S H D C; lower id."""
    face = FACE[card]
    rank = 13 if face % 13 == 0 else face % 13
    return is_joker(card), is_two(card), -VALUE[card], -rank, face // 13, card
