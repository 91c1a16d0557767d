"""Values survive the trip exactly; everything that no honest worker sends is refused."""
from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.sandbox import CodecError, Opaque
from grader.sandbox.inside import codec, frames

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.binary(max_size=40)
    | st.text(st.characters(exclude_categories=()), max_size=20)
)  # fmt: skip
HASHABLE = st.recursive(SCALARS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=5)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(HASHABLE, inner, max_size=3)
    | st.sets(HASHABLE, max_size=3),
    max_leaves=20,
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from("int float list dict set array tensor opaque x".split()), inner, max_size=2),
    max_leaves=10,
)


def travel(value: object, tensors: bool = False) -> Any:
    """Through bytes, as between the processes."""
    return codec.decode(frames.unpack(frames.pack(codec.encode(value))[4:]), tensors)


def canonical(value: Any) -> Any:
    """A text that tells types, signs of zero, NaN and order in sequences apart, but not order in sets."""
    if isinstance(value, (set, frozenset)):
        return (type(value).__name__, sorted(map(repr, map(canonical, value))))
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [canonical(item) for item in value])
    if isinstance(value, dict):
        return ("dict", [(canonical(key), canonical(item)) for key, item in value.items()])
    return (type(value).__name__, repr(value))


@given(VALUES)
@settings(max_examples=300, deadline=None)
def test_values_arrive_with_type_and_every_bit(value: object) -> None:
    assert canonical(travel(value)) == canonical(value)


@given(JSON)
@settings(max_examples=500, deadline=None)
def test_foreign_json_is_refused_or_decoded_but_never_breaks_the_judge(tree: object) -> None:
    for tensors in (False, True):
        with contextlib.suppress(CodecError):  # any other exception fails
            codec.decode(tree, tensors)


@pytest.mark.parametrize("dtype", sorted(codec.DTYPES))
def test_arrays_keep_dtype_shape_and_content(dtype: str) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype)
    back = travel(array)
    assert back.dtype == array.dtype and back.shape == (2, 3) and (back == array).all()
    back[0, 0] = 1  # the caller's own copy
    scalar = travel(array[1, 2])
    assert type(scalar) is type(array[1, 2]) and scalar == array[1, 2]


@pytest.mark.parametrize("array", [np.zeros((0, 3)), np.array(2.5), np.asfortranarray(np.eye(3)), np.eye(4)[::2, 1:]])
def test_arrays_of_odd_layout(array: np.ndarray) -> None:
    back = travel(array)
    assert isinstance(back, np.ndarray) and back.shape == array.shape and (back == array).all()


def test_big_endian_arrays_arrive_with_the_same_numbers() -> None:
    assert travel(np.array([1.5, 2.5], dtype=">f8")).tolist() == [1.5, 2.5]


@pytest.mark.parametrize("name", sorted(codec.TENSORS))
def test_tensors_arrive_with_their_number_format_and_every_bit(name: str) -> None:
    torch = pytest.importorskip("torch")
    dtype = getattr(torch, name)
    whole = torch.arange(24).reshape(4, 6).to(dtype)
    shapes = (whole, whole[:, ::2], whole.T, whole[0, :1], whole[1:2, 1:3][:, :1], whole[0, 0], whole[:0], whole[:, :0])
    for sent in shapes:
        back = travel(sent, tensors=True)
        assert type(back) is torch.Tensor and back.dtype == dtype and back.shape == sent.shape
        assert torch.equal(back, sent)
        back.zero_()  # it may be written to


def test_tensors_leave_their_gradients_and_odd_ones_stay_behind() -> None:
    torch = pytest.importorskip("torch")
    assert not travel(torch.ones(2, requires_grad=True), tensors=True).requires_grad
    nan, negative = torch.tensor([math.nan, -0.0]), torch.tensor([1 + 2j]).conj().imag
    assert travel(nan, tensors=True).isnan().tolist() == [True, False]
    assert negative.is_neg() and travel(negative, tensors=True).tolist() == [-2.0]
    odd = (torch.ones(2).to_sparse(), torch.ones(2, device="meta"), torch.ones(1, dtype=torch.complex64))
    for one in (*odd, torch.nn.Parameter(torch.ones(2))):
        assert isinstance(travel(one), Opaque)


@pytest.mark.parametrize(
    "body",
    [
        ["float32", [2], ""], ["float32", [1], "AAAAAAA="], ["float32", [-1], "AAAAAA=="],
        ["float32", [1.0], "AAAAAA=="], ["float32", [1] * 9, "AAAAAA=="], ["float32", "1", "AAAAAA=="],
        ["bool", [1], "Ag=="], ["quint8", [1], "AA=="],
        ["Tensor", [1], "AA=="], [["float32"], [1], "AAAAAA=="], ["float32", [1], 7], ["float32", [1]], "float32", None,
        ["float32", [0, 2**31 - 1, 2**31 - 1, 2**31 - 1], ""], ["float32", [2**31], ""],
        ["float32", [50_001, 0], ""],
    ],
    ids=str,
)  # fmt: skip
def test_a_forged_tensor_is_refused(body: Any) -> None:
    pytest.importorskip("torch")
    with pytest.raises(CodecError):
        codec.decode({"tensor": body}, tensors=True)


def test_a_tensor_is_foul_where_none_is_awaited() -> None:
    pytest.importorskip("torch")
    with pytest.raises(CodecError):
        codec.decode({"tensor": ["float32", [1], "AAAAAA=="]})


class LyingFloat(float):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = float.__hash__


class LyingScalar(np.float64):
    pass


class Subclass(np.ndarray):
    pass


@pytest.mark.parametrize(
    "value",
    [LyingFloat(1.0), LyingScalar(1.0), object(), len, iter([]), range(3), np.array(["a"]), np.eye(2).view(Subclass)],
    ids=lambda value: type(value).__name__,
)
def test_other_types_arrive_as_opaque_and_equal_nothing(value: object) -> None:
    back = travel(value)
    assert isinstance(back, Opaque) and back != travel(value) and back != 1.0
    with pytest.raises(CodecError, match="can't travel"):
        codec.encode(value, strict=True)


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def endless() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (deep(41), "deep"),
        (endless(), "deep"),
        ([0] * 200_001, "elements"),
        (set(range(5_001)), "set or dict"),
        ([set(range(4_900))] * 5, "set or dict"),
        ({(0, 0, 0, number) for number in range(1_100)}, "set or dict"),
        ({1 << 2_800 | number for number in range(200)}, "set or dict"),
        ([1 << 399_999] * 40, "elements"),
        (1 << 400_001, "bits"),
        ({complex(-1_000_003 * number, number) for number in range(1_001)}, "set or dict"),
        ([np.zeros((200, 200, 0))] * 2, "elements"),
        ([np.zeros([1] * 9)], "shape"),
    ],
    ids=["deep", "endless", "long", "set", "sets", "keys of many parts", "long keys", "long ints", "int",
         "complex keys", "hollow", "axes"],
)
def test_what_is_too_large_arrives_as_opaque_with_the_reason(value: object, reason: str) -> None:
    back = codec.decode(codec.encode_or_opaque(value))
    assert isinstance(back, Opaque) and reason in back.reason and back.type_name in ("list", "set", "int")


def test_the_largest_allowed_values_travel() -> None:
    assert travel(deep(40)) == deep(40)
    assert travel(set(range(5_000))) == set(range(5_000))
    assert travel(-(1 << 399_999)) == -(1 << 399_999)


@pytest.mark.parametrize(
    "forged",
    [
        1,
        1.5,
        [],
        {},
        {"int": 5},
        {"int": "0x" + "f" * 200_000},
        {"int": "1", "float": "0x1p0"},
        {"float": 1.0},
        {"float": "1" * 50},
        {"float": "one"},
        {"complex": "ab"},
        {"complex": ["0x1p0"]},
        {"list": {"int": "0x1"}},
        {"list": "ab"},
        {"dict": ["ab"]},
        {"dict": [[{"list": []}, None]]},
        {"set": [{"list": []}]},
        {"set": [{"int": hex(n * (2**61 - 1))} for n in range(5_001)]},
        {"set": [{"tuple": [{"int": "0x1"}] * 9 + [{"int": hex(n * (2**61 - 1))}]} for n in range(500)]},
        {"dict": [[{"tuple": [{"int": hex(n * (2**61 - 1))}] * 9}, None] for n in range(500)]},
        {"list": [{"set": [{"int": hex(n)} for n in range(4_900)]}] * 5},
        {"set": [{"complex": [float(-1_000_003 * n).hex(), float(n).hex()]} for n in range(1_001)]},
        {"set": [{"scalar": ["<c8", [], "AAAAAAAAAAA="]}] * 1_001},
        {"array": ["<f8", [2] * 100_000 + [0], ""]},
        {"list": [None] * 200_001},
        {"floats": "AAAAAAAAAAA="},
        {"floats": ["list", ""]},
        {"floats": ["list", "AAAA"]},
        {"floats": ["list", "AAAAAAAAAAA"]},
        {"floats": ["list", 1.0]},
        {"floats": ["set", "AAAAAAAAAAA="]},
        {"floats": [["list"], "AAAAAAAAAAA="]},
        {"floats": ["list", "A" * 640_000]},
        {"set": [{"floats": ["list", "AAAAAAAAAAA="]}]},
        {"set": [{"floats": ["tuple", "AAAAAAAAAAAA" * 3_000]}, {"floats": ["tuple", "BBBBBBBBBBBB" * 3_000]}]},
        {"bytes": "!"},
        {"bytes": "YQ"},
        {"opaque": "os.system"},
        {"opaque": ["x" * 201, ""]},
        {"eval": "1"},
        {"array": ["|O", [1], "AAAAAAAAAAA="]},
        {"array": ["object", [0], ""]},
        {"array": ["<f8", [2], "AAAAAAAAAAA="]},
        {"array": ["<f8", [-1], "AAAAAAAAAAA="]},
        {"array": ["<f8", [True], "AAAAAAAAAAA="]},
        {"array": ["<f8", [1] * 9, "AAAAAAAAAAA="]},
        {"array": ["<f8", [1 << 40], "AAAAAAAAAAA="]},
        {"array": ["<f8", [0, 2**31 - 1, 2**31 - 1, 2**31 - 1], ""]},
        {"array": ["<f8", [50_001, 0], ""]},
        {"list": [{"array": ["<f8", [200, 200, 0], ""]}] * 2},
        {"array": ["|b1", [1], "Ag=="]},
        {"array": ["<f8", [1]]},
        {"scalar": ["<f8", [1], "AAAAAAAAAAA="]},
    ],
    ids=lambda tree: str(tree)[:40],
)
def test_forged_values_are_refused(forged: object) -> None:
    with pytest.raises(CodecError):
        codec.decode(forged)


def test_a_deeply_nested_forgery_is_refused() -> None:
    tree: Any = None
    for _ in range(3_000):
        tree = {"list": [tree]}
    with pytest.raises(CodecError):
        codec.decode(tree)


@pytest.mark.parametrize(
    "body",
    [b"", b"NaN", b"[Infinity]", b"{", b"1 2", b"\xff", b'"\xc3\xa9"', b"9" * 5_000, b"[" * 99_999],
    ids=lambda body: repr(body[:12]),
)
def test_a_frame_is_strict_ascii_json(body: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        frames.unpack(body)


def test_lists_of_nothing_but_floats_travel_exactly() -> None:
    law = [0.1, -0.0, math.inf, 5e-324, 1 / 3]
    for sent in (law, tuple(law), [law, tuple(law)], {tuple(law): law}):
        assert repr(travel(sent)) == repr(sent)
    assert type(travel([1.0, True])[1]) is bool and type(travel([1.0, 1])[1]) is int
    with pytest.raises(CodecError):
        codec.encode([0.5] * 50_001)


def test_a_float_of_another_class_is_opaque_among_floats_too() -> None:
    class Lying(float):
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = float.__hash__

    received = codec.decode(codec.encode([0.5, Lying(0.5)]))
    assert isinstance(received, list) and isinstance(received[1], Opaque)


def test_nan_is_kept_and_equals_nothing() -> None:
    assert math.isnan(travel(math.nan)) and travel(math.inf) == math.inf and math.copysign(1, travel(-0.0)) == -1
