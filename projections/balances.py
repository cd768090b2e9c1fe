"""The accounts of the ledger, and whether the books balance. Folded from the ledger alone, trusting none of it."""

from collections.abc import Iterable
from typing import Any

from domain.journal.books import ISSUANCE, pot_account
from domain.journal.events import MatchRecorded, Posted


class Balances:
    """Every account that was ever posted to. An accumulator: :meth:`apply` is its fold."""

    def __init__(self, events: Iterable[Any] = ()) -> None:
        """Fold the ledger's events so far."""
        self.position = 0  # of the last event folded, for whoever stores the view
        self.accounts: dict[str, int] = {}  # balance in minor units, by account
        self.postings = 0
        self._faults: list[str] = []
        self._keys: set[str] = set()
        self._over: set[str] = set()  # matches
        for event in events:
            self.apply(event)

    def apply(self, event: Any, position: int = 0) -> None:
        """Fold one event; ``position`` is its place in the scoring log."""
        self.position = max(self.position, position)
        if isinstance(event, MatchRecorded):
            self._over.add(event.match)
        if not isinstance(event, Posted):
            return
        if event.key in self._keys:
            self._faults.append(f"the key {event.key} is used twice")
        self._keys.add(event.key)
        if sum(posting.amount for posting in event.postings):
            self._faults.append(f"the entry {event.key} does not sum to zero")
        for posting in event.postings:
            self.accounts[posting.account] = self.accounts.get(posting.account, 0) + posting.amount
            self.postings += 1
        for account in {posting.account for posting in event.postings}:
            if self.accounts[account] < 0 and account != ISSUANCE:
                self._faults.append(f"the entry {event.key} takes {account} below zero")

    def findings(self) -> list[str]:
        """Return what is wrong with the books: one line each, none expected."""
        pots = [(pot_account(match), match) for match in sorted(self._over)]
        full = [
            f"the match {match} is over and its pot holds {self.accounts[pot]}"
            for pot, match in pots
            if self.accounts.get(pot)
        ]
        total = sum(self.accounts.values())
        return [*self._faults, *full, *([f"all accounts together hold {total}"] if total else [])]

    @property
    def balanced(self) -> bool:
        """Say whether every entry sums to zero, no balance is below it and every pot that has ended is at it."""
        return not self.findings()

    def summary(self) -> dict[str, bool | int]:
        """Return ``{"balanced", "accounts", "postings"}``: whether the books balance, and how much is in them."""
        return {"balanced": self.balanced, "accounts": len(self.accounts), "postings": self.postings}
