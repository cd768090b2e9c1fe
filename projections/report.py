"""The settlement report as text: a table for people, CSV for spreadsheets, JSON for programs.

Amounts are whole minor units; times are ISO 8601 with the offset of the zone asked for. CSV (RFC 4180) has a header and
rows only, so that a column can be summed; the totals, in which each match's pot and rake count once, are in the others.
"""

import csv
import io
from collections.abc import Callable, Sequence
from datetime import tzinfo
from typing import Final

import msgspec

from projections.periods import iso
from projections.settlement import Row, totals

COLUMNS: Final = Row.__struct_fields__
AMOUNTS: Final = ("stake", "pot", "rake", "payout", "net")


def render(rows: Sequence[Row], form: str, zone: tzinfo) -> str:
    """Return a report, ending in a line break; raise ``ValueError`` for an unknown format."""
    renderer = _RENDERERS.get(form)
    if renderer is None:
        msg = f"there is no format {form!r}: take one of {', '.join(FORMATS)}"
        raise ValueError(msg)
    return renderer(rows, zone)


def _cells(row: Row, zone: tzinfo) -> dict[str, str | int]:
    """Return a row's fields by column, its time as text."""
    cells: dict[str, str | int] = msgspec.structs.asdict(row)
    return cells | {"ended": iso(row.ended, zone)}


def _csv(rows: Sequence[Row], zone: tzinfo) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(_cells(row, zone) for row in rows)
    return text.getvalue()


def _json(rows: Sequence[Row], zone: tzinfo) -> str:
    report = {"rows": [_cells(row, zone) for row in rows], "totals": totals(rows)}
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def _table(rows: Sequence[Row], zone: tzinfo) -> str:
    sums = totals(rows)
    last = dict.fromkeys(COLUMNS, "") | {name: str(getattr(sums, name)) for name in AMOUNTS}
    last["match"] = f"{sums.matches} match{'' if sums.matches == 1 else 'es'}"
    lines = [{column: column for column in COLUMNS}]
    lines += [{column: str(cell) for column, cell in _cells(row, zone).items()} for row in rows]
    lines.append(last)
    widths = {column: max(len(line[column]) for line in lines) for column in COLUMNS}
    shown = [
        "  ".join(
            line[column].rjust(widths[column]) if column in AMOUNTS else line[column].ljust(widths[column])
            for column in COLUMNS
        ).rstrip()
        for line in lines
    ]
    rule = "-" * (sum(widths.values()) + 2 * (len(COLUMNS) - 1))
    return "\n".join([shown[0], rule, *shown[1:-1], rule, shown[-1]]) + "\n"


_RENDERERS: Final[dict[str, Callable[[Sequence[Row], tzinfo], str]]] = {"table": _table, "csv": _csv, "json": _json}
FORMATS: Final = tuple(_RENDERERS)
