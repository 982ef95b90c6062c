"""A real cross-encoder in ONNX, small enough to make in a test."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordLevel

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def make_cross_encoder(folder: Path, words: str, *, onnx_file: str = "model.onnx") -> Path:
    """Write a model into ``folder``: its score is the number of pairs of equal words of query and text.

    It knows ``words``, in lower case; its input is 512 tokens. Returns the folder.
    """
    (folder / onnx_file).parent.mkdir(parents=True, exist_ok=True)
    (folder / onnx_file).write_bytes(_graph())
    vocabulary = {word: number for number, word in enumerate((*SPECIAL, *dict.fromkeys(words.split())))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {"model_max_length": 512, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def _graph() -> bytes:
    """Inputs and output as BERT's cross-encoders have them: three (batch, sequence), one (batch, 1)."""

    def constant(name: str, values: object, dtype: type[np.float32 | np.int64]) -> onnx.TensorProto:
        return numpy_helper.from_array(np.asarray(values, dtype=dtype), name)

    def node(operator: str, inputs: str, output: str, **options: Any) -> onnx.NodeProto:
        return helper.make_node(operator, inputs.split(), [output], **options)

    number = TensorProto.FLOAT
    nodes = [
        node("Cast", "token_type_ids", "second", to=number),
        node("Sub", "one second", "first"),
        node("Greater", "input_ids last_special", "is_word"),
        node("Cast", "is_word", "word", to=number),
        node("Cast", "attention_mask", "present", to=number),
        node("Mul", "word present", "counted"),
        node("Mul", "first counted", "of_query"),
        node("Mul", "second counted", "of_text"),
        node("Unsqueeze", "input_ids axis_2", "rows"),
        node("Unsqueeze", "input_ids axis_1", "columns"),
        node("Equal", "rows columns", "same"),
        node("Cast", "same", "equal", to=number),
        node("Unsqueeze", "of_query axis_2", "query_rows"),
        node("Unsqueeze", "of_text axis_1", "text_columns"),
        node("Mul", "equal query_rows", "from_query"),
        node("Mul", "from_query text_columns", "pairs"),
        node("ReduceSum", "pairs axis_2", "by_word", keepdims=0),
        node("ReduceSum", "by_word axis_1", "logits", keepdims=1),
    ]
    constants = [
        constant("one", 1, np.float32),
        constant("last_special", len(SPECIAL) - 1, np.int64),
        constant("axis_1", [1], np.int64),
        constant("axis_2", [2], np.int64),
    ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("logits", number, ["batch", 1])
    graph = helper.make_graph(nodes, "overlap", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)  # pyright: ignore[reportUnknownMemberType]
    return model.SerializeToString()
