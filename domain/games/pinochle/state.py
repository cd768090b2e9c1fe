"""The state of a pinochle match.

Hands are packed counts (:mod:`~domain.games.pinochle.pack`). What a viewer was not shown is a number of backs beside
the cards he knows, so that the events sent to one seat fold like the whole truth. Cards of earlier tricks are not kept
(they lie face down), nor are melds' cards once the display is over.
"""

from enum import StrEnum
from typing import Final

import msgspec

from domain.game import Seat
from domain.games.pinochle.melds import Meld, meld_points
from domain.games.pinochle.pack import (
    NO_HANDS,
    SEATS,
    Hand,
    Kind,
    size,
)
from domain.games.pinochle.rules import Rules
from domain.games.pinochle.scoring import TEAMS, Pair

NOBODY: Final = Seat(-1)
ALL_SEATS: Final = 0b1111
NO_BACKS: Final = (0,) * SEATS
PASS: Final = 0  # in the list of calls, where a bid has its amount


class Phase(StrEnum):
    """Where a match stands (section 5)."""

    DEAL = "deal"  # the system owes a deal
    BIDDING = "bidding"
    TRUMP = "trump"
    PASS_PARTNER = "pass_partner"  # noqa: S105 - passing cards, no password
    PASS_DECLARER = "pass_declarer"  # noqa: S105
    PASS_BOTH = "pass_both"  # noqa: S105
    MELD = "meld"
    CONCEDE = "concede"
    PLAY = "play"
    SCORED = "scored"
    MATCH_END = "match_end"


class Auction(msgspec.Struct, frozen=True, gc=False):
    """The calls of this deal and where they stand."""

    calls: tuple[tuple[Seat, int], ...] = ()  # (seat, amount or PASS)
    passed: int = 0  # mask of seats
    bidder: Seat = NOBODY  # holds the standing bid; the declarer once the auction is over
    bid: int = 0
    forced: bool = False


class Tricks(msgspec.Struct, frozen=True, gc=False):
    """The trick on the table, the last one until the next lead, and what the earlier ones brought."""

    leader: Seat = NOBODY
    cards: tuple[Kind, ...] = ()
    best: Kind = Kind(-1)  # the winning card
    winner: Seat = NOBODY  # who played it
    taken: Pair = (0, 0)  # number of tricks by team
    points: Pair = (0, 0)
    takers: tuple[Seat, ...] = ()  # of each trick of the hand


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A match, as the server or as one viewer knows it."""

    rules: Rules
    phase: Phase = Phase.DEAL
    clock: int = 0  # number of the prompt

    totals: Pair = (0, 0)
    first_dealer: Seat = NOBODY
    next_dealer: Seat = NOBODY
    dealer: Seat = NOBODY
    deals: int = 0
    passed_out: int = 0  # deals in a row
    champions: int = -1  # the winning team

    hands: tuple[Hand, ...] = NO_HANDS  # the cards known
    backs: tuple[int, ...] = NO_BACKS  # the number of others
    turn: Seat = NOBODY
    waiting: int = 0  # mask of the seats a window or a simultaneous exchange waits for
    auction: Auction = Auction()
    trump: int = -1
    given: tuple[Hand, ...] = NO_HANDS  # what each seat passes, as far as known, until the display is over
    received: tuple[Hand, ...] = NO_HANDS
    melds: tuple[tuple[Meld, ...], ...] = ()
    shown: tuple[Hand, ...] = NO_HANDS  # during the display only
    tricks: Tricks = Tricks()
    made: bool | None = None
    deal_points: Pair = (0, 0)

    def meld_of_teams(self) -> Pair:
        """Return the meld points of team A and team B."""
        points = [0, 0]
        for seat, melds in enumerate(self.melds):
            points[TEAMS[seat]] += meld_points(melds)
        return points[0], points[1]

    def held(self, seat: Seat) -> int:
        """Return how many cards a seat holds."""
        return size(self.hands[seat]) + self.backs[seat]

    def dealer_is_forced(self) -> bool:
        """Say whether four passes leave this deal's dealer with the contract (PIN-24, PIN-25)."""
        always = self.rules.all_pass == "dealer_forced"  # noqa: S105 - passing in the auction
        return always or self.passed_out >= self.rules.max_redeals


def partner_of(seat: Seat) -> Seat:
    """Return the facing seat (PIN-2)."""
    return Seat((seat + 2) % SEATS)
