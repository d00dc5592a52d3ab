"""How what an entry point reaches is compiled: not for itself.

Numba would optimise each function with all that it calls, and turn it into machine code; then its caller, with all of that once more; and so on up to the entry
point, which is the only one that is ever called. Here callees are lowered to LLVM's language and left at that: the entry point has them linked in, and all is
optimised at once. That compiles an algorithm three to four times as fast, to code that is as good.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding as llvm
from numba import config
from numba.core.codegen import JITCodeLibrary, _parse_refprune_flags
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


class EntryLibrary(JITCodeLibrary):
    """Code that is called from Python. Loops are not unrolled: rows are short, and asking how many rounds are left over takes longer than going round."""

    def _optimize_final_module(self):
        """In Numba's two rounds: the first inlines, so that the second sees which references need no counting."""
        first, builder = self._codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap")
        first.run(self._final_module, builder)
        options = llvm.create_pipeline_tuning_options(speed_level=config.OPT)
        options.loop_vectorization, options.slp_vectorization = bool(config.LOOP_VECTORIZE), bool(config.SLP_VECTORIZE)
        options.loop_unrolling = options.loop_interleaving = False
        builder = llvm.create_pass_builder(self._codegen._tm, options)
        second = builder.getModulePassManager()
        second.add_refprune_pass(_parse_refprune_flags())
        second.run(self._final_module, builder)


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


class Lowering(NativeLowering):
    """Numba's last pass, into a library of our own."""

    library: type[JITCodeLibrary]

    def run_pass(self, state):
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(Lowering):
    _name, library = "entry_lowering", EntryLibrary


@register_pass(mutates_CFG=True, analysis_only=False)
class CalleeLowering(Lowering):
    _name, library = "callee_lowering", CalleeLibrary


class EntryCompiler(CompilerBase):
    """Numba's own passes, but for the last."""

    lowering: type[Lowering] = EntryLowering

    def define_pipelines(self):
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(self.lowering if step is NativeLowering else step, text) for step, text in passes.passes]
        passes.finalize()
        return [passes]


class CalleeCompiler(EntryCompiler):
    lowering = CalleeLowering


ENTRY = {"nogil": True, "no_cfunc_wrapper": True, "pipeline_class": EntryCompiler}
CALLEE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": CalleeCompiler}
