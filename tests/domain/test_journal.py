"""The rules of the journal (R-35 to R-41)."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.journal import entries
from domain.journal.books import (
    HOUSE,
    ISSUANCE,
    ISSUED_MAX,
    Books,
    Refusal,
    Refused,
    held_account,
    player_account,
    player_of,
    pot_account,
)
from domain.journal.events import Posted, Posting, What

Move = Callable[[Books], Posted | None]


def booked(*moves: Move) -> Books:
    """Return the books after these movements, each of which must be a new one."""
    books = Books()
    for move in moves:
        entry = move(books)
        assert entry is not None
        books.apply(entry)
    return books


def deposit(player: str, amount: int) -> Move:
    return lambda books: entries.deposit(books, f"d-{player}-{amount}", player, amount)


def hold(*players: str, stake: int = 100) -> Move:
    return lambda books: entries.hold(books, "m", stake, players)


def pot(*players: str, stake: int = 100) -> Move:
    return lambda books: entries.open_pot(books, "m", stake, players)


FUNDED = (deposit("ana", 150), deposit("bo", 150))
HELD = (*FUNDED, hold("ana", "bo"))
IN_POT = (*HELD, pot("ana", "bo"))


def refusal(move: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as refused:
        move()
    return refused.value


def test_a_deposit_comes_from_issuance() -> None:
    books = booked(deposit("ana", 500))
    assert books.balances() == {player_account("ana"): 500, ISSUANCE: -500}


def test_a_withdrawal_goes_back_to_issuance() -> None:
    books = booked(deposit("ana", 500), lambda books: entries.withdraw(books, "w", "ana", 500))
    assert books.balances() == {}


def test_nobody_withdraws_more_than_he_has() -> None:
    books = booked(deposit("ana", 500))
    refused = refusal(lambda: entries.withdraw(books, "w", "ana", 501))
    assert (refused.reason, refused.players) == (Refusal.INSUFFICIENT_FUNDS, ("ana",))


def test_the_same_key_and_content_is_in_the_books_already() -> None:
    books = booked(deposit("ana", 500))
    assert deposit("ana", 500)(books) is None


@pytest.mark.parametrize(
    "other",
    [
        lambda books: entries.deposit(books, "d-ana-500", "ana", 501),
        lambda books: entries.deposit(books, "d-ana-500", "bo", 500),
        lambda books: entries.withdraw(books, "d-ana-500", "ana", 500),
    ],
)
def test_the_same_key_for_something_else_is_a_conflict(other: Move) -> None:
    books = booked(deposit("ana", 500))
    assert refusal(lambda: other(books)).reason == Refusal.KEY_CONFLICT


def test_a_refused_key_is_not_used_up() -> None:
    books = booked(deposit("ana", 500))
    refusal(lambda: entries.withdraw(books, "w", "ana", 600))
    books.apply(entries.deposit(books, "more", "ana", 100) or pytest.fail("a new entry"))
    assert entries.withdraw(books, "w", "ana", 600) is not None


def test_all_stakes_are_held_or_none() -> None:
    books = booked(deposit("ana", 100), deposit("bo", 99), deposit("cy", 50))
    before = books.balances()
    refused = refusal(lambda: entries.hold(books, "m", 100, ("ana", "bo", "cy", "di")))
    assert (refused.reason, refused.players) == (Refusal.INSUFFICIENT_FUNDS, ("bo", "cy", "di"))
    assert books.balances() == before


def test_a_hold_moves_each_stake_to_an_account_of_its_own() -> None:
    books = booked(*HELD)
    assert books.balance(player_account("ana")) == 50
    assert books.balance(held_account("m", "ana")) == 100
    assert (books.stakes("m"), books.at_stake("bo")) == ({"ana": 100, "bo": 100}, 100)


def test_the_order_of_players_does_not_make_another_hold() -> None:
    assert hold("bo", "ana")(booked(*HELD)) is None


def test_a_player_has_one_stake_in_a_match() -> None:
    refused = refusal(lambda: hold("ana", "bo", "ana")(booked(*FUNDED)))
    assert (refused.reason, refused.players) == (Refusal.DUPLICATE_PLAYER, ("ana",))


def test_nothing_to_hold_is_no_entry() -> None:
    assert hold("ana", stake=0)(booked(*FUNDED)) is None
    assert hold()(booked(*FUNDED)) is None


def test_a_release_gives_the_stakes_back_once() -> None:
    books = booked(*HELD, lambda books: entries.release(books, "m"))
    assert books.balances() == booked(*FUNDED).balances()
    assert books.at_stake("ana") == 0
    assert entries.release(books, "m") is None


def test_a_release_that_overtakes_its_hold_bars_it() -> None:
    books = booked(*FUNDED, lambda books: entries.release(books, "m"))
    assert refusal(lambda: hold("ana", "bo")(books)).reason == Refusal.STAKES_RELEASED


def test_stakes_in_a_pot_are_not_released() -> None:
    books = booked(*IN_POT)
    assert refusal(lambda: entries.release(books, "m")).reason == Refusal.MATCH_STARTED


def test_a_match_that_opened_without_stakes_takes_none_later() -> None:
    books = booked(*FUNDED, pot("ana", "bo"))
    assert books.balance(pot_account("m")) == 0
    assert refusal(lambda: hold("ana", "bo")(books)).reason == Refusal.MATCH_STARTED


def test_a_pot_takes_what_is_held() -> None:
    books = booked(*IN_POT)
    assert books.balance(pot_account("m")) == 200
    assert books.balance(held_account("m", "ana")) == 0
    assert books.at_stake("ana") == 100


@pytest.mark.parametrize("opening", [pot("ana"), pot("ana", "bo", "cy"), pot("ana", "bo", stake=99)])
def test_stakes_other_than_those_held_make_no_pot_and_go_back(opening: Move) -> None:
    books = booked(*HELD)
    entry = opening(books)
    assert entry is not None
    assert entry.what == What.UNFUNDED
    books.apply(entry)
    assert books.balances() == booked(*FUNDED).balances()


def test_a_settlement_takes_the_pot_to_zero() -> None:
    books = booked(*IN_POT)
    assert entries.can_settle(books, "m", 200, (150, 40), 10)
    books.apply(entries.settle(books, "m", ("ana", "bo"), (150, 40), 10) or pytest.fail("a new entry"))
    assert books.balances() == {
        player_account("ana"): 200,
        player_account("bo"): 90,
        HOUSE: 10,
        ISSUANCE: -300,
    }
    assert books.at_stake("ana") == 0


@pytest.mark.parametrize(("pot_", "payouts", "rake"), [(200, (150, 40), 9), (190, (150, 40), 0), (200, (201, 0), -1)])
def test_only_shares_that_are_the_pot_can_be_settled(pot_: int, payouts: tuple[int, ...], rake: int) -> None:
    assert not entries.can_settle(booked(*IN_POT), "m", pot_, payouts, rake)


def test_a_pot_is_paid_once_and_not_given_back_after() -> None:
    books = booked(*IN_POT, lambda books: entries.settle(books, "m", ("ana", "bo"), (200, 0), 0))
    assert entries.settle(books, "m", ("ana", "bo"), (200, 0), 0) is None
    assert refusal(lambda: entries.settle(books, "m", ("ana", "bo"), (0, 200), 0)).reason == Refusal.KEY_CONFLICT
    assert refusal(lambda: entries.refund(books, "m")).reason == Refusal.KEY_CONFLICT


def test_a_refund_gives_every_stake_back() -> None:
    books = booked(*IN_POT, lambda books: entries.refund(books, "m"))
    assert books.balances() == booked(*FUNDED).balances()
    assert books.stakes("m") == {}


def test_a_correction_is_a_new_entry() -> None:
    mend = {pot_account("m"): -200, player_account("ana"): 200}
    books = booked(*IN_POT, lambda books: entries.correct(books, "case-1", mend, "m"))
    assert books.balance(player_account("ana")) == 250
    assert (books.stakes("m"), books.at_stake("bo")) == ({}, 0)
    assert entries.correct(books, "case-1", mend, "m") is None


def test_a_correction_of_something_else_leaves_stakes_held() -> None:
    mend = {player_account("ana"): -50, player_account("bo"): 50}
    books = booked(*HELD, lambda books: entries.correct(books, "case-1", mend, "m"))
    assert books.stakes("m") == {"ana": 100, "bo": 100}


def test_no_more_money_is_issued_than_can_be_counted() -> None:
    books = booked(deposit("ana", ISSUED_MAX - 1))
    assert refusal(lambda: entries.deposit(books, "d", "bo", 2)).reason == Refusal.TOO_MUCH_MONEY
    assert entries.deposit(books, "d", "bo", 1) is not None


def test_a_thousand_holds_on_one_account_never_take_it_below_zero() -> None:
    books = booked(deposit("ana", 1000))
    refusals: list[str] = []
    for match in range(1000):
        try:
            entry = entries.hold(books, f"m{match}", 7, ("ana",))
        except Refused as refused:
            refusals.append(refused.reason)
            continue
        assert entry is not None
        books.apply(entry)
        assert books.balance(player_account("ana")) >= 0
    assert refusals == [Refusal.INSUFFICIENT_FUNDS] * (1000 - 1000 // 7)
    assert books.balance(player_account("ana")) == 1000 % 7


@pytest.mark.parametrize(
    "unlawful",
    [
        Posted("k", "deposit", (Posting("player:ana", 1),), "c"),
        Posted("k", "deposit", (Posting("player:ana", -1), Posting("issuance", 1)), "c"),
        Posted("cash:d-ana-150", "deposit", (), "c"),
    ],
    ids=["does not sum to zero", "below zero", "key used before"],
)
def test_the_fold_asserts_that_an_entry_is_lawful(unlawful: Posted) -> None:
    books = booked(deposit("ana", 150), lambda books: entries.withdraw(books, "w", "ana", 150))
    with pytest.raises(AssertionError):
        books.apply(unlawful)


def test_only_accounts_of_players_have_a_player() -> None:
    accounts = (player_account("ana"), held_account("m", "ana"), pot_account("m"), HOUSE, ISSUANCE)
    assert [player_of(account) for account in accounts] == ["ana", None, None, None, None]


PLAYERS = st.sampled_from(("ana", "bo", "cy"))
MATCHES = st.sampled_from(("m1", "m2"))
KEYS = st.sampled_from(("k1", "k2", "k3", "k4", "k5"))
AMOUNTS = st.integers(0, 200)


def _settled(books: Books, match: str, share: int) -> Posted | None:
    players = tuple(sorted(books.stakes(match)))
    pot_ = books.balance(pot_account(match))
    if not pot_:
        return None
    rake = min(share, pot_)
    payouts = (pot_ - rake, *(0 for _ in players[1:]))
    assert entries.can_settle(books, match, pot_, payouts, rake)
    return entries.settle(books, match, players, payouts, rake)


MOVES = st.one_of(
    st.builds(lambda k, p, a: lambda books: entries.deposit(books, k, p, a), KEYS, PLAYERS, AMOUNTS),
    st.builds(lambda k, p, a: lambda books: entries.withdraw(books, k, p, a), KEYS, PLAYERS, AMOUNTS),
    st.builds(lambda m, a, p: lambda books: entries.hold(books, m, a, p), MATCHES, AMOUNTS, st.lists(PLAYERS)),
    st.builds(lambda m: lambda books: entries.release(books, m), MATCHES),
    st.builds(lambda m: lambda books: _opened(books, m), MATCHES),
    st.builds(lambda m, a: lambda books: _settled(books, m, a), MATCHES, AMOUNTS),
    st.builds(lambda m: lambda books: entries.refund(books, m) if books.balance(pot_account(m)) else None, MATCHES),
)


def _opened(books: Books, match: str) -> Posted | None:
    stakes = books.stakes(match)
    return entries.open_pot(books, match, max(stakes.values(), default=5), tuple(stakes))


@given(st.lists(MOVES, max_size=60))
def test_books_always_balance(moves: list[Move]) -> None:
    books = Books()
    written: list[Posted] = []
    for move in moves:
        before = books.balances()
        try:
            entry = move(books)
        except Refused:
            assert books.balances() == before
            continue
        if entry is not None:
            books.apply(entry)
            written.append(entry)
        balances = books.balances()
        assert sum(balances.values()) == 0
        assert all(amount > 0 for account, amount in balances.items() if account != ISSUANCE)
        for player in ("ana", "bo", "cy"):
            stakes = (books.stakes(match).get(player, 0) for match in ("m1", "m2"))
            assert books.at_stake(player) == sum(stakes)
    assert Books(written).balances() == books.balances()
    assert len({entry.key for entry in written}) == len(written)
