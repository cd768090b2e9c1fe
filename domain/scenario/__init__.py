"""Scenario files, rules as data: set a table up, take steps, and say what must be true.

They run through the same decide, evolve and view as a live table. ``shadda scenario FILE…`` runs them.
"""

from domain.scenario.model import Failed, Invalid, Scenario, parse, schema
from domain.scenario.runner import Run, run

__all__ = ["Failed", "Invalid", "Run", "Scenario", "parse", "run", "schema"]
