"""The log of one partition: the port, a memory log for tests, and adapters over the ``eventsourcing`` recorders.

:func:`events.log.opening.open_log` opens the log that a setting names.
"""

from events.log.port import Log, LogFailed, LogUnusable, VersionConflict

__all__ = ["Log", "LogFailed", "LogUnusable", "VersionConflict"]
