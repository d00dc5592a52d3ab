"""The command line.

One file a command, each of which imports what is heavy when it runs: `goalward --help` loads nothing but click. `app` holds the commands together and turns
errors into words and exit codes; `inputs` reads what was typed, `printing` writes what was found.
"""

from goalward.cli.app import main as main
