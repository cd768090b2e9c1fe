"""Scoring: the ledger of money, the results of matches and what is counted from them. One partition, one writer."""
