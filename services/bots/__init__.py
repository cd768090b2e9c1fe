"""The bots service: plays the seats that bots hold, seeing what those seats are shown and nothing else."""
