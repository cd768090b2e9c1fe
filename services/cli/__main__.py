"""``python -m services.cli`` is ``shadda``."""

from services.cli.main import main

main()
