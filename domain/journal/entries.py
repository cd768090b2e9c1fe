"""The movements of money there are. Each returns the entry to write, or None if it is in the books already.

A match has at most four: its stakes are held, then released or moved into its pot, then the pot is paid out or given
back. Each has a key of its own made from the match's id, so none happens twice.
"""

from collections.abc import Sequence

from domain.journal.books import (
    HOUSE,
    ISSUANCE,
    ISSUED_MAX,
    Books,
    Refusal,
    Refused,
    content_of,
    held_account,
    player_account,
    post,
    pot_account,
)
from domain.journal.events import Posted, Posting, What


def deposit(books: Books, key: str, player: str, amount: int) -> Posted | None:
    """Put money into a player's account; refused when more would be in circulation than can be counted safely."""
    key, content = f"cash:{key}", content_of(What.DEPOSIT, player, amount)
    if not books.repeats(key, content) and amount - books.balance(ISSUANCE) > ISSUED_MAX:
        raise Refused(Refusal.TOO_MUCH_MONEY)
    return post(books, Posted(key, What.DEPOSIT, _move({ISSUANCE: -amount, player_account(player): amount}), content))


def withdraw(books: Books, key: str, player: str, amount: int) -> Posted | None:
    """Take money out of a player's account."""
    content = content_of(What.WITHDRAWAL, player, amount)
    postings = _move({player_account(player): -amount, ISSUANCE: amount})
    return post(books, Posted(f"cash:{key}", What.WITHDRAWAL, postings, content))


def hold(books: Books, match: str, stake: int, players: Sequence[str]) -> Posted | None:
    """Hold the stakes of a match, all or none (TBL-19).

    Nothing to hold is no entry. A release that overtook its hold wins: the hold is refused.
    """
    key, content = f"hold:{match}", content_of(What.HOLD, match, stake, *sorted(players))
    if books.repeats(key, content) or not stake or not players:
        return None
    if len(set(players)) != len(players):
        raise Refused(Refusal.DUPLICATE_PLAYER, tuple(sorted({one for one in players if players.count(one) > 1})))
    if books.used(f"release:{match}"):
        raise Refused(Refusal.STAKES_RELEASED)
    if books.used(f"pot:{match}"):
        raise Refused(Refusal.MATCH_STARTED)
    movement = {player_account(player): -stake for player in players}
    movement |= {held_account(match, player): stake for player in players}
    return post(books, Posted(key, What.HOLD, _move(movement), content, match))


def release(books: Books, match: str) -> Posted | None:
    """Give held stakes back: the match did not open. With nothing held, the entry is empty and bars a later hold."""
    key, content = f"release:{match}", content_of(What.RELEASE, match)
    if not books.repeats(key, content) and books.used(f"pot:{match}"):
        raise Refused(Refusal.MATCH_STARTED)
    return post(books, Posted(key, What.RELEASE, _given_back(books, match), content, match))


def open_pot(books: Books, match: str, stake: int, stakers: Sequence[str]) -> Posted | None:
    """Move the held stakes into the pot of a match that has opened.

    Should they not be those that the match was opened with, it has no pot, and whatever is held goes back.
    """
    key, content = f"pot:{match}", content_of(What.POT, match, stake, *sorted(stakers))
    if books.repeats(key, content):
        return None
    stakes = books.stakes(match)
    if stakes != dict.fromkeys(stakers, stake):
        return post(books, Posted(key, What.UNFUNDED, _given_back(books, match), content, match))
    movement = {held_account(match, player): -amount for player, amount in stakes.items()}
    movement[pot_account(match)] = sum(stakes.values())
    return post(books, Posted(key, What.POT, _move(movement), content, match))


def can_settle(books: Books, match: str, pot: int, payouts: Sequence[int], rake: int) -> bool:
    """Say whether the shares of the stakers and the commission are exactly the pot in the books (R-40, R-41)."""
    return books.balance(pot_account(match)) == pot == sum(payouts) + rake and min((rake, *payouts)) >= 0


def settle(books: Books, match: str, players: Sequence[str], payouts: Sequence[int], rake: int) -> Posted | None:
    """Pay the pot of a finished match out, to the last unit; :func:`can_settle` must hold, and the pot not be empty."""
    content = content_of(What.SETTLEMENT, match, rake, *players, *payouts)
    movement = {pot_account(match): -sum(payouts) - rake, HOUSE: rake}
    for player, paid in zip(players, payouts, strict=True):
        account = player_account(player)
        movement[account] = movement.get(account, 0) + paid
    return post(books, Posted(f"end:{match}", What.SETTLEMENT, _move(movement), content, match))


def refund(books: Books, match: str) -> Posted | None:
    """Give every stake in the pot back: the match was called off (TBL-24). The pot must not be empty."""
    stakes = books.stakes(match)
    movement = {pot_account(match): -sum(stakes.values())}
    movement |= {player_account(player): amount for player, amount in stakes.items()}
    return post(books, Posted(f"end:{match}", What.REFUND, _move(movement), content_of(What.REFUND, match), match))


def correct(books: Books, key: str, movement: dict[str, int], match: str = "") -> Posted | None:
    """Mend an older entry by a new one (R-36): amounts by account, which sum to zero."""
    terms = [term for account, amount in sorted(movement.items()) for term in (account, amount)]
    content = content_of(What.CORRECTION, match, *terms)
    return post(books, Posted(f"correction:{key}", What.CORRECTION, _move(movement), content, match))


def _given_back(books: Books, match: str) -> tuple[Posting, ...]:
    """Return the postings that take held stakes back to their players."""
    stakes = books.stakes(match)
    movement = {held_account(match, player): -amount for player, amount in stakes.items()}
    return _move(movement | {player_account(player): amount for player, amount in stakes.items()})


def _move(movement: dict[str, int]) -> tuple[Posting, ...]:
    """Return amounts by account as postings, without those of nothing."""
    assert sum(movement.values()) == 0, "an entry sums to zero"
    return tuple(Posting(account, amount) for account, amount in movement.items() if amount)
