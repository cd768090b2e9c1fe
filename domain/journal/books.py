"""The books: every account's balance and every key that was ever used, and the rules of posting.

:class:`Books` is an accumulator that its owner alone holds: one ledger has too many accounts to copy them at every
entry. :meth:`Books.apply` is its fold; everything else only reads.
"""

import hashlib
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

from domain.game import CommandRejected
from domain.journal.events import LedgerEvent, Posted, Posting, What

HOUSE: Final = "house"
ISSUANCE: Final = "issuance"  # where money comes from and goes to: minus all that is in circulation
ISSUED_MAX: Final = 2**53 - 1  # so that no balance is ever beyond what every reader of JSON keeps

_ENDS_STAKES: Final = (What.RELEASE, What.UNFUNDED, What.SETTLEMENT, What.REFUND)


class Refusal(StrEnum):
    """Why the journal refuses a movement."""

    KEY_CONFLICT = "KEY_CONFLICT"
    INSUFFICIENT_FUNDS = "INSUFFICIENT_FUNDS"
    DUPLICATE_PLAYER = "DUPLICATE_PLAYER"
    STAKES_RELEASED = "STAKES_RELEASED"
    MATCH_STARTED = "MATCH_STARTED"
    TOO_MUCH_MONEY = "TOO_MUCH_MONEY"


class Refused(CommandRejected):
    """A movement that the journal refuses; ``players`` are those whose balance is too low. Nothing has changed."""

    def __init__(self, reason: Refusal, players: tuple[str, ...] = ()) -> None:
        """Keep the refusal code and the players it concerns."""
        super().__init__(reason)
        self.players = players


def player_account(player: str) -> str:
    """Return the account of what a player may use."""
    return f"player:{player}"


def held_account(match: str, player: str) -> str:
    """Return the account of a stake that is held for a match not yet opened."""
    return f"held:{match}:{player}"


def pot_account(match: str) -> str:
    """Return the account of a running match's pot."""
    return f"pot:{match}"


def player_of(account: str) -> str | None:
    """Return whose account of usable money this is, or None if it is of another sort."""
    sort, _, player = account.partition(":")
    return player if sort == "player" else None


def content_of(*terms: str | int) -> str:
    """Return the hash of what a money command asks for."""
    return hashlib.sha256(msgspec.json.encode(terms)).hexdigest()


class Books:
    """The balances of a ledger and the keys used in it."""

    __slots__ = ("_at_stake", "_balances", "_contents", "_stakes")

    def __init__(self, events: Iterable[LedgerEvent] = ()) -> None:
        """Fold the ledger's events so far."""
        self._balances: dict[str, int] = {}  # accounts that are not at zero
        self._contents: dict[str, str] = {}  # by key, for ever
        self._stakes: dict[str, dict[str, int]] = {}  # by match, then player: put in and not yet given back or paid out
        self._at_stake: dict[str, int] = {}  # the same, by player
        for event in events:
            if isinstance(event, Posted):
                self.apply(event)

    def balance(self, account: str) -> int:
        """Return what is in an account, in minor units; 0 for one that was never used."""
        return self._balances.get(account, 0)

    def balances(self) -> dict[str, int]:
        """Return every account that is not at zero."""
        return dict(self._balances)

    def at_stake(self, player: str) -> int:
        """Return what a player has in matches that are not over: held, or in a pot."""
        return self._at_stake.get(player, 0)

    def stakes(self, match: str) -> dict[str, int]:
        """Return each player's stake in a match that is not over; none if nothing is held for it."""
        return dict(self._stakes.get(match, {}))

    def used(self, key: str) -> bool:
        """Say whether a key was ever used."""
        return key in self._contents

    def repeats(self, key: str, content: str) -> bool:
        """Say whether an entry is in the books already; raise :class:`Refused` if the key stands for another (R-37)."""
        kept = self._contents.get(key)
        if kept is not None and kept != content:
            raise Refused(Refusal.KEY_CONFLICT)
        return kept is not None

    def overdrawn(self, postings: Iterable[Posting]) -> tuple[str, ...]:
        """Return the accounts that these postings would take below zero (R-39); issuance alone may be there."""
        after: dict[str, int] = {}
        for posting in postings:
            after[posting.account] = after.get(posting.account, self.balance(posting.account)) + posting.amount
        return tuple(account for account, amount in after.items() if amount < 0 and account != ISSUANCE)

    def apply(self, posted: Posted) -> None:
        """Fold one entry. Asserts that it is lawful, and never refuses."""
        assert sum(posting.amount for posting in posted.postings) == 0, "an entry sums to zero"
        assert posted.key not in self._contents, "a key is used once"
        assert not self.overdrawn(posted.postings), "no balance is below zero"
        self._contents[posted.key] = posted.content
        for posting in posted.postings:
            balance = self.balance(posting.account) + posting.amount
            if balance:
                self._balances[posting.account] = balance
            else:
                self._balances.pop(posting.account, None)
        if posted.what == What.HOLD:
            self._put_in(posted)
        elif posted.what in _ENDS_STAKES or (posted.what == What.CORRECTION and self._nothing_left(posted.match)):
            self._take_out(posted.match)

    def _nothing_left(self, match: str) -> bool:
        """Say whether neither the pot of a match nor anything held for it is left."""
        accounts = [pot_account(match), *(held_account(match, player) for player in self._stakes.get(match, {}))]
        return not any(self.balance(account) for account in accounts)

    def _put_in(self, posted: Posted) -> None:
        stakes = {player: -one.amount for one in posted.postings if (player := player_of(one.account)) is not None}
        self._stakes[posted.match] = stakes
        for player, amount in stakes.items():
            self._at_stake[player] = self.at_stake(player) + amount

    def _take_out(self, match: str) -> None:
        for player, amount in self._stakes.pop(match, {}).items():
            left = self.at_stake(player) - amount
            if left:
                self._at_stake[player] = left
            else:
                del self._at_stake[player]


def post(books: Books, entry: Posted) -> Posted | None:
    """Return the entry if the books may take it, None if they have it already; raise :class:`Refused` otherwise."""
    if books.repeats(entry.key, entry.content):
        return None
    short = books.overdrawn(entry.postings)
    if short:
        players = tuple(player for account in short if (player := player_of(account)) is not None)
        raise Refused(Refusal.INSUFFICIENT_FUNDS, players)
    return entry
