"""What Numba has to be told; the only folder that imports it. `_compile` says why.

`components`: a component is the address of its fields, and its methods are its own. `callees`: what an entry point reaches is compiled as a part of it.
`kernels`: an entry point is compiled for one signature and kept in a file named by its content.

All three lean on parts of Numba that are not public, hence the bounds on its version in pyproject.toml.
"""

from goalward._numba.kernels import entry_for as entry_for
from goalward._numba.kernels import used as used
