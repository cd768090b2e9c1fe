"""``shadda leaderboard``: who did best at a game."""

import click
import msgspec

from domain.games import GAMES
from projections.archive import Archive
from projections.leaderboard import ORDERS, Leaderboards
from projections.periods import PERIODS
from services.cli.records import (
    Wrong,
    cipher_of,
    columns,
    data_option,
    json_option,
    now_ms,
    one_line_faults,
    settings_for,
)

BY = ("points", "wins", "win_rate", "winnings", "rating")


@click.command()
@click.argument("game", metavar="GAME")
@click.option("--period", type=click.Choice(PERIODS), default="all", show_default=True, help="The one that runs now.")
@click.option("--tz", "zone", metavar="ZONE", default="UTC", show_default=True, help="In which its days begin.")
@click.option("--by", type=click.Choice(BY), default="points", show_default=True)
@data_option
@json_option
def leaderboard(game: str, period: str, zone: str, by: str, data: str | None, *, as_json: bool) -> None:
    """Show who did best at GAME. Winnings are minor units; points count the seats placed behind one.

    --json prints {"game", "period", "tz", "by", "rows": [{"rank", "player", "points", "matches", "wins", "win_rate",
    "winnings"}]}.
    """
    if game not in GAMES:
        raise Wrong(f"there is no game {game!r}; there are {', '.join(sorted(GAMES))}")
    if by not in ORDERS:
        raise Wrong(f"--by {by} is not available in this version; take one of {', '.join(ORDERS)}")
    with one_line_faults():
        settings = settings_for(data)
        with Archive(settings.log, cipher_of(settings)) as archive:
            ledger = archive.ledger()
    try:
        rows = Leaderboards(zone, ledger).rows(game, period, by, now=now_ms())
    except ValueError as fault:
        raise Wrong(str(fault)) from fault
    if as_json:
        document = {"game": game, "period": period, "tz": zone, "by": by, "rows": rows}
        click.echo(msgspec.json.encode(document).decode())
        return
    headings = ("rank", "player", "points", "matches", "wins", "win rate", "winnings")
    cells = [(r.rank, r.player, r.points, r.matches, r.wins, f"{r.win_rate:.1%}", r.winnings) for r in rows]
    click.echo(columns([headings, *cells], right=lambda column: column != 1))
    if not rows:
        click.echo("nobody has finished a match of it in this period")
