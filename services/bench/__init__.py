"""The benchmarks of ``shadda bench``."""
