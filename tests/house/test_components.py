"""Components say nothing that compiled code would do otherwise than Python.

An index that is a negative number reads elsewhere when compiled. Powers, logarithms and sums of NumPy differ in the last bit from what they are compiled to; so
do `sum` and `pow`. What a component may have of NumPy is listed, so that whatever else there is has to be looked at first. (Slices are no indices: `v[:-1]` is
the same either way.)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.house.sources import modules

NUMPY = {
    "empty", "zeros", "full", "ones", "arange", "empty_like", "zeros_like", "inf", "nan",
    "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
}  # fmt: skip
METHODS = {"sum", "mean", "std", "var", "prod", "dot", "trace"}  # of arrays
FUNCTIONS = {"sum", "pow"}
OPERATORS = {ast.Pow: "**", ast.MatMult: "@"}


def components(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and any(ast.unparse(mark).rpartition(".")[2] == "component" for mark in node.decorator_list):
            yield node


def wrong(text: str) -> list[str]:
    """What is wrong in the components of a text, with line numbers."""
    return [f"{line}: {what}" for body in components(ast.parse(text)) for node in code_of(body) for line, what in complaints(node)]


def code_of(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run in compiled code. Annotations do not, nor do class methods and static methods: they make components, in Python."""
    for name, part in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in part if isinstance(part, list) else [part]:
            if isinstance(child, ast.AST) and not (isinstance(child, ast.FunctionDef) and child.decorator_list):
                yield child
                yield from code_of(child)


def complaints(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Subscript):
        for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub) and isinstance(index.operand, ast.Constant):
                yield node.lineno, f"the index {ast.unparse(index)}"
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OPERATORS:
        yield node.lineno, OPERATORS[type(node.op)]
    elif isinstance(node, ast.Attribute):
        is_numpy = ast.unparse(node.value) in ("np", "numpy")
        if node.attr not in NUMPY if is_numpy else node.attr in METHODS:
            yield node.lineno, ast.unparse(node)
    elif isinstance(node, ast.Name) and node.id in FUNCTIONS:
        yield node.lineno, node.id


def test_components_of_the_package() -> None:
    assert [f"{module.name}, line {complaint}" for module in modules() for complaint in wrong(module.text)] == []


def test_there_are_components() -> None:
    assert sum(1 for module in modules() for _ in components(module.tree)) > 50


def function(*lines: str) -> str:
    return "@component\ndef f(v, i):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("return v[-1]", "the index -1"),
        ("return v[i, -2]", "the index -2"),
        ("v[-1] = 0.0", "the index -1"),
        ("v[-1] += 1.0", "the index -1"),
        ("return v.field[i][-1]", "the index -1"),
        ("return v ** 2", "**"),
        ("v **= 0.5", "**"),
        ("return v @ i", "@"),
        ("return np.log(v)", "np.log"),
        ("return 1.0 + np.sqrt(v)", "np.sqrt"),
        ("return np.exp(v)", "np.exp"),
        ("return np.sum(v)", "np.sum"),
        ("return np.mean(v)", "np.mean"),
        ("return np.dot(v, i)", "np.dot"),
        ("return np.random.random()", "np.random"),
        ("return v.sum()", "v.sum"),
        ("return v[i].mean()", "v[i].mean"),
        ("return sum(v)", "sum"),
        ("return pow(v, 2)", "pow"),
        ("if i > 0:\n        return [v ** 2 for _ in i]", "**"),
    ],
)
def test_a_wrong_line_is_seen(line: str, found: str) -> None:
    assert [complaint.partition(": ")[2] for complaint in wrong(function(line))] == [found]


def test_wrong_methods_are_seen() -> None:
    text = "@_compile.component\nclass C(NamedTuple):\n    v_s: NDArray[np.longdouble]\n\n    def last(self):\n        return self.v_s[-1]\n"
    assert wrong(text) == ["6: the index -1"]


@pytest.mark.parametrize(
    "text",
    [
        function("w = np.empty(i, np.int32)", "return np.full(i, np.inf), v.copy(), v.astype(np.int64), np.empty_like(v)"),
        function("return v[: -1], v[i - 1], v[-i], math.sqrt(v) * v, max(v), -1 * v[0]"),
        "@component\ndef f(rng: np.random.Generator, v: NDArray[np.float16] = -1) -> np.record:\n    return rng.random()\n",
        "def f(v):\n    return np.log(v[-1] ** 2).sum()\n",
        "@component\nclass C(NamedTuple):\n    @classmethod\n    def create(cls, v):\n        return cls(np.log(v[-1] ** 2).sum())\n",
    ],
)
def test_right_lines_are_left_alone(text: str) -> None:
    assert wrong(text) == []
