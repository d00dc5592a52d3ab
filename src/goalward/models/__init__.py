"""What a stochastic shortest path problem is, and what its graph alone says about it."""
