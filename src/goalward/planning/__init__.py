"""Planning with the model known: the best policy that surely arrives, and a proof of how good it is."""
