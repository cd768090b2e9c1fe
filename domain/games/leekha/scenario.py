"""How scenario files set up Bint al-Sbeet and Leekha and look at them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal, TypeVar

import msgspec

from domain.cards import CARDS, CODES, PACK, CardSet, card_set, codes
from domain.game import Result, Seat
from domain.games.leekha.rules import NEXT, SEATS, Rules
from domain.games.leekha.scoring import heart_value, match_places, result, target_reached, team_totals
from domain.games.leekha.state import LEEKHA_CARDS, Phase, State
from domain.games.leekha.view import direction, hand_of, points, seats_of, whose_turn

T = TypeVar("T")
Cards = str | tuple[str, ...]  # codes in one string separated by spaces, or a list
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=3)]
HandNumber = Annotated[int, msgspec.Meta(ge=1)]
BySeat = Annotated[tuple[int, ...], msgspec.Meta(min_length=4, max_length=4)]
CardsBySeat = Annotated[tuple[Cards, ...], msgspec.Meta(min_length=4, max_length=4)]

ACCEPTS: Final = (
    "announced",
    "dealer",
    "doubled",
    "exposed",
    "hand_counts",
    "hand_no",
    "heart_value",
    "last_trick",
    "leader",
    "pass_direction",
    "ready",
    "taken",
    "target_reached",
    "trick",
    "tricks",
)


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of one deal: the pack, top first, or the hands by seat; and the dealer of the first hand."""

    deck: Cards | None = None
    hands: CardsBySeat | None = None
    dealer: SeatNumber | None = None


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a match stands before the hand that is dealt next."""

    totals: BySeat = (0, 0, 0, 0)
    hand_no: HandNumber = 1  # of the hand that is dealt next
    dealer: SeatNumber | None = None  # of that hand
    target_reached: bool = False  # by a total of an earlier hand (SBT-36)


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand in the middle; hands, trick and taken cards make up the pack."""

    hands: CardsBySeat
    phase: Literal["pass", "double", "minus", "play"] = "play"
    hand_no: HandNumber = 1
    dealer: SeatNumber = 0
    leader: SeatNumber | None = None  # of the open trick; the dealer's right if not said
    trick: Cards = ()  # from the leader on
    taken: CardsBySeat = ((), (), (), ())
    tricks: BySeat | None = None  # a fourth of the cards taken if not said
    doubled: Cards = ()
    announced: tuple[SeatNumber, ...] = ()
    totals: BySeat = (0, 0, 0, 0)
    target_reached: bool = False


class Stacked:
    """Chance that makes one given deal come out."""

    def __init__(self, deck: tuple[str, ...], dealer: Seat) -> None:
        """Keep the pack, top first, and who deals."""
        self._deck = deck
        self._dealer = dealer

    def below(self, bound: int) -> int:
        """Return the dealer, the only thing that a deal draws."""
        assert bound == 4, "a dealer is drawn from four seats"
        return self._dealer

    def shuffled(self, pack: Sequence[T]) -> tuple[T, ...]:
        """Return the pack in the given order."""
        by_code = {str(card): card for card in pack}
        return tuple(by_code[code] for code in self._deck)

    def salts(self, count: int) -> tuple[str, ...]:
        """Return no secrets: a scenario has none."""
        return ("",) * count


def _split(cards: Cards) -> tuple[str, ...]:
    return tuple(cards.split()) if isinstance(cards, str) else cards


def _whole_pack(place: str, names: Sequence[str]) -> None:
    """Raise ValueError, naming the place and the fault, unless the codes are the 52 cards, each once."""
    for name in names:
        if name not in CARDS:
            message = f"{place}: {name} is no card of the pack"
            raise ValueError(message)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        message = f"{place}: {' '.join(twice)} more than once"
        raise ValueError(message)
    missing = [code for code in PACK if code not in names]
    if missing:
        message = f"{place}: {' '.join(missing)} missing"
        raise ValueError(message)


def _deck(deal: Deal, dealer: Seat) -> tuple[str, ...]:
    if (deal.deck is None) == (deal.hands is None):
        raise ValueError("deal: give either the deck or the hands")
    if deal.deck is not None:
        deck = _split(deal.deck)
        _whole_pack("deck", deck)
        return deck
    assert deal.hands is not None, "one of the two is given"
    hands = [_split(hand) for hand in deal.hands]
    _whole_pack("hands", [name for hand in hands for name in hand])
    for seat, hand in enumerate(hands):
        if len(hand) != 13:
            message = f"hands: seat {seat} has {len(hand)} cards, not 13"
            raise ValueError(message)
    return tuple(hands[(dealer + 1 + at) % 4][at // 4] for at in range(52))


def stack(state: State, deal: Deal) -> Stacked:
    """Return the chance that makes a deal come out; seat 0 deals the first hand unless the deal says who."""
    dealer = Seat(deal.dealer or 0) if state.dealer is None else NEXT[state.dealer]
    if deal.dealer not in {None, dealer}:
        message = f"dealer: it is seat {dealer} who deals this hand, not seat {deal.dealer}"
        raise ValueError(message)
    return Stacked(_deck(deal, dealer), dealer)


def begin(rules: Rules, start: Start) -> State:
    """Return a match that owes the hand that the start describes."""
    return State(
        rules=rules,
        hand_no=start.hand_no - 1,
        dealer=None if start.dealer is None else Seat((start.dealer - 1) % 4),
        totals=start.totals,
        reached=start.target_reached or target_reached(rules, start.totals),
    )


def _sets(place: str, groups: Sequence[Cards]) -> tuple[CardSet, ...]:
    for group in groups:
        for name in _split(group):
            if name not in CARDS:
                message = f"{place}: {name} is no card of the pack"
                raise ValueError(message)
    return tuple(card_set(CARDS[name] for name in _split(group)) for group in groups)


def _check_sizes(position: Position, leader: Seat) -> None:
    """Raise ValueError unless every seat has played as many cards as the open trick says."""
    sizes = [len(_split(hand)) for hand in position.hands]
    trick = len(_split(position.trick))
    if trick > 3:
        raise ValueError("trick: an open trick has at most three cards")
    full = sizes[(leader + trick) % 4]
    for seat, size in enumerate(sizes):
        due = full - ((seat - leader) % 4 < trick)
        if size != due:
            message = f"hands: seat {seat} has {size} cards, {due} would go with the trick"
            raise ValueError(message)
    if full == 0:
        raise ValueError("hands: nobody has a card to play")
    if position.phase != "play" and full != 13:
        message = f"hands: 13 cards each in the phase {position.phase}"
        raise ValueError(message)


def _check_windows(position: Position, rules: Rules) -> None:
    """Raise ValueError for a phase that the options leave out, or facts that it cannot know yet."""
    phase = position.phase
    if (phase == "double" and not rules.doubling) or (phase == "minus" and not rules.minus):
        message = f"phase: there is no phase {phase} under these options"
        raise ValueError(message)
    if phase == "pass" and rules.direction(position.hand_no) == "none":
        message = f"phase: nothing is passed in hand {position.hand_no}"
        raise ValueError(message)
    if position.doubled and phase in {"pass", "double"}:
        message = f"doubled: nothing is doubled in the phase {phase}"
        raise ValueError(message)
    if position.announced and (phase != "play" or not rules.minus):
        raise ValueError("announced: a minus is announced before the play, in the game that has it")


def place(rules: Rules, position: Position) -> State:
    """Return the state in the middle of a hand; ValueError says what does not fit."""
    leader = NEXT[position.dealer] if position.leader is None else Seat(position.leader)
    trick = _split(position.trick)
    groups = (*position.hands, position.trick, *position.taken)
    _whole_pack("position", [name for group in groups for name in _split(group)])
    _check_sizes(position, leader)
    _check_windows(position, rules)
    (doubled,) = _sets("doubled", (position.doubled,))
    if doubled & ~LEEKHA_CARDS:
        raise ValueError("doubled: only QS and TD can be")
    taken = _sets("taken", position.taken)
    return State(
        rules=rules,
        phase=Phase(position.phase),
        clock=1,
        hand_no=position.hand_no,
        dealer=Seat(position.dealer),
        hands=_sets("hands", position.hands),
        doubled=doubled,
        announced=sum(1 << seat for seat in set(position.announced)),
        leader=leader,
        turn=Seat((leader + len(trick)) % 4),
        trick=tuple(CARDS[name] for name in trick),
        taken=taken,
        tricks=position.tricks or tuple((cards.bit_count() + 3) // 4 for cards in taken),
        totals=position.totals,
        reached=position.target_reached or target_reached(rules, position.totals),
    )


def final(rules: Rules, totals: tuple[int, ...], first: Seat) -> Result:
    """Return the result of a match that ended with these totals by seat."""
    places = match_places(rules, totals)
    if places is None:
        raise ValueError("totals: the match would go on until the tie is broken")
    return Result(totals=totals, team_totals=team_totals(rules, totals), places=places, first=first)


def _winner(state: State) -> int | None:
    end = result(state)
    return None if end is None else end.places.index(1)


def facts(state: State) -> Mapping[str, object]:
    """Return what a scenario may expect, in points and codes."""
    sums = team_totals(state.rules, state.totals)
    return {
        "phase": state.phase.value,
        "turn": whose_turn(state),
        "hands": [hand_of(state, seat) for seat in SEATS],
        "deal_points": list(points(state)),
        "totals": list(state.totals),
        "team_totals": None if sums is None else list(sums),
        "places": list(state.places) or None,
        "winner": _winner(state),
        "announced": list(seats_of(state.announced)),
        "dealer": state.dealer,
        "doubled": list(codes(state.doubled)),
        "exposed": [list(codes(CardSet(state.doubled & hand))) for hand in state.hands],
        "hand_counts": [len(hand_of(state, seat)) for seat in SEATS],
        "hand_no": state.hand_no,
        "heart_value": heart_value(state.rules, state.doubled),
        "last_trick": [CODES[card] for card in state.last_trick],
        "leader": state.leader,
        "pass_direction": direction(state),
        "ready": list(seats_of(state.ready)),
        "taken": [list(codes(cards)) for cards in state.taken],
        "target_reached": state.reached,
        "trick": [CODES[card] for card in state.trick],
        "tricks": list(state.tricks),
    }
