"""JSON logs on standard error, a line an event, with ids and never a card or a token."""

import logging
import sys
from typing import Any

import structlog


def configure(level: str) -> None:
    """Set up logging for the process; everything below ``level`` is left out, and of libraries what is no warning."""
    least = getattr(logging, level.upper(), logging.INFO)
    processors: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    render = structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*processors, render],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    libraries = logging.StreamHandler(sys.stderr)
    without_meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    libraries.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=processors, processors=[without_meta, render])
    )
    logging.basicConfig(level=max(logging.WARNING, least), handlers=[libraries])
