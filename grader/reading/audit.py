"""What a program's text reaches for beyond plain values: for a person to read, never a verdict.

An answer of this course computes with numbers. A program that opens files or looks at the interpreter's frames may
have a good reason, so what is found here is an observation. Nor does finding nothing prove anything: text can hide what
it does.
Runs inside the isolated process. Standard library only.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from grader.reading.parsing import parse

Seen = list[str]  # [code, name]; grader.flags words it

MOST = 12  # observations of one answer
MODULES = frozenset(
    "os posix nt io ctypes _ctypes socket _socket ssl select selectors subprocess _posixsubprocess multiprocessing "
    "signal threading _thread concurrent asyncio atexit gc inspect linecache pathlib shutil glob tempfile mmap "
    "resource fcntl pty importlib imp pkgutil runpy site builtins urllib http requests ftplib smtplib pickle marshal "
    "shelve dill code pdb faulthandler unittest doctest pytest _pytest IPython nbgrader otter grader solutions".split()
)
CALLS = frozenset({"open", "exec", "eval", "compile", "__import__", "breakpoint"})
OF_SYS = frozenset(
    "_getframe _current_frames modules settrace setprofile addaudithook meta_path path_hooks path".split()
)
ATTRIBUTES = frozenset(
    "__subclasses__ __globals__ __builtins__ __code__ __closure__ __mro__ __bases__ __base__ __reduce__ __reduce_ex__ "
    "__loader__ __spec__ f_back f_locals f_globals f_builtins tb_frame gi_frame cr_frame ag_frame ctypes ctypeslib "
    "memmap fromfile tofile".split()
)
PATH = re.compile(r"/(?:proc|etc|sys|dev|root|run|var)\b|(?:\.\.?/)*(?:\.\./|solutions[/.])[\w./]*$")

IMPORT, ATTRIBUTE = re.compile(r"\s*(?:import|from)\s+(\w+)"), re.compile(r"\.\s*(__\w+__|\w+)")
QUOTED = re.compile(r"""(["'])([^"']+)\1""")


def audit(source: str, stub: str = "") -> list[Seen]:
    """What `source` reaches for and `stub` doesn't, as [code, name] in order, each once."""
    ours = _ours(stub)
    return [list(one) for one in dict.fromkeys(_seen(source)) if one not in ours][:MOST]


@lru_cache(maxsize=8)
def _ours(stub: str) -> frozenset[tuple[str, str]]:
    return frozenset(_seen(stub))


def _seen(source: str) -> Iterator[tuple[str, str]]:
    tree, _ = parse(source)
    if tree is None:
        yield from _in_words(source)
        return
    nodes = list(ast.walk(tree))
    calls = CALLS - {name for node in nodes for name in _bound(node)}
    sys_names = {alias.asname or "sys" for node in nodes if isinstance(node, ast.Import)
                 for alias in node.names if alias.name == "sys"}  # fmt: skip
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Name):
            if node.id == "__builtins__" or node.id in calls and isinstance(node.ctx, ast.Load):
                yield "uses", node.id
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node, sys_names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in prose and PATH.match(node.value):
                yield "names_path", node.value
        else:
            yield from _imported(node)


def _in_words(source: str) -> Iterator[tuple[str, str]]:
    """The little that is certain of a text that doesn't parse: its imports, attributes and paths, comments aside."""
    for line in source.split("\n"):
        code = line.partition("#")[0]
        imported = IMPORT.match(code)
        if imported is not None and imported[1] in MODULES:
            yield "imports", imported[1]
        yield from (("uses", name) for name in ATTRIBUTE.findall(code) if name in ATTRIBUTES)
        yield from (("names_path", text) for _, text in QUOTED.findall(code) if PATH.match(text))


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that the program gives a meaning of its own."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg


def _attribute(node: ast.Attribute, sys_names: set[str]) -> Iterator[tuple[str, str]]:
    if isinstance(node.value, ast.Name) and node.value.id in sys_names:
        if node.attr in OF_SYS:
            yield "uses", f"sys.{node.attr}"
    elif node.attr in ATTRIBUTES:
        yield "uses", node.attr


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        roots = [alias.name.partition(".")[0] for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        roots = [(node.module or "").partition(".")[0]]
        if node.module == "sys":
            yield from (("uses", f"sys.{alias.name}") for alias in node.names if alias.name in OF_SYS)
    else:
        return
    yield from (("imports", root) for root in roots if root in MODULES)
