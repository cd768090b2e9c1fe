"""``shadda token``, ``deposit``, ``withdraw`` and ``status``: what an operator does beside a running backend."""

import asyncio
import os
import sys
from pathlib import Path

import click
import httpx
import msgspec
import nats.errors
from rich.console import Console
from rich.table import Table

from events import subjects
from events.messages import Deposit, Reply, ScoringRequest, Withdraw
from services.backend import Running, running_in, token_key_of
from services.bus import connect_once
from services.ids import new_id
from services.settings import BadSetting, from_environment
from services.tokens import ROLES, BadKey, BadToken, Identity, check_player, make_token

ANSWER_SECONDS = 10.0
DAY_SECONDS = 24 * 3600
KEY_MAX = 64

data_option = click.option(
    "--data", type=click.Path(path_type=Path), default=Path(".shadda"), show_default=True, help="The backend's folder."
)


def _fail(what: str, status: int = 1) -> None:
    click.echo(f"shadda: {what}", err=True)
    sys.exit(status)


@click.command()
@click.argument("player")
@click.option("--role", "roles", multiple=True, type=click.Choice(ROLES), help="Default: player. May be repeated.")
@click.option("--days", type=click.IntRange(1, 3650), default=1, show_default=True, help="How long it is good for.")
@data_option
def token(player: str, roles: tuple[str, ...], days: int, data: Path) -> None:
    """Print a signed token for a player, made with SHADDA_TOKEN_KEY or the key of a data folder."""
    try:
        key = from_environment().token_key or token_key_of(data)
        click.echo(make_token(Identity(player, roles or ("player",)), seconds=days * DAY_SECONDS, key=key))
    except (BadSetting, BadToken, BadKey, FileNotFoundError) as fault:
        _fail(str(fault), 2)


@click.command()
@click.argument("player")
@click.argument("amount", type=click.IntRange(1, 10**15))
@click.option("--key", help="Names this movement: sent again with the same key, it happens once. Default: a new one.")
@data_option
def deposit(player: str, amount: int, key: str | None, data: Path) -> None:
    """Put AMOUNT minor units into a player's account."""
    _move(
        Deposit(key=f"deposit-{new_id()}" if key is None else key, player=player, amount=amount, actor="operator"), data
    )


@click.command()
@click.argument("player")
@click.argument("amount", type=click.IntRange(1, 10**15))
@click.option("--key", help="Names this movement: sent again with the same key, it happens once. Default: a new one.")
@data_option
def withdraw(player: str, amount: int, key: str | None, data: Path) -> None:
    """Take AMOUNT minor units out of a player's account."""
    _move(
        Withdraw(key=f"withdraw-{new_id()}" if key is None else key, player=player, amount=amount, actor="operator"),
        data,
    )


def _move(request: Deposit | Withdraw, data: Path) -> None:
    try:
        check_player(request.player)
    except BadToken as fault:
        _fail(str(fault), 2)
    if not 0 < len(request.key) <= KEY_MAX:
        _fail(f"a key has 1 to {KEY_MAX} characters", 2)
    try:
        reply = asyncio.run(_ask(_nats_url(data), request))
    except (BadSetting, FileNotFoundError) as fault:
        _fail(str(fault), 2)
    except (OSError, nats.errors.Error) as fault:
        _fail(f"scoring does not answer: {str(fault) or type(fault).__name__}")
    else:
        if not reply.ok:
            _fail(f"{reply.refused}: {reply.text}" if reply.text else reply.refused)
        click.echo(f"{request.key}: done")


def _nats_url(data: Path) -> str:
    """Return the bus of the backend that runs in a folder, or the one that is set."""
    try:
        return running_in(data).nats_url
    except FileNotFoundError:
        if "SHADDA_NATS_URL" not in os.environ:
            raise
        return from_environment().nats_url


async def _ask(url: str, request: ScoringRequest) -> Reply:
    client = await connect_once(url)
    try:
        answer = await client.request(subjects.SCORING, msgspec.json.encode(request), timeout=ANSWER_SECONDS)
        return msgspec.json.decode(answer.data, type=Reply)
    finally:
        await client.close()


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@data_option
def status(data: Path, *, as_json: bool) -> None:
    """Say whether a backend runs in a data folder, and what is played there. Exit status 1 if it does not answer."""
    try:
        running = running_in(data)
    except FileNotFoundError as fault:
        _fail(str(fault))
        return
    found = _status(running)
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
    else:
        table = Table("what", "state")
        for name, state in found.items():
            table.add_row(name, str(state))
        Console().print(table)
    sys.exit(0 if found["ready"] else 1)


def _status(running: Running) -> dict[str, str | int | bool]:
    found: dict[str, str | int | bool] = {"url": running.url, "pid": running.pid, "ready": False, "matches": 0}
    try:
        found["ready"] = httpx.get(f"{running.url}/readyz", timeout=5).is_success
        matches = httpx.get(f"{running.url}/v1/matches", timeout=5)
        found["matches"] = len(matches.json()["matches"]) if matches.is_success else 0
    except httpx.HTTPError:
        pass
    return found
