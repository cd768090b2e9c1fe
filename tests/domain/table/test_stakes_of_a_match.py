"""What a match at a table pays: TBL-16, TBL-18, TBL-21 to TBL-25. The shares themselves: test_stakes.py."""

from typing import Any

import pytest

from domain.game import SPECTATOR, AnyGame
from domain.stakes import shares
from domain.table.decide import Refusal
from domain.table.events import Holder, MatchEnded, MatchVoided
from domain.table.view import view
from tests.domain.matches import GAMES_AND_VARIANTS, IDS, outcomes
from tests.domain.table.tables import FOUR, Table, kinds, staked

SHORT: dict[str, Any] = {"seats": staked(*FOUR), "pace": "max"}


def ended(table: Table) -> MatchEnded:
    event = table.finish()
    assert isinstance(event, MatchEnded)
    return event


def test_tbl_18_the_pot_is_the_sum_of_the_stakes_and_shown_from_the_first() -> None:
    table = Table("trix", "complex", stake=250, rake_bps=50, seats=staked(*FOUR, bots=(1,)))
    shown = view(table.match, SPECTATOR)
    assert (shown.stake, shown.pot, shown.rake_bps) == (250, 750, 50)
    assert [seat.staker for seat in shown.seats] == [True, False, True, True]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("bots", [(), (2,), (0, 3)])
def test_tbl_21_an_individual_match_ranks_its_stakers(seed: int, bots: tuple[int, ...]) -> None:
    table = Table("trix", "complex", seed, stake=100, pace="max", seats=staked(*FOUR, bots=bots))
    event = ended(table)
    result = table.match.result
    assert result is not None
    assert (event.totals, event.places) == (result.totals, result.places)
    expected = shares(stake=100, stakers=event.stakers, places=event.places, teams=None, first=result.first)
    assert (event.payouts, event.pot) == (expected.payouts, 100 * (4 - len(bots)))
    assert sum(event.payouts) == event.pot
    best = min(place for seat, place in enumerate(event.places) if seat not in bots)
    winners = [seat for seat, place in enumerate(event.places) if place == best and seat not in bots]
    assert all(event.payouts[seat] == max(event.payouts) for seat in winners)


@pytest.mark.parametrize("seed", range(8))
def test_tbl_22_the_stakers_of_the_winning_team_share_the_pot(seed: int) -> None:
    """An odd unit goes to the one of them who comes first from the match's first starter (TBL-23)."""
    table = Table("trix", "complex_partnership", seed, stake=101, pace="max", seats=staked(*FOUR, bots=(1,)))
    event = ended(table)
    result = table.match.result
    assert event.team_totals is not None
    assert result is not None
    if event.team_totals[0] > event.team_totals[1]:
        odd_to_two = result.first in (1, 2)
        assert event.payouts == ((151, 0, 152, 0) if odd_to_two else (152, 0, 151, 0))
    elif event.team_totals[0] < event.team_totals[1]:
        assert event.payouts == (0, 0, 0, 303)
    else:
        assert event.payouts == (101, 0, 101, 101)


def test_tbl_16_a_bot_that_wins_receives_nothing() -> None:
    wins = 0
    for seed in range(12):
        event = ended(Table("trix", "complex", seed, stake=100, pace="max", seats=staked(*FOUR, bots=(0,))))
        assert event.payouts[0] == 0
        wins += event.places[0] == 1
    assert wins


def test_tbl_16_a_bot_that_took_over_plays_for_its_seats_staker() -> None:
    table = Table("trix", "complex", stake=100, pace="max", seats=staked(*FOUR))
    table.lose(3)
    table.wait(60)
    assert table.held(3).bot
    event = ended(table)
    assert event.stakers[3]
    assert event.players[3] == "dana"


def test_tbl_24_the_commission_is_taken_before_the_shares() -> None:
    plain = ended(Table("trix", "complex", 9, stake=333, **SHORT))
    raked = ended(Table("trix", "complex", 9, stake=333, rake_bps=250, **SHORT))
    assert (plain.rake, raked.rake, raked.pot) == (0, 1332 * 250 // 10_000, 1332)
    assert sum(raked.payouts) == 1332 - raked.rake
    assert plain.places == raked.places


def test_tbl_24_a_voided_match_names_every_stake_and_pays_nothing() -> None:
    table = Table("trix", "complex", stake=100, seats=staked(*FOUR, bots=(2,)))
    table.void("table service was upgraded")
    event = table.match.ended
    assert isinstance(event, MatchVoided)
    assert (event.stake, event.stakers) == (100, (True, True, False, True))
    assert event.players == ("ali", "badr", "bot-2", "dana")
    shown = view(table.match, SPECTATOR).end
    assert shown is not None
    assert (shown.voided, shown.payouts) == ("table service was upgraded", ())


def test_tbl_24_a_match_ends_once() -> None:
    table = Table("trix", "complex", stake=100, **SHORT)
    table.finish()
    assert kinds(table.log).count("table.match_ended") == 1
    assert table.void().refused == Refusal.MATCH_OVER
    assert table.leave(0).refused == Refusal.MATCH_OVER
    assert "table.match_voided" not in kinds(table.log)


def test_tbl_18_an_unstaked_match_has_no_pot() -> None:
    for seats in ((*map(Holder, FOUR),), staked(*FOUR)):
        event = ended(Table("trix", "complex", seats=seats, pace="max", rake_bps=500))
        assert (event.stake, event.pot, event.rake, event.payouts) == (0, 0, 0, (0, 0, 0, 0))


@pytest.mark.parametrize(("game", "variant"), GAMES_AND_VARIANTS, ids=IDS)
def test_tbl_25_the_deals_and_the_policies_do_not_depend_on_stakes(game: AnyGame, variant: str) -> None:
    """The same chance makes the same match, staked or not; only the money differs."""

    def played(stake: int, *, stakers: bool) -> list[object]:
        seats = tuple(
            Holder(f"player-{seat}", staker=stakers) for seat in range(len(Table(game.name, variant).match.seats))
        )
        table = Table(game.name, variant, 3, stake=stake, seats=seats, owner=0)
        for _ in range(40):
            table.run_out()
        return [step.event for step in table.log[1:]]

    assert played(0, stakers=False) == played(500, stakers=True)


@pytest.mark.parametrize(("game", "variant"), GAMES_AND_VARIANTS, ids=IDS)
def test_tbl_23_the_first_starter_is_a_seat_and_places_are_shared_fairly(game: AnyGame, variant: str) -> None:
    last = None
    for outcome, _ in outcomes(game, variant, 21, automatic=0.05):
        last = outcome.match
    assert last is not None
    result = last.result
    assert result is not None
    assert 0 <= result.first < len(last.seats)
    assert min(result.places) == 1
    for place in set(result.places):
        assert sum(other < place for other in result.places) == place - 1, "equal places skip the next ones"
    if last.teams is not None:
        for team in set(last.teams):
            assert len({place for place, side in zip(result.places, last.teams, strict=True) if side == team}) == 1
