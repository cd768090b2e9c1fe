"""The command line: ``shadda``."""

from services.cli.main import main

__all__ = ["main"]
