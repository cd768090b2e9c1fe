"""Every command of ``shadda``, each in a module of its own."""

import sys

import click

from services.cli.bench import bench
from services.cli.games import games
from services.cli.leaderboard import leaderboard
from services.cli.operator import deposit, status, token, withdraw
from services.cli.play import play
from services.cli.replay import replay
from services.cli.report import report
from services.cli.run import run
from services.cli.scenario import scenario
from services.cli.settings import settings
from services.cli.streams import streams
from services.cli.up import up
from services.cli.verify import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def shadda() -> None:
    """Arabic card games for players who stake on the outcome."""


PLAY = (up, run, play, games)
RECORDS = (replay, verify, report, leaderboard, scenario)
OPERATE = (token, deposit, withdraw, status, settings, streams, bench)

for command in (*PLAY, *RECORDS, *OPERATE):
    shadda.add_command(command)


def main() -> None:
    """Run the command line; every mistake of its user is one line on standard error and exit status 2."""
    assert sys.flags.optimize == 0, "shadda keeps its assertions on: do not run it under -O"
    try:
        status = shadda(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as wish:
        click.echo(wish.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as fault:
        said = " ".join(fault.format_message().split()).rstrip(".")
        asked = (
            f"; {fault.ctx.command_path} --help says more" if isinstance(fault, click.UsageError) and fault.ctx else ""
        )
        click.echo(f"shadda: {said}{asked}", err=True)
        sys.exit(fault.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    sys.exit(status if isinstance(status, int) else 0)
