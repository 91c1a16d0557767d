"""Plain values as tagged JSON, used on both sides of the pipe.

`encode` takes exact types only, so that a float subclass with an `__eq__` of its own arrives as an `Opaque`, which
equals nothing. `decode` is strict: it looks tags and number formats up in tables, never evaluates a name, never
unpickles, and bounds depth, size and the number of hashed elements.
"""
from __future__ import annotations

import binascii
import math
import struct
import sys
from collections.abc import Callable, Iterable

TYPE_CHECKING = False  # importing typing costs every worker three milliseconds
if TYPE_CHECKING:
    from typing import Any

    Json = Any  # None, bool, str, int, list and dict of the same: what json.loads gives

_all = all  # a program may put another one in its place
MAX_DEPTH = 40
MAX_NODES = 50_000  # every one costs the judge time; an honest answer over 1000 tokens has a few thousand
MAX_HASHED = 5_000  # parts of the keys of one set or dict: chosen integers collide, and each pair of keys is compared
MAX_HASHED_IN_ALL = 20_000
DIGITS_A_PART = 16  # hexadecimal digits of an integer that count as one more part
COMPLEX_PARTS = 4  # that a complex number counts for besides one: chosen ones collide by the thousand
MAX_INT_BITS = 400_000
MAX_FLOAT_TEXT = 40
FLOAT_BYTES = 8
MAX_NAME = 200
MAX_AXES = 8
DTYPES = frozenset("<f8 <f4 <f2 <i8 <i4 <i2 |i1 |u1 <u2 <u4 <u8 |b1 <c8 <c16".split())
COMPLEX = ("<c8", "<c16")
TENSORS = {  # torch's number formats, and the bytes of each number; bfloat16 is one that NumPy has not
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2,
    "int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint8": 1, "bool": 1,
}  # fmt: skip


class CodecError(ValueError):
    """A value that can't travel, or a reply that no honest worker makes."""


class Opaque:
    """Stands for a value that can't travel: its type's name, and why where there is a reason. Equals nothing else."""

    __slots__ = ("reason", "type_name")

    def __init__(self, type_name: str, reason: str = "") -> None:
        self.type_name, self.reason = type_name, reason

    def __repr__(self) -> str:
        return f"<{self.type_name}: {self.reason}>" if self.reason else f"<{self.type_name}>"


def encode(value: object, strict: bool = False) -> Json:
    """The value as JSON-ready data. Raises CodecError if it is too deep or too large.

    A value of another type becomes an Opaque, or raises CodecError if `strict`.
    """
    return _Encoder(strict).encode(value, 0)


def encode_or_opaque(value: object, met: list[type] | None = None) -> Json:
    """As `encode`, but a value that is too deep or too large becomes an Opaque that says so.

    Types that can't travel are added to `met`.
    """
    try:
        return _Encoder(False, met).encode(value, 0)
    except CodecError as error:
        return _opaque(value, str(error))


def decode(tree: Json, tensors: bool = False) -> object:
    """The value that `encode` was given. Raises CodecError for anything `encode` does not make.

    `tensors` admits torch tensors, and imports torch for the first; else they are foul.
    """
    try:
        return _Decoder(tensors).decode(tree, 0)
    except CodecError:
        raise
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError, RuntimeError) as error:
        raise CodecError(f"malformed value ({type(error).__name__})") from None


def _opaque(value: object, reason: str = "") -> Json:
    kind = type(value)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return {"opaque": [f"{module}{kind.__qualname__}"[:MAX_NAME], reason[:MAX_NAME]]}


class _Encoder:
    def __init__(self, strict: bool, met: list[type] | None = None) -> None:
        self._strict, self._nodes, self._hashed = strict, MAX_NODES, MAX_HASHED_IN_ALL
        self._met = met

    def encode(self, value: Any, depth: int) -> Json:
        kind = type(value)
        if depth > MAX_DEPTH:
            raise CodecError(f"nested more than {MAX_DEPTH} deep")
        self._nodes -= 1
        if self._nodes < 0:
            raise CodecError(f"more than {MAX_NODES} elements")
        if value is None or kind is bool or kind is str:
            return value
        if kind is float:
            return {"float": value.hex()}
        if kind is list or kind is tuple:
            if value and _all(type(item) is float for item in value):
                return self._floats(value, kind)
            return {kind.__name__: [self.encode(item, depth + 1) for item in value]}
        return self._rarer(value, kind, depth)

    def _floats(self, value: Any, kind: type) -> Json:
        """Nothing but floats, such as the probabilities of a vocabulary: their eight bytes each, in one text."""
        self._nodes -= len(value)
        if self._nodes < 0:
            raise CodecError(f"more than {MAX_NODES} elements")
        return {"floats": [kind.__name__, _base64(struct.pack(f"<{len(value)}d", *value))]}

    def _rarer(self, value: Any, kind: type, depth: int) -> Json:
        if kind is int:
            if value.bit_length() > MAX_INT_BITS:
                raise CodecError(f"an integer of more than {MAX_INT_BITS} bits")
            return self._leaf({"int": hex(value)})
        if kind is complex:
            return self._leaf({"complex": [value.real.hex(), value.imag.hex()]})
        if kind is bytes:
            return {"bytes": _base64(value)}
        if kind is set or kind is frozenset:
            return {kind.__name__: self._keys(value, depth)}
        if kind is dict:
            keys = self._keys(value, depth)
            items = [self.encode(item, depth + 1) for item in value.values()]
            return {"dict": [list(pair) for pair in zip(keys, items, strict=True)]}
        tree = _numeric(value, kind)
        if tree is None and self._strict:
            raise CodecError(f"a value of type {kind.__qualname__} can't travel")
        if tree is None and self._met is not None:
            self._met.append(kind)
        return _opaque(value) if tree is None else self._leaf(tree)

    def _leaf(self, tree: Json) -> Json:
        for tag, body in tree.items():
            self._nodes -= _more(tag, body)
        if self._nodes < 0:
            raise CodecError(f"more than {MAX_NODES} elements")
        return tree

    def _keys(self, keys: Iterable[Any], depth: int) -> list[Json]:
        before = self._nodes
        trees = [self.encode(key, depth + 1) for key in keys]
        parts = before - self._nodes
        self._hashed -= parts
        if parts > MAX_HASHED or self._hashed < 0:
            raise CodecError(f"a set or dict of more than {MAX_HASHED} elements")
        return trees


def _base64(raw: bytes) -> str:
    return binascii.b2a_base64(raw, newline=False).decode("ascii")


def _numeric(value: Any, kind: type) -> Json:
    """NumPy arrays and scalars, and torch tensors; None for anything else. Imports neither library."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and kind is getattr(torch, "Tensor", None):
        return _dense(value, torch)
    if numpy is None or not (kind is numpy.ndarray or isinstance(value, numpy.generic) and kind is value.dtype.type):
        return None
    dtype = value.dtype.newbyteorder("<")
    if dtype.str not in DTYPES:
        return None
    raw = _base64(numpy.ascontiguousarray(value).astype(dtype).tobytes())
    return {"array": [dtype.str, list(value.shape), raw]} if kind is numpy.ndarray else {"scalar": [dtype.str, [], raw]}


def _dense(value: Any, torch: Any) -> Json:
    """A tensor with numbers of a known format in this machine's memory; None for another, such as a sparse one."""
    name = str(value.dtype).removeprefix("torch.")
    if name not in TENSORS or value.layout is not torch.strided or value.device.type != "cpu":
        return None
    flat = torch.empty(value.numel(), dtype=value.dtype).copy_(value.detach().reshape(-1))  # with strides of its own
    return {"tensor": [name, list(value.shape), _base64(flat.view(torch.uint8).numpy().tobytes())]}


def _more(tag: str, body: Json) -> int:
    """For how many elements a leaf counts besides one; for its length where it is a key, for what it becomes later."""
    if tag == "int":
        return len(body) // DIGITS_A_PART
    if tag == "complex":
        return COMPLEX_PARTS
    if tag not in ("array", "scalar", "tensor"):
        return 0
    dtype, shape, _ = body
    _check_shape(shape)
    if 0 in shape:  # without content, and yet as many empty lists to whoever lists it
        return math.prod(shape[: shape.index(0)])
    return COMPLEX_PARTS if tag == "scalar" and dtype in COMPLEX else 0


class _Decoder:
    def __init__(self, tensors: bool) -> None:
        self._nodes, self._hashed = MAX_NODES, MAX_HASHED_IN_ALL
        self._leaves = _LEAVES | {"tensor": _tensor} if tensors else _LEAVES

    def decode(self, tree: Json, depth: int) -> Any:
        self._nodes -= 1
        if depth > MAX_DEPTH or self._nodes < 0:
            raise CodecError("nested too deeply, or too many elements")
        kind = type(tree)
        if tree is None or kind is bool or kind is str:
            return tree
        if kind is not dict or len(tree) != 1:
            raise CodecError("a value without exactly one tag")
        tag, body = next(iter(tree.items()))
        if tag in _SEQUENCES:
            return _SEQUENCES[tag](self._items(body, depth))
        if tag in _SETS:
            return _SETS[tag](self._keys(body, depth))
        if tag == "floats":
            return self._floats(body)
        if tag == "dict":
            pairs = [_pair(pair) for pair in _listed(body)]
            keys = self._keys([key for key, _ in pairs], depth)
            return dict(zip(keys, self._items([item for _, item in pairs], depth), strict=True))
        if tag not in self._leaves:
            raise CodecError("an unknown tag")
        self._nodes -= _more(tag, body)
        if self._nodes < 0:
            raise CodecError("too many elements")
        return self._leaves[tag](body)

    def _floats(self, body: Json) -> Any:
        kind, text = _pair(body)
        raw = _bytes(text)
        self._nodes -= len(raw) // FLOAT_BYTES
        if self._nodes < 0 or not raw or len(raw) % FLOAT_BYTES:
            raise CodecError("too many elements, or a part of a float")
        return _SEQUENCES[kind](struct.unpack(f"<{len(raw) // FLOAT_BYTES}d", raw))

    def _items(self, body: Json, depth: int) -> list[Any]:
        return [self.decode(item, depth + 1) for item in _listed(body)]

    def _keys(self, body: Json, depth: int) -> list[Any]:
        """The keys of a set or dict, counted with all their parts before the first of them is hashed."""
        before = self._nodes
        keys = self._items(body, depth)
        parts = before - self._nodes
        self._hashed -= parts
        if parts > MAX_HASHED or self._hashed < 0:
            raise CodecError("too many hashed elements")
        return keys


_SEQUENCES: dict[str, Callable[[Iterable[Any]], Any]] = {"list": list, "tuple": tuple}
_SETS: dict[str, Callable[[Iterable[Any]], Any]] = {"set": set, "frozenset": frozenset}


def _listed(body: Json) -> list[Any]:
    if type(body) is not list:
        raise CodecError("elements that are not a list")
    return body


def _pair(parts: Json) -> list[Json]:
    if type(parts) is not list or len(parts) != 2:
        raise CodecError("a pair that is none")
    return parts


def _int(text: str) -> int:
    if type(text) is not str or len(text) > MAX_INT_BITS // 4 + 10:
        raise CodecError("an integer that is too large")
    return int(text, 16)  # base 16 is linear in the length and has no digit limit


def _float(text: str) -> float:
    if type(text) is not str or len(text) > MAX_FLOAT_TEXT:
        raise CodecError("a float that is too long")
    return float.fromhex(text)


def _complex(parts: list[str]) -> complex:
    real, imaginary = _pair(parts)
    return complex(_float(real), _float(imaginary))


def _bytes(text: str) -> bytes:
    return binascii.a2b_base64(text, strict_mode=True)


def _make_opaque(parts: list[str]) -> Opaque:
    type_name, reason = _pair(parts)
    if type(type_name) is not str or type(reason) is not str or max(len(type_name), len(reason)) > MAX_NAME:
        raise CodecError("a type name that is not a short text")
    return Opaque(type_name, reason)


def _array(parts: list[Any]) -> Any:
    import numpy

    dtype, shape, raw = parts
    if dtype not in DTYPES:
        raise CodecError("an array of an unknown number format")
    _check_shape(shape)
    flat = numpy.frombuffer(_bytes(raw), dtype=dtype)
    if math.prod(shape) != flat.size or (dtype == "|b1" and flat.view("|u1").max(initial=0) > 1):
        raise CodecError("an array whose content does not fit its shape or format")
    return flat.reshape(shape).copy()


def _tensor(parts: list[Any]) -> Any:
    import torch

    name, shape, text = parts
    if name not in TENSORS:
        raise CodecError("a tensor of an unknown number format")
    _check_shape(shape)
    raw = bytearray(_bytes(text))
    if math.prod(shape) * TENSORS[name] != len(raw) or (name == "bool" and max(raw, default=0) > 1):
        raise CodecError("a tensor whose content does not fit its shape or format")
    dtype = getattr(torch, name)
    return torch.frombuffer(raw, dtype=dtype).reshape(shape) if raw else torch.empty(shape, dtype=dtype)


def _check_shape(shape: Any) -> None:
    if type(shape) is not list or len(shape) > MAX_AXES:
        raise CodecError("an unknown shape")
    if not all(type(length) is int and 0 <= length < 1 << 31 for length in shape):
        raise CodecError("an impossible length")


def _scalar(parts: list[Any]) -> Any:
    array = _array(parts)
    if array.shape != ():
        raise CodecError("a scalar with a shape")
    return array[()]


_LEAVES: dict[str, Callable[[Any], Any]] = {
    "int": _int, "float": _float, "complex": _complex, "bytes": _bytes,
    "array": _array, "scalar": _scalar, "opaque": _make_opaque,
}  # fmt: skip
