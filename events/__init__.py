"""The vocabulary of Shadda and its keeping: envelope, codec, subjects, messages, the log."""
