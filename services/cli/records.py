"""What the commands that read records share: where the logs are, faults as one line, looks on record, progress."""

import contextlib
import getpass
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click
from msgspec.structs import replace
from rich.console import Console
from rich.progress import Progress

from events.codec import Codec
from events.envelope import Cipher, Corrupt
from events.log.opening import cipher_from, open_log
from events.log.port import LogFailed, LogUnusable, VersionConflict
from projections.audit import Told, UnknownMatch, Viewed
from services.core import Draft
from services.settings import BadSetting, Settings, from_environment
from services.worker import Journal

AUDIT: str = "audit"  # the partition of looks at hidden cards
ATTEMPTS = 20  # to write a look while others write theirs

data_option = click.option(
    "--data", metavar="DIR", default=None, help="Where the logs are; else where SHADDA_LOG says, `.shadda` by default."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


class Wrong(click.ClickException):
    """Wrong usage or input: one line on standard error, exit status 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the line."""
        click.echo(f"shadda: {self.message}", file=file, err=file is None)


class Failed(Wrong):
    """A finding or a failure: one line on standard error, exit status 1."""

    exit_code = 1


@contextlib.contextmanager
def one_line_faults() -> Iterator[None]:
    """Turn everything that a user can cause into one line and its exit status."""
    try:
        yield
    except Corrupt as fault:
        what = f"{fault.stream} is damaged at version {fault.version}: {fault.what}; `shadda verify --all` says more"
        raise Failed(what) from fault
    except (BadSetting, LogUnusable, LogFailed, UnknownMatch) as fault:
        raise Wrong(str(fault)) from fault


def settings_for(data: str | None) -> Settings:
    """Return the settings, with the logs where ``--data`` says."""
    settings = from_environment()
    return settings if data is None else replace(settings, log=data)


def cipher_of(settings: Settings) -> Cipher | None:
    """Return the cipher of the logs, None if they are in clear."""
    return cipher_from(settings.log_key) if settings.log_key else None


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def user_name() -> str:
    """Return the name of who runs this process, by the operating system and not by the environment."""
    with contextlib.suppress(ImportError, KeyError):
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    return str(os.getuid()) if hasattr(os, "getuid") else getpass.getuser()


def record_look(settings: Settings, look: Viewed) -> None:
    """Write on disk that somebody looks at hidden cards, in a stream of the match's own; blocks.

    Raises ``LogUnusable`` or ``LogFailed`` if it cannot be written: then nothing may be shown.
    """
    log = open_log(settings.log, AUDIT)
    stream = f"{look.match}-{AUDIT}"
    try:
        for attempt in range(ATTEMPTS):
            journal = Journal(log, Codec([Viewed]), cipher_of(settings))
            journal.read(stream)
            try:
                journal.write([Draft(stream, look, now_ms(), actor=look.who)])
            except VersionConflict:
                if attempt + 1 == ATTEMPTS:
                    raise
            else:
                return
    finally:
        log.close()


@contextlib.contextmanager
def progress(what: str) -> Iterator[Told]:
    """Show how far something is, on a terminal only; yields what is to be told of it."""
    console = Console(stderr=True)
    shown = sys.stdout.isatty() and console.is_terminal
    with Progress(console=console, transient=True, disable=not shown) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def columns(rows: Sequence[Sequence[object]], *, right: Callable[[int], bool] = lambda _column: False) -> str:
    """Return rows of cells, the first of them headings, in columns as wide as they need; ``right`` aligns numbers."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right(column) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
