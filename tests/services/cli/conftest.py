"""One data folder for all tests of the commands that read records; those that change it take a copy."""

import shutil
from pathlib import Path

import pytest

from tests.data import PLAYERS, DataFolder
from tests.services.cli.shell import ENDED, FREE, RUNNING, VOIDED, Recorded


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Four matches of Trix: two staked and over, one staked and called off, one that runs on in its third deal."""
    folder = tmp_path_factory.mktemp("recorded")
    with DataFolder(folder) as data:
        data.fund(1000, *PLAYERS)
        data.room()
        data.play(ENDED, stake=100, rake_bps=333)
        data.play(FREE, variant="complex", bots=1)
        data.play(VOIDED, variant="individual", ends="voided", deals=1, stake=10)
        data.play(RUNNING, variant="partnership", ends="runs", deals=2, stake=10)
        return Recorded(folder, data.sent)


@pytest.fixture
def folder(recorded: Recorded, tmp_path: Path) -> Path:
    """Return a copy of the data folder."""
    return Path(shutil.copytree(recorded.folder, tmp_path / "data"))
