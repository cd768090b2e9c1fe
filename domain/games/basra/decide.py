"""The rules of play: who may throw what, what follows from a throw, and what the system owes."""

from domain.cards import CARDS, CODES, PACK
from domain.game import CommandRejected, Prompt, Randomness, Seat
from domain.games.basra.capture import SWEEPERS, capture
from domain.games.basra.commands import PLAYS, Command, Play, Refusal
from domain.games.basra.events import BatchDealt, CardPlayed, Event, FloorCardReplaced, HandDealt
from domain.games.basra.rules import PACKET, dealing_order
from domain.games.basra.scoring import hand_over
from domain.games.basra.state import Phase, State, evolve, names


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """Return what a command brings about, up to the next turn or the end of the hand.

    Raises :class:`CommandRejected` with a :class:`Refusal`. Any card of the hand may be thrown (BSR-16).
    """
    if state.phase is not Phase.TURN:
        raise CommandRejected(Refusal.MATCH_OVER if state.phase is Phase.MATCH_END else Refusal.WRONG_PHASE)
    if seat != state.turn:
        raise CommandRejected(Refusal.NOT_YOUR_TURN)
    card = CARDS.get(command.card)
    if card is None or card not in state.hands[seat]:
        raise CommandRejected(Refusal.CARD_NOT_IN_HAND)
    thrown = capture(state.rules, card, state.floor)
    played = CardPlayed(
        seat=seat,
        card=command.card,
        taken=tuple([CODES[other] for other in thrown.taken]),
        basra=thrown.basra,
        jack_bonus=thrown.jack_bonus,
    )
    if sum(map(len, state.hands)) > 1:
        return (played,)
    if state.stock:
        return (played, next_batch(state))
    return (played, *hand_over(evolve(state, played)))


def next_batch(state: State) -> BatchDealt:
    """Deal four cards a seat from the top of the stock, the dealer last; the floor gets none (BSR-12)."""
    players = state.rules.players
    order = dealing_order(state.dealer, players)
    packets = [names(state.stock[PACKET * place : PACKET * (place + 1)]) for place in range(players)]
    return BatchDealt(number=state.batch + 1, hands=tuple(packets[order.index(Seat(seat))] for seat in range(players)))


def proceed(state: State, randomness: Randomness) -> tuple[Event, ...]:
    """Deal the next hand. The first dealer is drawn (BSR-4); then the deal goes round (BSR-5)."""
    assert state.phase in {Phase.DEAL_FIRST, Phase.HAND_END}
    players = state.rules.players
    dealer = Seat(randomness.below(players) if state.dealer < 0 else (state.dealer + 1) % players)
    deck = randomness.shuffled(PACK)
    dealt = HandDealt(
        number=state.number + 1,
        dealer=dealer,
        players=players,
        deck=deck,
        salts=randomness.salts(len(deck)),
    )
    at = PACKET * players
    return (dealt, *replacements(deck[at : at + PACKET], deck[at + PACKET :]))


def replacements(floor: tuple[str, ...], stock: tuple[str, ...]) -> tuple[FloorCardReplaced, ...]:
    """Replace the sweepers of a first floor, place by place, from the top of the stock (BSR-9, BSR-10)."""
    changes = []
    rest = list(stock)
    for place, dealt in enumerate(floor):
        lying = dealt
        while CARDS[lying] in SWEEPERS:
            replacement = rest.pop(0)
            rest.append(lying)
            changes.append(FloorCardReplaced(place=place, returned=lying, replacement=replacement))
            lying = replacement
    return tuple(changes)


def prompt(state: State) -> Prompt | None:
    """Return the turn or the pause between hands; None where the system owes the first deal, or all is over."""
    if state.phase is Phase.TURN:
        seats = (state.turn,)
        return Prompt(
            number=state.clock, kind="turn", seats=seats, commands=("play",), seconds=state.rules.turn_seconds
        )
    if state.phase is Phase.HAND_END:
        seconds = state.rules.hand_break_seconds
        return Prompt(number=state.clock, kind="hand_break", seats=(), commands=(), seconds=seconds)
    return None


def legal(state: State, seat: Seat) -> tuple[Play, ...]:
    """Return the throws open to a seat: its whole hand on its turn (BSR-16), nothing otherwise."""
    if seat != state.turn or state.phase is not Phase.TURN:
        return ()
    return tuple([PLAYS[card] for card in state.hands[seat]])
