"""The ONNX graph has the same bytes everywhere, is valid, and computes BERT as defined."""

import hashlib
import json
import math
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import numpy_helper
from tokenizers import Tokenizer

from legacymind.embed import minilm_onnx
from legacymind.embed.minilm import MiniLM

Array = NDArray[np.float64]


@pytest.fixture(scope="session")
def made(minilm: MiniLM) -> Path:
    """The folder of the real model's files."""
    return minilm.folder


def small_weights() -> minilm_onnx.Tensors:
    """A BERT of 2 layers and width 24, with made-up weights."""
    width, inner = 24, 48
    shapes = {
        "embeddings.word_embeddings.weight": (30, width),
        "embeddings.position_embeddings.weight": (16, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
    }
    for layer in ("encoder.layer.0", "encoder.layer.1"):
        dense = {f"attention.self.{part}": (width, width) for part in ("query", "key", "value")} | {
            "attention.output.dense": (width, width),
            "intermediate.dense": (inner, width),
            "output.dense": (width, inner),
        }
        for name, shape in dense.items():
            shapes[f"{layer}.{name}.weight"] = shape
            shapes[f"{layer}.{name}.bias"] = (shape[0],)
        for name in ("attention.output", "output"):
            shapes[f"{layer}.{name}.LayerNorm.weight"] = (width,)
            shapes[f"{layer}.{name}.LayerNorm.bias"] = (width,)
    return {
        name: ((np.arange(math.prod(shape)) % 7 - 3) / 8).astype(np.float32).reshape(shape)
        for name, shape in shapes.items()
    }


def test_the_same_weights_give_the_same_bytes() -> None:
    built = minilm_onnx.build(small_weights())
    assert built == minilm_onnx.build(small_weights())


def test_the_graph_is_valid_and_has_standard_operators_only() -> None:
    model = onnx.load_from_string(minilm_onnx.build(small_weights()))
    onnx.checker.check_model(model, full_check=True)  # pyright: ignore[reportUnknownMemberType]
    assert [entry.domain for entry in model.opset_import] == [""]
    assert {node.domain for node in model.graph.node} == {""}


def test_the_real_model_has_the_pinned_bytes(made: Path) -> None:
    # The same with onnx 1.18.0, 1.20.1 and 1.23.2. If a newer onnx writes other bytes and the next
    # test passes, pin the new ones.
    digest = hashlib.sha256((made / "model.onnx").read_bytes()).hexdigest()
    assert digest == "83a047eeba56bcce7a8a144dc6764d3199e17815e2260e5de86c6a9b2d03aa56"


@pytest.mark.anyio
async def test_the_vector_is_that_of_a_plain_forward_pass(minilm: MiniLM, made: Path) -> None:
    text = "Every thought recalls what it reminds of."
    tokenizer = Tokenizer.from_file(str(made / "tokenizer.json"))
    tokenizer.no_padding()
    expected = forward(constants(made / "model.onnx"), tokenizer.encode(text).ids)
    (vector,) = await minilm.embed([text])
    assert np.abs(np.array(vector) - expected).max() < 1e-6


def test_weights_are_read_as_they_were_written() -> None:
    first, second = np.arange(6, dtype="<f4").reshape(2, 3), np.array([7], dtype="<i8")
    header = json.dumps(
        {
            "__metadata__": {"format": "pt"},
            "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
            "ids": {"dtype": "I64", "shape": [1], "data_offsets": [24, 32]},
        }
    ).encode()
    raw = len(header).to_bytes(8, "little") + header + first.tobytes() + second.tobytes()
    weights = minilm_onnx.read_weights(raw)
    assert list(weights) == ["a"]
    assert weights["a"].dtype == np.float32
    assert (weights["a"] == first).all()


def constants(file: Path) -> dict[str, Array]:
    """The numbers in an ONNX file by name, without its graph."""
    model = onnx.load_from_string(file.read_bytes())
    return {
        tensor.name: numpy_helper.to_array(tensor).astype(np.float64) for tensor in model.graph.initializer
    }


def forward(w: dict[str, Array], ids: list[int]) -> Array:
    """The sentence vector of one text by BERT's definition: no batch, no mask, float64."""

    def norm(x: Array, name: str) -> Array:
        centred = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return centred / deviation * w[f"{name}.weight"] + w[f"{name}.bias"]

    def dense(x: Array, name: str) -> Array:
        return x @ w[f"{name}.weight.T"] + w[f"{name}.bias"]

    x = norm(w["embeddings.word_embeddings.weight"][ids] + w["positions"][: len(ids)], "embeddings.LayerNorm")
    for number in range(6):
        layer = f"encoder.layer.{number}"
        query, key, value = (dense(x, f"{layer}.attention.self.{part}") for part in ("query", "key", "value"))
        heads: list[Array] = []
        for head in (slice(start, start + 32) for start in range(0, 384, 32)):
            scores = np.exp(query[:, head] @ key[:, head].T / math.sqrt(32))
            heads.append(scores / scores.sum(-1, keepdims=True) @ value[:, head])
        seen = dense(np.concatenate(heads, axis=-1), f"{layer}.attention.output.dense")
        x = norm(x + seen, f"{layer}.attention.output.LayerNorm")
        inner = dense(x, f"{layer}.intermediate.dense")
        gelu = inner * (1 + np.vectorize(math.erf)(inner / math.sqrt(2))) / 2
        x = norm(x + dense(gelu, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)
