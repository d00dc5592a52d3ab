"""Describe a problem, plan, see how good the plan surely is, and what following it is like.

A courier stands at the depot with a parcel for the office across the river. Waiting at the ferry and walking along the bank cost nothing, the ferry costs 2 and
comes only sometimes; the bridge costs 5 and is certain. Walking to and fro for ever would be free: the best plan is the best of those that arrive.
"""

import goalward as gw

DEPOT, FERRY, ISLAND, OFFICE = range(4)
WALK, RIDE, BRIDGE = range(3)

# One row for each (state, action, next state, probability, cost). The rows of one action share its cost; the goal needs none.
rows = [
    (DEPOT, WALK, FERRY, 1.0, 0.0),  # with the next row, a cycle that costs nothing
    (FERRY, WALK, DEPOT, 1.0, 0.0),
    (FERRY, RIDE, ISLAND, 0.75, 2.0),
    (FERRY, RIDE, FERRY, 0.25, 2.0),  # the fare is gone, and one is back where one was
    (ISLAND, RIDE, OFFICE, 0.5, 1.0),
    (ISLAND, RIDE, FERRY, 0.5, 1.0),
    (DEPOT, BRIDGE, OFFICE, 1.0, 5.0),
]
ssp = gw.SSP.from_rows(
    rows, start=DEPOT, goal=OFFICE, state_names=["depot", "ferry", "island", "office"], action_names=["walk", "ride", "bridge"]
)  # fmt: skip
print(ssp)

# The plan, and bounds on its cost that hold in exact arithmetic.
plan = gw.solve(ssp, tolerance=1e-9)
print(plan)
for s in range(ssp.num_states - 1):
    print(f"  {ssp.state_name(s):6}  {ssp.action_name(plan.policy[s]):6}  {plan.lower[s]:.9f} <= V* <= {plan.upper[s]:.9f}")
print("Would going round in circles be cheaper than arriving?", "yes" if plan.improper_cheaper else "no")

# What following a plan is like: here always by ferry, whose number of steps is a matter of luck.
by_ferry = [WALK, RIDE, RIDE, -1]  # what stands at a goal is never looked at
found = gw.evaluate(ssp, by_ferry)
print(f"By ferry: cost {found.value[DEPOT]:g}, steps {found.hitting_time[DEPOT]:g} on average")
print("  ".join(f"{q:.0%} arrive within {found.quantile(q)[DEPOT]:g} steps" for q in (0.5, 0.9, 0.99)))

# Giving up may be allowed, at a price; then the plan says where to.
print("If giving up costs 4:", {ssp.state_name(s): ssp.action_name(a) for s, a in enumerate(gw.solve(ssp, penalty=4.0).policy) if a != -1})
