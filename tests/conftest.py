"""What all tests share: how they are spread over processes."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Let tests that share a backend (``xdist_group``) run in one process, so that it is started once."""
    if config.getoption("dist", "no") == "load":
        config.option.dist = "loadgroup"
