"""The settlement of a match derived again from its table's log alone, and what differs from the ledger (R-45)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from domain.game import AnyGame, Seat
from domain.games import find as find_game
from domain.journal.books import HOUSE, player_account, player_of
from domain.journal.events import MatchRecorded, MatchStarted, Posted
from domain.stakes import Shares, shares
from domain.table.events import MatchEnded, MatchOpened, MatchVoided
from domain.table.match import Cause, Match, Recorded, begin, evolve
from events.envelope import Header

Find = Callable[[str, int], AnyGame]


class Settlement(msgspec.Struct, frozen=True):
    """How a match is to be settled; tuples are by seat, amounts in minor units.

    While it runs, ``over`` is false and nothing is paid. A voided match has no places, and pays every stake back.
    """

    over: bool
    voided: bool
    players: tuple[str, ...]
    stakes: tuple[int, ...]
    pot: int
    rake: int
    payouts: tuple[int, ...]
    places: tuple[int, ...]


class Difference(msgspec.Struct, frozen=True):
    """One thing in which a table's log and the ledger disagree."""

    match: str
    what: str


def recorded(header: Header, event: Any) -> Recorded:
    """Return an event read from a table's log, with what its envelope says of it."""
    cause = Cause(header.cause)
    return Recorded(event, header.at, header.actor, cause, header.command, header.deadline, header.state)


def refold(events: Sequence[Recorded], find: Find = find_game) -> Match:
    """Fold a match's whole log; raises whatever a damaged log breaks."""
    opened = events[0].event
    assert isinstance(opened, MatchOpened), "a match's log begins with its opening"
    match = begin(find(opened.game, opened.rules_version), opened, events[0].at)
    for event in events[1:]:
        match = evolve(match, event)
    return match


def rederive(events: Sequence[Recorded], find: Find = find_game) -> Settlement:
    """Return the settlement that a match's log leads to by the rules, whatever its closing event claims."""
    return _settlement(refold(events, find))


def _settlement(match: Match) -> Settlement:
    opened = match.opened
    players = tuple(seat.player for seat in opened.seats)
    stakes = tuple(opened.stake if seat.staker else 0 for seat in opened.seats)
    nothing = (0,) * len(players)
    pot = sum(stakes)
    if match.ended is None:
        return Settlement(False, False, players, stakes, pot, 0, nothing, ())  # noqa: FBT003 - named in the class
    if isinstance(match.ended, MatchVoided):
        return Settlement(True, True, players, stakes, pot, 0, stakes, ())  # noqa: FBT003 - named in the class
    places, first = _places(match)
    divided = Shares(0, 0, nothing)
    if pot:
        divided = shares(
            stake=opened.stake,
            stakers=[stake > 0 for stake in stakes],
            places=places,
            teams=match.teams,
            first=first,
            rake_bps=opened.rake_bps,
        )
    return Settlement(True, False, players, stakes, pot, divided.rake, divided.payouts, places)  # noqa: FBT003


def _places(match: Match) -> tuple[tuple[int, ...], Seat]:
    """Return the places by seat and the seat that odd units go round from: the game's, or those of a forfeit."""
    if match.opened.stake and len(match.seats) == 2:
        for seat, held in enumerate(match.seats):
            if held.left and held.staker:  # TBL-15
                return tuple(2 if other == seat else 1 for other in range(2)), Seat(0)
    result = match.result
    assert result is not None, "a match that has ended has a result"
    return result.places, result.first


def differences(
    tables: Mapping[str, Sequence[Recorded]],
    ledger: Iterable[Any],
    *,
    whole: bool = True,
    find: Find = find_game,
) -> tuple[Difference, ...]:
    """Compare matches' logs, by match id, with the ledger's events; return every difference.

    ``whole`` says that these are all matches there are, so that one which only the ledger knows is a difference too.
    """
    kept = _Kept(ledger)
    found: list[Difference] = []
    for match, events in tables.items():
        try:
            folded = refold(events, find)
            expected = _settlement(folded)
        except Exception as fault:  # noqa: BLE001 - whatever a damaged log breaks is a finding
            found.append(Difference(match, f"the log cannot be folded again: {type(fault).__name__}"))
            continue
        lines = [*_against_claim(folded, expected), *_against_ledger(match, expected, kept)]
        found.extend(Difference(match, what) for what in lines)
    if whole:
        found.extend(Difference(match, "no table has a log of it") for match in sorted(kept.matches - tables.keys()))
    return tuple(found)


class _Kept:
    """What the ledger holds of each match."""

    def __init__(self, ledger: Iterable[Any]) -> None:
        self.records: dict[str, MatchRecorded] = {}
        self.matches: set[str] = set()
        self.moved: dict[str, dict[str, int]] = {}  # by match, then account: the sum of its postings
        for event in ledger:
            if isinstance(event, MatchRecorded):
                self.records[event.match] = event
            if isinstance(event, MatchRecorded | MatchStarted):
                self.matches.add(event.match)
            if isinstance(event, Posted) and event.match:
                moved = self.moved.setdefault(event.match, {})
                for posting in event.postings:
                    moved[posting.account] = moved.get(posting.account, 0) + posting.amount


def _against_claim(match: Match, expected: Settlement) -> Iterable[str]:
    """Compare with what the table itself wrote when the match ended."""
    if isinstance(match.ended, MatchEnded):
        for name in ("players", "places", "pot", "rake", "payouts"):
            yield from _differs("the table", name, getattr(match.ended, name), getattr(expected, name))


def _against_ledger(match: str, expected: Settlement, kept: _Kept) -> Iterable[str]:
    """Compare with the result and the movements in the ledger."""
    record = kept.records.get(match)
    if expected.over and record is None:
        yield "the ledger has no record of its end"
    if record is not None:
        names = ("players", "places", "pot", "rake", "payouts") if expected.over else ()
        for name in names:
            yield from _differs("the ledger", name, getattr(record, name), getattr(expected, name))
        if not expected.over:
            yield "the ledger has it ended, and its log has not"
    moved = kept.moved.get(match, {})
    due = {player_account(player): 0 for player in expected.players} | {HOUSE: expected.rake}
    for player, paid, stake in zip(expected.players, expected.payouts, expected.stakes, strict=True):
        due[player_account(player)] += paid - stake
    accounts = due.keys() | {account for account in moved if player_of(account) is not None}
    for account in sorted(accounts):
        yield from _differs("the ledger", f"movement of {account}", moved.get(account, 0), due.get(account, 0))
    if expected.over:
        left = {account: amount for account, amount in moved.items() if player_of(account) is None and amount}
        yield from (f"{account} is left with {amount}" for account, amount in sorted(left.items()) if account != HOUSE)


def _differs(whose: str, name: str, has: object, expected: object) -> Iterable[str]:
    if has != expected:
        yield f"{whose} has {name} {_shown(has)}, and the log leads to {_shown(expected)}"


def _shown(value: object) -> str:
    return "/".join(str(part) for part in value) if isinstance(value, tuple) else str(value)
