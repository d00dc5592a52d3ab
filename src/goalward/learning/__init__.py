"""The parts that learning algorithms are made of, and the algorithms."""
