"""Kernels: what an entry point is compiled to for one signature, kept in a file named by its content."""

from __future__ import annotations

import functools
import hashlib
import pickle
import re
import secrets
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import config, njit, types
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.core.typing.typeof import Purpose
from numba.extending import typeof_impl

from goalward import _cache
from goalward._compile import ComponentError, fingerprint, unregistered
from goalward._numba.callees import CALLEE, ENTRY, set_environments
from goalward._numba.components import Component, register_class, type_of

# What these files do to the code is part of its identity.
SELF = hashlib.blake2b(b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))), digest_size=8).hexdigest()
PLAIN = frozenset((bool, int, float, type(None), np.random.Generator))  # their type says it all
_registering = threading.Lock()
_functions: set[FunctionType] = set()  # those that are components
_callees: dict[str, Any] = {}  # what Numba makes of them, by their fingerprints
_entries: dict[tuple[Any, ...], Callable[..., Any]] = {}  # by the function and the kinds of its arguments
_kernels: dict[str, Callable[..., Any]] = {}  # by the name, which says all that they depend on
used = _kernels.keys()  # the names of the kernels that this process has loaded or made

# Symbols carry these numbers. Numba counts from 1 in each process, so that two processes give one name to two versions of a function, and a third, which loads
# the kernels of both, runs one of them in the place of the other (numba/numba#10486).
FunctionIdentity._unique_ids = iter(lambda: secrets.randbits(64), None)


class Kernel(NullCache):
    """Keeps what one entry point was compiled to. A cache may only ever make things faster: whatever is wrong with it is said, and no error."""

    def __init__(self, function: Callable[..., Any], signature: tuple[types.Type, ...]) -> None:
        machine = cpu_target.target_context.codegen().magic_tuple(), config.OPT, config.BOUNDSCHECK, config.DEBUGINFO_DEFAULT
        versions = sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, SELF
        identity = repr((fingerprint(function), [*map(str, signature)], machine, versions))
        module = str(function.__module__)
        users = [m for m in modules(signature) if m.partition(".")[0] not in ("goalward", module.partition(".")[0])]  # it is theirs, then: see `_cache.prune`
        readable = re.sub(r"[^\w.]", "", ".".join([*users[:1], module, function.__qualname__]))
        readable = readable.replace("__mp_main__", "__main__")  # the script, in a process spawned by it
        self.name = f"{readable[:100]}-{hashlib.blake2b(identity.encode(), digest_size=12).hexdigest()}"

    def load_overload(self, sig, target_context):
        target_context.refresh()
        payload = _cache.load(self.name)
        if payload is None:
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # noqa: BLE001  # whole, but of no use: what it refers to may have moved
            _cache.remove(self.name)
            return None

    def save_overload(self, sig, cres):
        set_environments(cres)
        if cres.library.has_dynamic_globals:
            complain(f"{self.name} cannot be kept: it holds an address in this process; a constant array of more than a megabyte should be a field")
            return
        try:
            _cache.keep(self.name, dumps(cres._reduce()))
        except Exception as reason:  # noqa: BLE001  # a disk can fail in many ways, and a pickle too
            why = getattr(reason, "strerror", None) or reason  # without the name of the file
            complain(f"compiled code cannot be kept, the next process compiles it again ({why}); NUMBA_CACHE_DIR may name another folder")


def modules(signature: Iterable[types.Type]) -> Iterator[str]:
    """Where the components are from."""
    for kind in signature:
        if isinstance(kind, Component):
            yield kind.instance_class.__module__
        if isinstance(kind, types.BaseTuple):
            yield from modules(kind)


@functools.cache
def complain(text: str) -> None:
    """Once: Numba makes Python forget which warnings it has shown."""
    warnings.warn(text, stacklevel=2)


def entry_for(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """Looking at the arguments is enough to know them again: Numba takes as long to tell the types of a model as a small plan takes."""
    if unregistered:
        register_all()
    key = (function, *map(kind, arguments))
    return _entries.get(key) or _entries.setdefault(key, entry(function, tuple(map(type_of, arguments))))


def kind(value: Any) -> Any:
    """What decides which type Numba gives to a value."""
    cls = type(value)
    if cls is np.ndarray:
        return value.dtype, value.ndim, value.flags.num
    if cls in PLAIN:
        return cls
    if isinstance(value, tuple):
        return cls, *map(kind, value)
    return (cls, value.dtype) if isinstance(value, np.generic) else type_of(value)


def entry(function: Callable[..., Any], signature: tuple[types.Type, ...]) -> Callable[..., Any]:
    if config.DISABLE_JIT:  # NUMBA_DISABLE_JIT=1: coverage, debuggers
        return function
    kernel = Kernel(function, signature)
    if kernel.name in _kernels:
        return _kernels[kernel.name]
    dispatcher = njit(**ENTRY)(function)
    dispatcher._cache = kernel
    try:
        return _kernels.setdefault(kernel.name, dispatcher.compile(signature))
    except ComponentError:
        raise
    except Exception as reason:  # most are Numba's own, but a part of it asserts, or knows no more than that it does not know
        text = str(reason) or repr(reason)
        raise ComponentError(f"{function.__qualname__} cannot be compiled; run it with NUMBA_DISABLE_JIT=1 to see it in Python. {text}") from reason


def register_all() -> None:
    with _registering:
        while unregistered:
            register(unregistered[0])
            del unregistered[0]
        _entries.clear()  # a cell of a notebook may have been run again: what older definitions reach is then something else


def register(definition: Any) -> None:
    if isinstance(definition, type):
        register_class(definition)
    else:
        _functions.add(definition)


@typeof_impl.register(FunctionType)
def function_type(function: FunctionType, context: Any) -> types.Dispatcher | None:
    """A component is compiled anew when it reaches something else than before: Numba would not look again, and what is kept would not be what its name says."""
    if function not in _functions or context.purpose is not Purpose.constant:
        return None
    content = fingerprint(function)
    callee = _callees.get(content) or _callees.setdefault(content, njit(**CALLEE)(function))
    if callee.is_compiling:  # what was compiled could run, but not be kept
        raise ComponentError(f"{function.__qualname__} calls itself, directly or through others; write a loop")
    return types.Dispatcher(callee)
