"""``shadda play``: scripted players play whole matches through the gateway, on a private backend or a running one."""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.progress import Progress

from domain.game import AnyGame, Seat
from domain.game import Settings as GameSettings
from domain.games import GAMES
from domain.options import BadOption, checked
from events import subjects
from events.log.port import LogUnusable
from events.messages import Deposit, Reply, ScoringRequest, ShowBalance
from services.backend import Backend, Unusable, backend
from services.bus import connect_once
from services.cli.records import cipher_of
from services.ids import new_id
from services.play.client import Refused, Unreachable
from services.play.results import Ledger, MatchResult, Place, ledger_of, result_of, verified
from services.play.session import Plan, Session
from services.processes import NotStarted
from services.settings import BadSetting, from_environment
from services.tokens import Identity, make_token

TOKEN_SECONDS = 24 * 3600
SETTLE_SECONDS = 30


class Played(msgspec.Struct, frozen=True):
    """What ``--json`` prints. Against a running backend nothing but the matches is known."""

    matches: list[MatchResult]
    ledger: Ledger | None
    verified: bool | None


@click.command()
@click.option("--game", required=True, help="The game; `shadda games` lists them.")
@click.option("--variant", default="", help="The variant; the game's default if left out.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; may be repeated.")
@click.option("--stake", type=click.IntRange(0, 10**12), default=0, show_default=True, help="Of each, in minor units.")
@click.option("--humans", type=click.IntRange(1, 8), help="Scripted players; bots take the other seats. Default: all.")
@click.option("--matches", type=click.IntRange(1, 100_000), default=1, show_default=True)
@click.option("--seed", default="", help="Hex: fixes every shuffle and choice (private backends only).")
@click.option("--speed", type=click.Choice(["max", "human"]), default="max", show_default=True)
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the private backend; default a temporary one.")
@click.option("--url", help="A running backend instead; wants a token a player in SHADDA_TOKEN, spaces between.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def play(**chosen: Any) -> None:
    """Let scripted players play through the gateway's public protocol, and check the records they leave."""
    as_json = chosen.pop("as_json")
    data, url = chosen.pop("data"), chosen.pop("url")
    if url and (chosen["seed"] or data):
        raise click.UsageError("--url plays on a running backend, which takes neither --seed nor --data")
    plan = _plan(**chosen)
    try:
        played = asyncio.run(_play(plan, data, url, as_json=as_json))
    except (Unusable, LogUnusable, NotStarted, BadSetting, Unreachable, Refused) as fault:
        click.echo(f"shadda: {fault}", err=True)
        sys.exit(1 if isinstance(fault, Refused | Unreachable) else 2)
    except asyncio.CancelledError:
        sys.exit(128 + signal.SIGTERM)
    if as_json:
        click.echo(msgspec.json.encode(played).decode())
    else:
        _print(played)
    sound = played.verified is not False and (played.ledger is None or played.ledger.balanced)
    sys.exit(0 if sound else 1)


def _plan(
    game: str,
    variant: str,
    options: tuple[str, ...],
    stake: int,
    humans: int | None,
    matches: int,
    seed: str,
    speed: str,
) -> Plan:
    if game not in GAMES:
        raise click.UsageError(f"there is no game {game!r}; there are {', '.join(GAMES)}")
    known = GAMES[game]
    variant = variant or known.variants[0]
    if variant not in known.variants:
        raise click.UsageError(f"{game} has no variant {variant!r}; it has {', '.join(known.variants)}")
    given = dict(option.partition("=")[::2] for option in options)
    try:
        complete = checked(known.options, given)
        seed_bytes = bytes.fromhex(seed)
    except BadOption as fault:
        raise click.UsageError(str(fault)) from fault
    except ValueError as fault:
        raise click.UsageError("--seed is hex, such as 01 or 5eed") from fault
    seats = known.seats(GameSettings(variant=variant, options=complete, owner=Seat(0)))
    humans = seats if humans is None else humans
    if humans > seats:
        raise click.UsageError(f"{game} seats {seats}, not {humans}")
    run = new_id()[:12]
    return Plan(
        game=game,
        variant=variant,
        options={name: complete[name] for name in given},
        stake=stake,
        players=tuple(f"player-{seat + 1}-{run}" for seat in range(humans)),
        seats=seats,
        matches=matches,
        seed=seed_bytes,
        human=speed == "human",
        pace="human" if speed == "human" else "max",
    )


async def _play(plan: Plan, data: Path | None, url: str | None, *, as_json: bool) -> Played:
    playing = asyncio.current_task()
    assert playing is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.cancel)  # so that nothing is left behind
    if url is not None:
        tokens = os.environ.get("SHADDA_TOKEN", "").split()
        if len(tokens) < len(plan.players):
            raise BadSetting(f"SHADDA_TOKEN holds {len(tokens)} tokens, and {len(plan.players)} players need one each")
        plan = replace(plan, pace="human")  # only a private backend plays at another
        views = await _session(plan, url.rstrip("/"), tokens[: len(plan.players)], quiet=as_json)
        return Played([result_of(view, None) for view in views], None, None)
    with _folder(data) as folder:
        async with _private(folder, plan) as running:
            key = running.secrets.token_key
            tokens = [make_token(Identity(player), seconds=TOKEN_SECONDS, key=key) for player in plan.players]
            if plan.stake:
                await _fund(running, plan)
            views = await _session(plan, running.url, tokens, quiet=as_json)
            if plan.stake:
                await _settled(running, plan)
            where = Place(running.settings.log, cipher_of(running.settings))
        results = [result_of(view, where) for view in views]
        return Played(results, ledger_of(where), verified(where, [result.match for result in results]))


@contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    if data is not None:
        yield data
    else:
        with tempfile.TemporaryDirectory(prefix="shadda-") as folder:
            yield Path(folder)


@asynccontextmanager
async def _private(folder: Path, plan: Plan) -> AsyncIterator[Backend]:
    own = from_environment()
    settings = replace(
        own,
        port=0,
        private=True,
        seed=plan.seed.hex(),
        frames_per_second=0,
        bot_delay=own.bot_delay if plan.human else 0.0,
        log_level="error" if own.log_level == "info" else own.log_level,
    )
    async with backend(folder, settings) as running:
        yield running


class _Balance(msgspec.Struct):
    held: int


async def _scoring(running: Backend, requests: list[ScoringRequest]) -> list[Reply]:
    """Ask scoring, with the operator's own connection to the bus; raise :class:`Refused`."""
    client = await connect_once(running.settings.nats_url)
    try:
        replies = []
        for request in requests:
            answer = await client.request(subjects.SCORING, msgspec.json.encode(request), timeout=10)
            replies.append(msgspec.json.decode(answer.data, type=Reply))
            if not replies[-1].ok:
                raise Refused(replies[-1].refused, replies[-1].text)
        return replies
    finally:
        await client.close()


async def _fund(running: Backend, plan: Plan) -> None:
    """Give every player what he will stake, once."""
    amount = plan.stake * plan.matches
    deposits = [
        Deposit(key=f"fund-{player}", player=player, amount=amount, actor="operator") for player in plan.players
    ]
    await _scoring(running, list(deposits))


async def _settled(running: Backend, plan: Plan) -> None:
    """Wait until every stake of the session has been paid out."""
    async with asyncio.timeout(SETTLE_SECONDS):
        while True:
            replies = await _scoring(running, [ShowBalance(player) for player in plan.players])
            if not any(msgspec.convert(reply.data, _Balance).held for reply in replies):
                return
            await asyncio.sleep(0.05)


async def _session(plan: Plan, url: str, tokens: list[str], *, quiet: bool) -> list[dict[str, Any]]:
    session = Session(plan, url, tokens)
    console = Console(quiet=quiet)
    try:
        await session.start()
        views = []
        many = plan.matches > 1
        with Progress(console=console, disable=quiet or not many or not console.is_terminal) as progress:
            task = progress.add_task("matches", total=plan.matches)
            told = None if many or quiet else asyncio.create_task(_tell(session, GAMES[plan.game]))
            async for view in session.matches():
                views.append(view)
                progress.advance(task)
            if told is not None:
                await told
        return views
    finally:
        await session.stop()


async def _tell(session: Session, game: AnyGame) -> None:
    """Show a match deal by deal, as the first player sees it."""
    views = session.players[0].views
    while True:
        view = await views.get()
        play = view["play"]
        totals = " ".join(f"{total / game.unit:g}" for total in play.get("totals", ()))
        if view["end"] is not None:
            return
        click.echo(f"deal {view['deal']:2}   totals {totals}")


def _print(played: Played) -> None:
    for result in played.matches:
        click.echo(
            f"\n{result.game} {result.variant}, match {result.match}: {result.deals} deals"
            + ("" if result.moves is None else f", {result.moves} moves")
        )
        for seat, (held, total, place) in enumerate(zip(result.seats, result.totals, result.places, strict=True)):
            paid = result.payouts.get(held.player, 0)
            click.echo(f"  seat {seat}  {held.player:<24} {held.kind:<6} place {place}  total {total:>7g}  paid {paid}")
        click.echo(f"  pot {result.pot}, rake {result.rake}")
    if played.ledger is not None:
        books = "balanced" if played.ledger.balanced else "NOT BALANCED"
        records = "verified" if played.verified else "NOT VERIFIED"
        click.echo(f"\nledger {books} ({played.ledger.postings} postings), records {records}")
