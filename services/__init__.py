"""The processes: everything with a clock, a socket, a disk or entropy."""
