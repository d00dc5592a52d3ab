"""The commands under one name, and what becomes of errors.

Exit codes: 0 done; 1 a check failed; 2 the input is wrong; 130 interrupted. Wrong input of any kind, click's own complaints included, ends as one paragraph on
stderr that names the field, the value and what was expected. Any other exception is a bug, and keeps its traceback.
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import click

from goalward import __version__
from goalward.cli.exits import DONE, INTERRUPTED, WRONG_INPUT
from goalward.cli.inputs import field
from goalward.cli.listing import list_command
from goalward.cli.printing import complain
from goalward.cli.simulating import simulate
from goalward.cli.solving import solve
from goalward.cli.warming import warmup
from goalward.errors import GoalwardError, unknown_name


class CommandLine(click.Group):
    """A click group that words errors as this house does. Commands return their exit code."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        sys.exit(_exit_code(lambda: super(CommandLine, self).main(*args, **extra | {"prog_name": "goalward", "standalone_mode": False})))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None:
            raise unknown_name("command", args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


def _exit_code(run: Any) -> int:
    """Run the command line; whatever goes wrong is said here, once."""
    try:
        return run() or DONE
    except click.Abort as stopped:  # click's word for KeyboardInterrupt, and for EOFError, which is a bug here: nothing is read from stdin
        if isinstance(stopped.__cause__, EOFError):
            raise stopped.__cause__ from None
        complain("goalward: interrupted")
        return INTERRUPTED
    except (GoalwardError, click.ClickException, MemoryError) as error:
        complain(f"goalward: {in_words(error)}")
        return WRONG_INPUT


def in_words(error: Exception) -> str:
    """Field, value and what was expected, of one of our errors or click's."""
    if isinstance(error, MemoryError):
        return f"not enough memory: expected a smaller problem ({error})"
    if isinstance(error, click.NoSuchOption) and error.ctx:
        options = (param for param in error.ctx.command.get_params(error.ctx) if isinstance(param, click.Option))
        return str(unknown_name("option", error.option_name, (max(option.opts, key=len) for option in options)))
    if isinstance(error, click.MissingParameter) and error.param and error.ctx:
        return f"{field(error.param)} is missing: expected {_usage(error.ctx)}"
    if isinstance(error, click.UsageError) and error.ctx:
        return f"{error.format_message().rstrip('.')}; expected {_usage(error.ctx)}"
    return error.format_message() if isinstance(error, click.ClickException) else str(error)


def _usage(ctx: click.Context) -> str:
    """How the command is written."""
    return " ".join([ctx.command_path, *ctx.command.collect_usage_pieces(ctx)])


@click.group(cls=CommandLine, invoke_without_command=True, no_args_is_help=False)
@click.version_option(__version__, message="goalward %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Goal-oriented reinforcement learning: stochastic shortest path problems, solved with a certificate.

    \b
      goalward list environments          what there is to solve
      goalward solve paper-grid           the best plan, drawn, and how good it surely is
      goalward solve model.npz --json     the same of a model of one's own, for programs
      goalward simulate paper-grid uc-ssp learning, and what it cost

    Exit codes: 0 done; 1 a check failed; 2 the input is wrong; 130 interrupted. NO_COLOR and COLUMNS are heeded.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


main.add_command(solve)
main.add_command(simulate)
main.add_command(warmup)
main.add_command(list_command)
