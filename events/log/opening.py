"""Opens the log that a setting names: a folder of SQLite files, or a PostgreSQL database.

A place is ``sqlite:FOLDER``, a bare path of a folder, or ``postgresql://…``. A folder holds one file for each
partition, ``log-07.sqlite``, and ``shadda.json``, which names the layout. In PostgreSQL a partition is a schema.
"""

import os
import re
from pathlib import Path
from typing import Final

import msgspec

from events.log.cipher import cipher_from, new_key
from events.log.port import Log, LogUnusable
from events.log.postgresql import open_postgresql, postgresql_partitions
from events.log.sqlite import open_sqlite

__all__ = ["LAYOUT_VERSION", "Log", "LogUnusable", "cipher_from", "new_key", "open_log", "partitions"]

LAYOUT_VERSION: Final = 1  # of folder and tables; a change that an older version cannot read counts it up
LAYOUT_FILE: Final = "shadda.json"
_PARTITION: Final = re.compile(r"[a-z0-9_]{1,40}\Z")


class _Layout(msgspec.Struct, frozen=True):
    layout: int


def open_log(where: str, partition: str, *, create: bool = True) -> Log:
    """Open a partition's log, and make it if it is not there, unless ``create`` is off.

    Raises :class:`LogUnusable`, with one clear line, for a place that cannot be reached, read or written, a file that
    is no log, or a layout of another version.
    """
    if not _PARTITION.match(partition):
        raise LogUnusable(f"{partition!r} cannot be the name of a partition")
    if _is_postgresql(where):
        return open_postgresql(where, partition, layout=LAYOUT_VERSION, create=create)
    folder = _folder(where)
    try:
        if create:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_layout(folder, create=create)
        return open_sqlite(folder / f"log-{partition}.sqlite", create=create)
    except OSError as fault:
        raise LogUnusable(f"{folder} cannot be used: {fault.strerror}") from fault


def partitions(where: str) -> list[str]:
    """Return the names of the partitions whose logs are at a place, in order; raise as :func:`open_log` does."""
    if _is_postgresql(where):
        return postgresql_partitions(where)
    folder = _folder(where)
    try:
        _check_layout(folder, create=False)
        found = [path.stem.removeprefix("log-") for path in folder.glob("log-*.sqlite")]
    except OSError as fault:
        raise LogUnusable(f"{folder} cannot be used: {fault.strerror}") from fault
    return sorted(found)


def _is_postgresql(where: str) -> bool:
    return where.startswith(("postgresql://", "postgres://"))


def _folder(where: str) -> Path:
    path = where.removeprefix("sqlite:")
    if not path or "://" in path:
        raise LogUnusable("the place of a log is sqlite:FOLDER, a folder, or postgresql://…")
    return Path(path).expanduser()


def _check_layout(folder: Path, *, create: bool) -> None:
    """Refuse a folder that another version of Shadda has laid out; write the layout into a new one."""
    file = folder / LAYOUT_FILE
    try:
        found = msgspec.json.decode(file.read_bytes(), type=_Layout).layout
    except FileNotFoundError:
        if not create:
            raise LogUnusable(f"there is no log in {folder}") from None
        _write_durably(file, msgspec.json.encode(_Layout(LAYOUT_VERSION)))
        return
    except (msgspec.MsgspecError, ValueError):
        raise LogUnusable(f"{file} cannot be read: it does not name a layout") from None
    if found != LAYOUT_VERSION:
        raise LogUnusable(f"{folder} has layout {found}; this version of Shadda reads layout {LAYOUT_VERSION}")


def _write_durably(file: Path, content: bytes) -> None:
    """Write a small file, whole or not at all."""
    part = file.with_name(f"{file.name}.{os.getpid()}")
    with part.open("wb") as opened:
        opened.write(content + b"\n")
        opened.flush()
        os.fsync(opened.fileno())
    part.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
