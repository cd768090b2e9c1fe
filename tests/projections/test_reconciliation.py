"""Settlements derived again from tables' logs, and what differs from the ledger (R-45)."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.game import AnyGame, Seat, Settings
from domain.games import GAMES
from domain.games.basra import GAME as BASRA
from domain.journal.books import HOUSE, player_account, pot_account
from domain.journal.events import LedgerEvent, MatchRecorded, Posted, Posting, What
from domain.options import checked
from domain.shuffle import SEED_BYTES, Randomness, SeededRandomness
from domain.table import decide
from domain.table.events import PUBLIC_FACTS, Holder, MatchOpened
from domain.table.match import Match, Recorded
from events.codec import kind_of
from events.envelope import Header
from events.messages import HoldStakes
from projections.balances import Balances
from projections.reconciliation import Difference, differences, recorded, rederive
from projections.settlement import Settlements, totals
from tests.domain.matches import ENDING, choose
from tests.services.scoring.world import NOW, Scoring, Table

MATCH = "07-m"
PLAYERS = ("ana", "bo", "cy", "di")
EVENTS_MAX = 100_000


def play(
    game: AnyGame, variant: str, *, stake: int = 101, bots: int = 0, ends: str = "played", seed: int = 5
) -> list[Recorded]:
    """Return the log of a match that chance plays; it ends ``played``, ``voided`` or ``left``, or ``runs`` on."""
    random = Random(seed)

    def chance(_match: Match) -> Randomness:
        return SeededRandomness(random.randbytes(SEED_BYTES))

    options = dict(checked(game.options, {"players": 2} if ends == "left" else ENDING.get(game.name, {})))
    seats = game.seats(Settings(variant=variant, options=options))
    holders = [Holder(player, staker=stake > 0) for player in PLAYERS[: seats - bots]]
    holders += [Holder(f"bot-{number}", bot=True) for number in range(bots)]
    opening = MatchOpened(
        game=game.name,
        rules_version=game.rules_version,
        variant=variant,
        options=options,
        seats=tuple(holders),
        stake=stake,
        rake_bps=333,
        owner=0,
        pace="max",
        time_scale=1000,
    )
    outcome = decide.open_match(game, opening, NOW, chance)
    log = list(outcome.recorded)
    if ends == "voided":
        log += decide.void(outcome.match, "broken", NOW, chance, "staff").recorded
    if ends == "left":
        log += decide.leave(outcome.match, "bo", NOW, chance).recorded
    while ends == "played" and (match := outcome.match).ended is None:
        assert len(log) < EVENTS_MAX, "the match does not end"
        assert match.prompt is not None
        seat = random.choice(match.prompt.seats)
        outcome = decide.act(match, match.seats[seat].actor, choose(game, match, seat, random), NOW, chance)
        assert not outcome.refused, outcome.refused
        log += outcome.recorded
    return log


def settled(log: list[Recorded], *, facts: int | None = None) -> Scoring:
    """Return a service that held the stakes and was told the match's public facts, or the first of them."""
    scoring, table = Scoring(), Table()
    opening = log[0].event
    assert isinstance(opening, MatchOpened)
    stakers = tuple(seat.player for seat in opening.seats if seat.staker)
    scoring.fund(1000, *(stakers or ("ana",)))
    scoring.do(HoldStakes(MATCH, opening.stake, stakers))
    public = [one for one in log if kind_of(one.event) in PUBLIC_FACTS]
    for one in public[:facts]:
        scoring.do(table.fact(MATCH, one.event, one.at))
    return scoring


GAME = next(iter(GAMES.values()))
LOG = play(GAME, GAME.variants[0])


@pytest.mark.parametrize(("game", "variant"), [(game, variant) for game in GAMES.values() for variant in game.variants])
@pytest.mark.parametrize(("bots", "seed"), [(0, 1), (0, 2), (1, 3), (1, 4)])
def test_a_match_played_out_reconciles(game: AnyGame, variant: str, bots: int, seed: int) -> None:
    seats = game.seats(Settings(variant=variant, options=checked(game.options, {})))
    bots = min(bots, seats - 2)
    log = play(game, variant, bots=bots, seed=seed)
    scoring = settled(log)
    assert differences({MATCH: log}, scoring.ledger()) == ()
    assert Balances(scoring.ledger()).balanced
    sums = totals(Settlements(scoring.ledger()).rows())
    assert (sums.stake, sums.stake) == (101 * (seats - bots), sums.payout + sums.rake)
    assert scoring.core.books.balance(pot_account(MATCH)) == 0


@pytest.mark.parametrize(("ends", "stake"), [("voided", 101), ("voided", 0), ("runs", 101), ("runs", 0), ("played", 0)])
def test_matches_that_end_otherwise_reconcile(ends: str, stake: int) -> None:
    log = play(GAME, GAME.variants[0], stake=stake, ends=ends)
    expected = rederive(log)
    assert (expected.over, expected.voided) == (ends != "runs", ends == "voided")
    scoring = settled(log)
    assert differences({MATCH: log}, scoring.ledger()) == ()
    assert Balances(scoring.ledger()).balanced


def test_a_forfeit_reconciles() -> None:
    log = play(BASRA, BASRA.variants[0], ends="left")
    expected = rederive(log, lambda _name, _version: BASRA)
    assert (expected.places, expected.pot, expected.rake, expected.payouts) == ((1, 2), 202, 6, (196, 0))
    assert differences({MATCH: log}, settled(log).ledger(), find=lambda _name, _version: BASRA) == ()


def test_what_the_envelope_says_is_enough_to_fold_again() -> None:
    log = [
        recorded(
            Header(
                stream=MATCH,
                version=version,
                at=one.at,
                kind=kind_of(one.event),
                actor=one.actor,
                cause=one.cause.value,
                command=one.command,
                deadline=one.deadline,
                state=one.state,
            ),
            one.event,
        )
        for version, one in enumerate(LOG, 1)
    ]
    assert log == LOG
    assert rederive(log) == rederive(LOG)


def _claiming(**changes: Any) -> list[Recorded]:
    """Return the log with another closing event than the rules lead to."""
    return [*LOG[:-1], replace(LOG[-1], event=replace(LOG[-1].event, **changes))]


def _settling(ledger: list[LedgerEvent], change: Callable[[tuple[Posting, ...]], tuple[Posting, ...]]) -> list[Any]:
    """Return the ledger with other postings in its settlements."""
    return [
        replace(event, postings=change(event.postings))
        if isinstance(event, Posted) and event.what == What.SETTLEMENT
        else event
        for event in ledger
    ]


def test_a_table_that_divides_wrongly_differs_from_its_own_log() -> None:
    payouts = LOG[-1].event.payouts
    other = (*payouts[1:], payouts[0])
    log = _claiming(payouts=other)
    found = [one.what for one in differences({MATCH: log}, settled(log).ledger())]
    written = "/".join(map(str, other))
    expected = "/".join(map(str, payouts))
    assert f"the table has payouts {written}, and the log leads to {expected}" in found
    assert f"the ledger has payouts {written}, and the log leads to {expected}" in found
    assert any(line.startswith("the ledger has movement of player:ana ") for line in found)


def test_a_ledger_that_moved_other_money_than_its_record_says_differs() -> None:
    ledger = settled(LOG).ledger()
    amount = rederive(LOG).rake
    changed = _settling(ledger, lambda postings: tuple(one for one in postings if one.account != HOUSE))
    (found,) = differences({MATCH: LOG}, changed)
    assert found == Difference(MATCH, f"the ledger has movement of house 0, and the log leads to {amount}")


def test_a_ledger_that_was_not_told_of_the_end_differs() -> None:
    found = [one.what for one in differences({MATCH: LOG}, settled(LOG, facts=1).ledger())]
    assert "the ledger has no record of its end" in found
    assert f"{pot_account(MATCH)} is left with {rederive(LOG).pot}" in found


def test_a_match_that_only_the_ledger_ended_differs() -> None:
    found = [one.what for one in differences({MATCH: LOG[:-1]}, settled(LOG).ledger())]
    assert "the ledger has it ended, and its log has not" in found


def test_a_match_without_a_log_differs_when_all_logs_are_there() -> None:
    ledger = settled(LOG).ledger()
    assert differences({}, ledger) == (Difference(MATCH, "no table has a log of it"),)
    assert differences({}, ledger, whole=False) == ()


def test_money_that_went_to_a_stranger_differs() -> None:
    ledger = settled(LOG).ledger()
    changed = _settling(
        ledger, lambda postings: tuple(replace(one, account=_stranger(one.account)) for one in postings)
    )
    found = [one.what for one in differences({MATCH: LOG}, changed)]
    assert any(line.startswith("the ledger has movement of player:stranger ") for line in found)


def _stranger(account: str) -> str:
    winner = max(range(len(PLAYERS)), key=lambda seat: LOG[-1].event.payouts[seat])
    return player_account("stranger") if account == player_account(PLAYERS[Seat(winner)]) else account


def test_a_damaged_log_is_a_finding() -> None:
    log = [LOG[0], *LOG[5:]]
    (found,) = differences({MATCH: log}, settled(LOG).ledger())
    assert found.what.startswith("the log cannot be folded again: ")
    assert [isinstance(event, MatchRecorded) for event in settled(LOG).ledger()].count(True) == 1
