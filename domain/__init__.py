"""The rules: pure functions over frozen values, without clock, randomness or I/O."""
