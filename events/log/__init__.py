"""The log of one partition: the port, a memory log for tests, and adapters over the ``eventsourcing`` recorders."""

from events.log.port import Log, LogFailed, VersionConflict

__all__ = ["Log", "LogFailed", "VersionConflict"]
