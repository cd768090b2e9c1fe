"""The proofs, laid out as the folders that they test."""
