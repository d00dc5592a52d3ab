"""Exit codes. The last two are what shells say of a program that a signal ended: 128 and the signal's number."""

DONE, CHECK_FAILED, WRONG_INPUT, INTERRUPTED, CLOSED_PIPE = 0, 1, 2, 130, 141
