"""The count of a hand (BSR-42 to BSR-48) and the end of a match (BSR-49 to BSR-52)."""

from typing import Final

from domain.cards import CARDS, CardSet, card_set
from domain.game import Result, Seat, shared_places
from domain.games.basra.events import Event, HandScored, LeftoversTaken, MatchEnded, SideScore
from domain.games.basra.rules import Rules
from domain.games.basra.state import Phase, State, evolve, names

MAJORITY_CARDS: Final = 27
MAJORITY_POINTS: Final = 30
BASRA_POINTS: Final = 10

_TEN_OF_DIAMONDS: Final = card_set([CARDS["TD"]])
_TWO_OF_CLUBS: Final = card_set([CARDS["2C"]])
_ACES: Final = card_set(card for code, card in CARDS.items() if code[0] == "A")
_JACKS: Final = card_set(card for code, card in CARDS.items() if code[0] == "J")


def hand_over(state: State) -> tuple[Event, ...]:
    """Return what follows the last throw of a hand: leftovers, the count, and perhaps the end of the match."""
    events: list[Event] = []
    if state.floor:
        assert state.last_capturer >= 0  # BSR-40
        leftovers = LeftoversTaken(seat=state.last_capturer, cards=names(state.floor))
        state = evolve(state, leftovers)
        events.append(leftovers)
    scored = score_hand(state)
    events.append(scored)
    if is_over(state.rules, scored.totals):
        events.append(MatchEnded(places=shared_places(state.rules.by_seat(scored.totals))))
    return tuple(events)


def score_hand(state: State) -> HandScored:
    """Count both sides' piles; 26 to 26 carries the majority over (BSR-47)."""
    majority = MAJORITY_POINTS + state.carry
    counts = tuple(pile.bit_count() for pile in state.piles)
    scores = tuple(
        side_score(
            pile,
            majority=majority if count >= MAJORITY_CARDS else 0,
            basras=_of_side(state.basra, side),
            jack_bonus=_of_side(state.jack_bonus, side),
        )
        for side, (pile, count) in enumerate(zip(state.piles, counts, strict=True))
    )
    totals = tuple(total + score.points for total, score in zip(state.totals, scores, strict=True))
    return HandScored(scores=scores, totals=totals, carry=majority if max(counts) < MAJORITY_CARDS else 0)


def side_score(pile: CardSet, *, majority: int, basras: int, jack_bonus: int) -> SideScore:
    """Count one pile; ``majority`` and ``jack_bonus`` in points."""
    ten = 3 * (pile & _TEN_OF_DIAMONDS).bit_count()
    two = 2 * (pile & _TWO_OF_CLUBS).bit_count()
    aces = (pile & _ACES).bit_count()
    jacks = (pile & _JACKS).bit_count()
    return SideScore(
        cards=pile.bit_count(),
        majority=majority,
        ten_of_diamonds=ten,
        two_of_clubs=two,
        aces=aces,
        jacks=jacks,
        basra=BASRA_POINTS * basras,
        jack_on_jack=jack_bonus,
        points=majority + ten + two + aces + jacks + BASRA_POINTS * basras + jack_bonus,
    )


def _of_side(values: tuple[int, ...], side: int) -> int:
    return sum(values[side::2])


def is_over(rules: Rules, totals: tuple[int, ...]) -> bool:
    """Say whether a match ends at these totals by side, a hand having just been counted (BSR-49 to BSR-52)."""
    if rules.single_hand:
        return True
    return max(totals) >= rules.target and totals[0] != totals[1]


def outcome(rules: Rules, totals: tuple[int, ...], first: Seat) -> Result:
    """Return a result from totals by side. Where four play, a seat's total is its team's: they share a pile."""
    by_seat = rules.by_seat(totals)
    return Result(
        totals=by_seat,
        team_totals=totals if rules.players == 4 else None,
        places=shared_places(by_seat),
        first=first,
    )


def result(state: State) -> Result | None:
    """Return how the match ended, or None; ``first`` is the one who opened its first hand."""
    if state.phase is not Phase.MATCH_END:
        return None
    first = Seat((state.dealer - state.number + 2) % state.rules.players)
    return outcome(state.rules, state.totals, first)
