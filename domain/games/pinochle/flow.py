"""How a match goes: its start, the system's own steps, whom it waits for, how it ended."""

from typing import Final

from domain.game import Prompt, Randomness, Result, Seat, Settings, next_seat
from domain.games.pinochle.decide import has_called
from domain.games.pinochle.events import Event, HandDealt
from domain.games.pinochle.pack import PACK, SEATS
from domain.games.pinochle.rules import BREAK_SECONDS, rules_of
from domain.games.pinochle.scoring import TEAMS
from domain.games.pinochle.state import NOBODY, Phase, State

_TURNS: Final[dict[Phase, tuple[str, tuple[str, ...]]]] = {
    Phase.BIDDING: ("bid", ("bid", "pass_bid")),
    Phase.TRUMP: ("trump", ("name_trump",)),
    Phase.PASS_PARTNER: ("pass", ("give",)),
    Phase.PASS_DECLARER: ("pass", ("give",)),
    Phase.PASS_BOTH: ("pass", ("give",)),
    Phase.CONCEDE: ("concede", ("concede", "play_on")),
    Phase.PLAY: ("turn", ("play",)),
}


def seats(_settings: Settings) -> int:
    """Return the number of seats (PIN-1)."""
    return SEATS


def teams(_settings: Settings) -> tuple[int, ...]:
    """Return the team by seat: facing seats are partners (PIN-2)."""
    return TEAMS


def start(settings: Settings) -> State:
    """Return a match before its first deal."""
    return State(rules=rules_of(settings.options))


def proceed(state: State, randomness: Randomness) -> tuple[Event, ...]:
    """Deal: the first dealer is drawn (PIN-8), the deck shuffled and dealt without a cut (PIN-9)."""
    assert prompt(state) is None
    assert state.phase in (Phase.DEAL, Phase.SCORED)
    dealer = Seat(randomness.below(SEATS)) if state.next_dealer == NOBODY else state.next_dealer
    deck = randomness.shuffled(PACK)
    return (HandDealt(state.deals + 1, dealer, deck, randomness.salts(len(deck))),)


def waiting_seats(state: State) -> tuple[Seat, ...]:
    """Return the seats that a window or a simultaneous exchange still waits for."""
    return tuple(Seat(seat) for seat in range(SEATS) if state.waiting >> seat & 1)


def prompt(state: State) -> Prompt | None:
    """Return whom the match waits for; None where the system deals next or the match is over."""
    phase, rules = state.phase, state.rules
    if phase is Phase.MELD:
        return Prompt(
            state.clock, "meld_display", waiting_seats(state), ("ready",), rules.meld_display_seconds, window=True
        )
    if phase is Phase.SCORED and state.waiting:
        return Prompt(state.clock, "hand_break", waiting_seats(state), ("ready",), BREAK_SECONDS, window=True)
    if phase not in _TURNS:
        return None
    kind, commands = _TURNS[phase]
    if phase is Phase.BIDDING and rules.nines_redeal and not has_called(state, state.turn):
        commands = (*commands, "ask_redeal")
    asked = waiting_seats(state) if phase is Phase.PASS_BOTH else (state.turn,)
    return Prompt(state.clock, kind, asked, commands, rules.turn_seconds)


def result_of(champions: int, totals: tuple[int, int], first: Seat) -> Result:
    """Return the result that makes team ``champions`` the winner; ``first`` is eldest of the first hand (TBL-23)."""
    return Result(
        totals=tuple(totals[team] for team in TEAMS),
        team_totals=totals,
        places=tuple(1 if team == champions else 3 for team in TEAMS),
        first=first,
    )


def result(state: State) -> Result | None:
    """Return how the match ended, once it has."""
    if state.phase is not Phase.MATCH_END:
        return None
    return result_of(state.champions, state.totals, next_seat(state.first_dealer))
