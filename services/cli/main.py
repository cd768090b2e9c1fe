"""Every command of ``shadda``, each in a module of its own that is loaded when it is called."""

import importlib
import sys
from typing import Final

import click

COMMANDS: Final = {
    "up": "up",
    "run": "run",
    "play": "play",
    "games": "games",
    "replay": "replay",
    "verify": "verify",
    "report": "report",
    "leaderboard": "leaderboard",
    "scenario": "scenario",
    "token": "operator",
    "deposit": "operator",
    "withdraw": "operator",
    "status": "operator",
    "settings": "settings",
    "streams": "streams",
    "bench": "bench",
}  # by name: the module of this package that has it


class Commands(click.Group):
    """The commands, loaded one by one: a service that starts waits for nothing that it does not use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order of their use."""
        assert ctx is not None
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or None if there is none of that name."""
        assert ctx is not None
        if cmd_name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"services.cli.{COMMANDS[cmd_name]}"), cmd_name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def shadda() -> None:
    """Arabic card games for players who stake on the outcome."""


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
