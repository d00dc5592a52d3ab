"""Algorithms at work: in the one compiled loop over episodes, or step by step."""
