"""Components as Numba sees them: the address of their fields.

Plain Numba passes a tuple by value, hundreds of words for a whole algorithm, with a count of references for every array in it at every touch. Here a component
is one word, its arrays are borrowed from the caller, and its methods are direct calls that LLVM inlines. Each class has a type of its own, to which its methods
are taught, so that components need not agree on names.
"""

from __future__ import annotations

import functools
import inspect
import operator
from typing import Any

from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils, typing
from numba.core.imputils import lower_builtin, lower_cast, lower_getattr_generic
from numba.extending import NativeValue, box, models, overload_method, register_model, typeof_impl, unbox

from goalward._compile import ComponentError, fingerprint, methods
from goalward._numba.callees import CALLEE

_live: dict[str, Component] = {}  # by name


def live_type(name: str) -> Component:
    return _live[name]


class Component(types.NamedTuple):
    """The type of a component: two are equal if and only if the code they reach and the types of their fields are."""

    def __init__(self, fields: tuple[types.Type, ...], cls: type) -> None:
        super().__init__(fields, cls)
        self.name = f"{cls.__qualname__}#{fingerprint(cls)}({', '.join(map(str, fields))})"

    key = property(lambda self: self.name)

    def __bool__(self) -> bool:  # without fields it would be false, and Numba take it for no object at all
        return True

    def __reduce__(self) -> tuple[Any, ...]:  # by name: the class may live in __main__, and whoever loads a kernel has the components it is for
        return live_type, (self.name,)


class Borrowed(types.Array):
    """An array that is a field. The caller's Python object keeps it alive, so its references are not counted; and no index into it is negative."""

    def __init__(self, array: types.Array) -> None:
        super().__init__(array.dtype, array.ndim, array.layout, not array.mutable, f"borrowed {array}", array.aligned)
        self.plain = array

    def __reduce__(self) -> tuple[Any, ...]:
        return Borrowed, (self.plain,)


register_model(Borrowed)(models.ArrayModel)
UNCOUNTED = Borrowed, types.NumPyRandomGeneratorType


@lower_builtin(operator.getitem, Borrowed, types.Integer)
@lower_builtin(operator.getitem, Borrowed, types.UniTuple)
@lower_builtin(operator.setitem, Borrowed, types.Integer, types.Any)
@lower_builtin(operator.setitem, Borrowed, types.UniTuple, types.Any)
def index_from_start(context, builder, sig, args):
    """Numba would ask of each index whether it is negative; of an unsigned one it does not."""
    array, index, *value = sig.args
    plain = typing.signature(sig.return_type, array.plain, unsigned(index), *value)
    operation = context.get_function(operator.setitem if value else operator.getitem, plain)
    return operation(builder, [args[0], context.cast(builder, args[1], index, unsigned(index)), *args[2:]])


def unsigned(index: types.Type) -> types.Type:
    if isinstance(index, types.UniTuple):
        return types.UniTuple(unsigned(index.dtype), len(index))
    return types.uintp if isinstance(index, types.Integer) else index


@lower_cast(Borrowed, types.Array)
def as_plain(context, builder, borrowed, plain, value):
    return value


class Reference(models.OpaqueModel):
    """Compiled code holds a component as the address of its fields, so that a call passes one word."""


def layout(context, field):
    """How a field lies in memory: a component lies within the one that it is part of."""
    return ir.LiteralStructType([layout(context, f) for f in field]) if isinstance(field, Component) else context.get_value_type(field)


@unbox(Component)
def lay_out(kind, value, c):
    leaves: list[tuple[types.Type, NativeValue]] = []
    memory = cgutils.alloca_once(c.builder, layout(c.context, kind))
    store(c, kind, value, memory, leaves)
    failed = functools.reduce(c.builder.or_, [native.is_error for _, native in leaves], cgutils.false_bit)

    def release():
        for field, native in leaves:
            if native.cleanup:
                native.cleanup()
            c.context.nrt.decref(c.builder, field, native.value)

    return NativeValue(c.builder.bitcast(memory, cgutils.voidptr_t), is_error=failed, cleanup=release)


def store(c, kind, value, memory, leaves):
    for i, field in enumerate(kind):
        part, place = c.pyapi.tuple_getitem(value, i), cgutils.gep_inbounds(c.builder, memory, 0, i)
        if isinstance(field, Component):
            store(c, field, part, place, leaves)
        else:
            leaves.append((field, c.unbox(field, part)))
            c.builder.store(leaves[-1][1].value, place)


@box(Component)
@box(Borrowed)
def refuse(kind, value, c):
    raise ComponentError(f"compiled code may not return {kind}: it belongs to the caller; return a copy")


@lower_getattr_generic(Component)
def get_field(context, builder, kind, value, name):
    i = kind.fields.index(name)
    place = cgutils.gep_inbounds(builder, builder.bitcast(value, layout(context, kind).as_pointer()), 0, i)
    if isinstance(kind[i], Component):
        return builder.bitcast(place, cgutils.voidptr_t)
    return borrow(context, builder, kind[i], load(builder, place))


def borrow(context, builder, kind, value):
    """As Numba wants what it is handed: counted, or with nothing to count."""
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, Component):
        for i, item in enumerate(kind):
            value = builder.insert_value(value, borrow(context, builder, item, builder.extract_value(value, i)), i)
    elif isinstance(kind, UNCOUNTED):
        place = context.data_model_manager[kind].get_field_position("meminfo")
        value = builder.insert_value(value, cgutils.voidptr_t(None), place)
    else:
        context.nrt.incref(builder, kind, value)
    return value


def load(builder, place):
    """Word by word, each marked as never changing, so that LLVM reads it once however often it is asked for."""
    kind = place.type.pointee
    if not isinstance(kind, ir.Aggregate):
        word = builder.load(place)
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
        return word
    whole = ir.Constant(kind, ir.Undefined)
    for i in range(len(kind)):
        whole = builder.insert_value(whole, load(builder, cgutils.gep_inbounds(builder, place, 0, i)), i)
    return whole


def register_class(cls: type) -> None:
    """Make a class known: the type of its instances, and its methods."""
    kind = type(f"{cls.__name__}Type", (Component,), {})
    register_model(kind)(Reference)
    for name in methods(cls):
        _teach(kind, name, inspect.getattr_static(cls, name))

    def type_of_instance(value: Any, context: Any) -> Component:
        found_in = type(value)
        if found_in is not cls:  # a subclass that is not marked
            register_class(found_in)
            return typeof(value)
        found: Component = kind(tuple(map(field_type, value)), cls)
        _live[found.name] = found
        return found

    typeof_impl.register(cls)(type_of_instance)


def _teach(kind: type[Component], name: str, method: Any) -> None:
    def resolve(self, *arguments, **keywords):
        return method

    resolve.__signature__ = bare(inspect.signature(method))  # type: ignore[attr-defined]  # what Numba goes by
    overload_method(kind, name, strict=False, jit_options=CALLEE | {"forceinline": True})(resolve)


def bare(signature: inspect.Signature) -> inspect.Signature:
    """Without annotations, which do not matter to a call."""
    return inspect.Signature([parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()])


def field_type(value: Any) -> types.Type:
    if type(value) is tuple:
        return types.BaseTuple.from_types(tuple(map(field_type, value)))
    plain = type_of(value)
    return Borrowed(plain) if isinstance(plain, types.Array) else plain


def type_of(value: Any) -> types.Type:
    try:
        kind = typeof(value)
    except ValueError as reason:
        raise ComponentError(f"compiled code cannot use a {type(value).__name__}: {reason}") from reason
    if getattr(kind, "reflected", False):  # what compiled code adds would be lost
        raise ComponentError(f"compiled code cannot use a {type(value).__name__} of Python's: expected an array or a tuple")
    return kind
