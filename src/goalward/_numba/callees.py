"""How what an entry point reaches is compiled: not for itself.

Numba would optimise each function with all that it calls, and turn it into machine code; then its caller, with all of that once more; and so on up to the entry
point, which is the only one that is ever called. Here callees are lowered to LLVM's language and left at that: the entry point has them linked in, and all is
optimised at once. That compiles an algorithm three to four times as fast, to code that is as good.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class CalleeLibrary(JITCodeLibrary):
    """Code that is there to be linked into other code."""

    @property
    def codegen(self):
        return WithoutAddresses(self._codegen)

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name):
        return 0


class WithoutAddresses:
    """A code generator that is not asked where in memory something lies that is not there yet."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """`set_environments` does it, when the entry point has an address."""


def set_environments(result: CompileResult) -> None:
    """Tell the code of an entry point the Python objects that it and its callees refer to."""
    for environment in result._find_referenced_environments():
        result.library.codegen.set_env(environment.env_name, environment)


@register_pass(mutates_CFG=True, analysis_only=False)
class CalleeLowering(NativeLowering):
    _name = "callee_lowering"

    def run_pass(self, state):
        state.library = CalleeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


class CalleeCompiler(CompilerBase):
    """Numba's own passes, but for the last."""

    def define_pipelines(self):
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(CalleeLowering if step is NativeLowering else step, text) for step, text in passes.passes]
        passes.finalize()
        return [passes]


CALLEE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": CalleeCompiler}
