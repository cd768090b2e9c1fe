from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.integration.running import Up
from tests.servers import database, postgresql_url

__all__ = ["postgresql_url"]


@pytest.fixture(scope="session")
def sqlite_up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A backend over SQLite files."""
    with Up(tmp_path_factory.mktemp("up") / "data") as up:
        yield up
        assert up.stop() == 0
        assert up.err == ""


@pytest.fixture(scope="session")
def postgresql_up(tmp_path_factory: pytest.TempPathFactory, postgresql_url: str) -> Iterator[Up]:
    """A backend over a PostgreSQL database; its folder holds the rest."""
    with ExitStack() as stack:
        url = stack.enter_context(database(postgresql_url))
        up = stack.enter_context(Up(tmp_path_factory.mktemp("up") / "data", log=url))
        yield up
        assert up.stop() == 0
        assert up.err == ""


@pytest.fixture(
    params=[
        pytest.param("sqlite_up", marks=pytest.mark.xdist_group("sqlite")),
        pytest.param("postgresql_up", marks=pytest.mark.xdist_group("postgresql")),
    ],
    ids=["sqlite", "postgresql"],
)
def up(request: pytest.FixtureRequest) -> Up:
    """A backend over each kind of log, shared by all tests of a process."""
    found: Up = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"
