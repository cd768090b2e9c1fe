"""The journal of money: double entry in whole minor units, append-only, every movement once (R-35 to R-41).

``events`` holds what is written, ``books`` the balances and the rules of posting, ``entries`` the movements there are.
"""
