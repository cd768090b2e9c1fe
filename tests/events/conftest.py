from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from events.log import Log
from events.log.memory import MemoryLog
from events.log.opening import open_log, partitions
from tests.servers import database, nats_url, postgresql_url

__all__ = ["nats_url", "postgresql_url"]


@pytest.fixture(scope="package")
def _database(postgresql_url: str) -> Iterator[str]:
    with database(postgresql_url) as url:
        yield url


@pytest.fixture
def database_url(_database: str) -> Iterator[str]:
    """Yield the URL of a database without partitions; one is shared, since making it takes a while."""
    yield _database
    with psycopg.connect(_database, autocommit=True) as connection:
        for partition in partitions(_database):
            connection.execute(f"DROP SCHEMA partition_{partition} CASCADE".encode())


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Log]]:
    """Yield what opens one and the same log, again and again; every log is closed in the end."""
    with ExitStack() as closing:
        memory = MemoryLog()
        place = str(tmp_path / "data")
        if request.param == "postgresql":
            place = request.getfixturevalue("database_url")

        def again() -> Log:
            log = memory if request.param == "memory" else open_log(place, "07")
            closing.callback(log.close)
            return log

        yield again


@pytest.fixture
def log(opened: Callable[[], Log]) -> Log:
    return opened()
