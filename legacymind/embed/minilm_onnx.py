"""The ONNX graph of all-MiniLM-L6-v2, built from the official weights with only numpy and onnx.

The model is a BERT encoder (Devlin et al., arXiv:1810.04805) with 6 layers, 12 heads and width 384. Sizes
come from the shapes of the weights; the constants below, which shapes do not determine, come from the
model's ``config.json``. The graph has only standard operators, so every ONNX runtime can run it and a test
can validate it with ``onnx.checker``. onnxruntime fuses attention by itself; its own fused operator was not
faster.
"""

import json
import math
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

HEADS = 12
LAYER_NORM_EPSILON = 1e-12

# Fixed, not the newest version of the installed onnx, so that every machine builds the same bytes.
# 20 is the first operator set with Gelu.
OPSET = 20
IR_VERSION = 9

Tensors = dict[str, NDArray[np.float32]]


def read_weights(raw: bytes) -> Tensors:
    """Return the float32 tensors in the bytes of a ``.safetensors`` file, by name.

    The format: 8 bytes with the length of a JSON header (little-endian), the header, then the raw tensors at
    the offsets that the header gives. Tensors of another type (here the position ids, which the graph does
    not need) are left out. Raises ValueError or KeyError for bytes of another format.
    """
    start = 8 + int.from_bytes(raw[:8], "little")
    tensors = memoryview(raw)[start:]
    weights: Tensors = {}
    for name, entry in json.loads(raw[8:start]).items():
        if entry.get("dtype") == "F32":
            first, end = entry["data_offsets"]
            weights[name] = np.frombuffer(tensors[first:end], np.dtype("<f4")).reshape(entry["shape"])
    return weights


class _Encoder:
    """A graph under construction; each method adds operators and returns the name of their result."""

    def __init__(self, weights: Tensors) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def node(self, operator: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        output = output or f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], name=f"make_{output}", **attributes))
        return output

    def constant(self, name: str, values: object, dtype: type[np.float32 | np.int64]) -> str:
        # Shared by name, because the six layers use the same few shapes and factors.
        if name not in self.constants:
            array = np.ascontiguousarray(values, dtype=dtype)
            self.constants[name] = numpy_helper.from_array(array, name)
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name], np.float32)

    def dense(self, x: str, name: str) -> str:
        # Weights are stored as (out, in); transposing them here saves it in every run.
        matrix = self.constant(f"{name}.weight.T", self.weights[f"{name}.weight"].T, np.float32)
        return self.node("Add", self.node("MatMul", x, matrix), self.weight(f"{name}.bias"))

    def norm(self, x: str, name: str, output: str = "") -> str:
        gain, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.node(
            "LayerNormalization", x, gain, bias, output=output, axis=-1, epsilon=LAYER_NORM_EPSILON
        )

    def embeddings(self) -> str:
        """Add the embedding of (batch, sequence) token ids to (batch, sequence, width)."""
        # A text is one segment, so segment 0 is added to every position.
        segment = self.weights["embeddings.token_type_embeddings.weight"][0]
        positions = self.weights["embeddings.position_embeddings.weight"] + segment
        table = self.constant("positions", positions, np.float32)
        zero = self.constant("zero", [0], np.int64)
        length = self.node("Shape", "input_ids", start=1, end=2)
        placed = self.node("Slice", table, zero, length, zero)
        words = self.node("Gather", self.weight("embeddings.word_embeddings.weight"), "input_ids", axis=0)
        return self.norm(self.node("Add", words, placed), "embeddings.LayerNorm")

    def hidden(self) -> str:
        """Add the (batch, 1, 1, sequence) attention mask: 0 for a token, −1e9 for padding."""
        axes = self.constant("axes_1_2", [1, 2], np.int64)
        mask = self.node("Cast", self.node("Unsqueeze", "attention_mask", axes), to=TensorProto.FLOAT)
        absent = self.node("Sub", self.constant("one", 1, np.float32), mask)
        return self.node("Mul", absent, self.constant("silence", -1e9, np.float32))

    def attention(self, x: str, name: str, hidden: str, width: int) -> str:
        by_head = self.constant("by_head", [0, 0, HEADS, width // HEADS], np.int64)
        joined = self.constant("joined", [0, 0, width], np.int64)
        scale = self.constant("scale", math.sqrt(width // HEADS), np.float32)

        def heads(part: str, order: list[int]) -> str:
            return self.node(
                "Transpose", self.node("Reshape", self.dense(x, f"{name}.{part}"), by_head), perm=order
            )

        query, key = heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1])
        scores = self.node("Add", self.node("Div", self.node("MatMul", query, key), scale), hidden)
        mixed = self.node("MatMul", self.node("Softmax", scores, axis=-1), heads("value", [0, 2, 1, 3]))
        return self.node("Reshape", self.node("Transpose", mixed, perm=[0, 2, 1, 3]), joined)

    def layer(self, x: str, name: str, hidden: str, width: int, output: str) -> str:
        seen = self.dense(
            self.attention(x, f"{name}.attention.self", hidden, width), f"{name}.attention.output.dense"
        )
        x = self.norm(self.node("Add", seen, x), f"{name}.attention.output.LayerNorm")
        inner = self.node("Gelu", self.dense(x, f"{name}.intermediate.dense"), approximate="none")
        return self.norm(
            self.node("Add", self.dense(inner, f"{name}.output.dense"), x), f"{name}.output.LayerNorm", output
        )


def build(weights: Tensors) -> bytes:
    """Return the model as the bytes of an ONNX file.

    Inputs ``input_ids`` and ``attention_mask``, int64 (batch, sequence), sequence at most 512; output
    ``last_hidden_state``, float32 (batch, sequence, 384), which fastembed pools as the first output. The
    same weights give the same bytes. Raises KeyError for weights of another model.
    """
    width = weights["embeddings.word_embeddings.weight"].shape[1]
    layers = sum(name.endswith("attention.self.query.weight") for name in weights)
    graph = _Encoder(weights)
    x = graph.embeddings()
    hidden = graph.hidden()
    for number in range(layers):
        output = "last_hidden_state" if number == layers - 1 else ""
        x = graph.layer(x, f"encoder.layer.{number}", hidden, width, output)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
        for name in ("input_ids", "attention_mask")
    ]
    result = helper.make_tensor_value_info(x, TensorProto.FLOAT, ["batch", "sequence", width])
    model = helper.make_model(
        helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", inputs, [result], list(graph.constants.values())),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="legacymind",
    )
    return model.SerializeToString(deterministic=True)
