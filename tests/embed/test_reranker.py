"""Re-rankers: real cross-encoders of fastembed from folders and from a hub, and their errors."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from fastembed.rerank.cross_encoder import TextCrossEncoder  # pyright: ignore[reportMissingTypeStubs]

from legacymind.embed import fastembed_files, reranker
from legacymind.embed.minilm import MiniLM
from legacymind.embed.reranker import Reranker, RerankerFailed, make_reranker
from legacymind.errors import ConfigurationError, DownloadFailed
from legacymind.settings import Settings
from tests.embed.cross_encoder import make_cross_encoder
from tests.embed.fake_hub import hub

pytestmark = pytest.mark.anyio

HUB_MODEL = "Xenova/ms-marco-MiniLM-L-6-v2"
WORDS = "copper kettle tea stove"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_cross_encoder(tmp_path / "model", WORDS)


def made(model: Path | str, cache: Path) -> Reranker:
    ranker = make_reranker(Settings(reranker=str(model), cache=str(cache)))
    assert ranker is not None
    return ranker


def test_without_the_setting_there_is_no_re_ranker() -> None:
    assert make_reranker(Settings()) is None


@pytest.mark.parametrize("file", ["model.onnx", "onnx/model.onnx"])
async def test_a_folder_gives_one_score_for_each_text(file: str, tmp_path: Path) -> None:
    ranker = made(make_cross_encoder(tmp_path / "m", WORDS, onnx_file=file), tmp_path)
    await ranker.fetch()  # nothing to download
    texts = ["tea", "A copper kettle.", "", "kettle kettle kettle", "stove"]
    assert await ranker.scores("copper kettle?", texts) == [0, 2, 0, 3, 0]


async def test_texts_longer_than_the_input_are_read_from_their_beginning(
    folder: Path, tmp_path: Path
) -> None:
    ranker = made(folder, tmp_path)
    texts = ["tea " * 20, *["kettle", "tea"] * 30, "tea " * 900, f"{'stove ' * 900} tea"]
    # 512 tokens, of which three are special and one is the query.
    assert await ranker.scores("tea", texts) == [20, *[0, 1] * 30, 508, 0]
    assert len(await ranker.scores("tea " * 50_000, ["tea", "kettle"])) == 2


async def test_concurrent_first_calls_load_the_model_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = 0
    real = TextCrossEncoder.__init__

    def counted(self: TextCrossEncoder, *args: Any, **options: Any) -> None:
        nonlocal loads
        loads += 1
        real(self, *args, **options)

    monkeypatch.setattr(TextCrossEncoder, "__init__", counted)
    ranker = made(folder, tmp_path)
    found = await asyncio.gather(*(ranker.scores("tea", ["tea", f"{n}"]) for n in range(5)))
    assert (loads, found) == (1, [[1, 0]] * 5)


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (
            "ms-marco-MiniLM-L-6-v2",
            r"neither a cross-encoder of fastembed nor a folder.*Xenova/ms-marco-MiniLM-L-6-v2",
        ),
        ("/nowhere/model", "neither a cross-encoder of fastembed nor a folder"),
    ],
)
async def test_an_unknown_model_is_an_error_with_similar_names(model: str, told: str, tmp_path: Path) -> None:
    ranker = made(model, tmp_path)
    for attempt in (ranker.fetch(), ranker.scores("x", ["y"])):
        with pytest.raises(ConfigurationError, match=told) as caught:
            await attempt
        assert "unset LEGACYMIND_RERANKER" in caught.value.hint


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
async def test_the_error_for_an_incomplete_folder_names_the_missing_file(
    missing: str, folder: Path, tmp_path: Path
) -> None:
    (folder / missing).unlink()
    with pytest.raises(ConfigurationError, match=f"lacks {missing}"):
        await made(folder, tmp_path).scores("x", ["y"])


async def test_damaged_files_and_models_of_another_kind_are_errors(
    folder: Path, tmp_path: Path, minilm: MiniLM
) -> None:
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ConfigurationError, match="cannot be used") as caught:
        await made(folder, tmp_path).scores("x", ["y"])
    assert str(folder) in caught.value.hint
    embeds = made(minilm.folder, tmp_path)
    with pytest.raises(ConfigurationError, match="cannot be used") as caught:
        await embeds.scores("x", ["y"])
    assert "one score for each text" in caught.value.hint


async def test_a_model_is_downloaded_once_and_then_used_without_the_hub(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}), encoding="utf-8")
    names = ("tokenizer.json", "tokenizer_config.json", "config.json")
    files = {name: folder / name for name in names} | {"onnx/model.onnx": folder / "model.onnx"}
    stages: set[str] = set()
    with hub(HUB_MODEL, files) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        await made(HUB_MODEL, tmp_path).fetch(lambda what, done, of: stages.add(what))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    ranker = made(HUB_MODEL.lower(), tmp_path)
    await ranker.fetch()
    assert await ranker.scores("copper kettle", ["kettle", "copper kettle"]) == [1, 2]
    assert capfd.readouterr() == ("", "")
    assert stages <= {fastembed_files.DOWNLOAD_RERANKER}


async def test_without_the_hub_the_reason_is_repeated_for_a_minute_without_another_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    downloads = 0

    async def unreachable(*args: Any, **options: Any) -> dict[str, object]:
        nonlocal downloads
        downloads += 1
        return {"ok": False, "hub": HUB_MODEL, "reached": False, "reason": "refused"}

    monkeypatch.setattr(fastembed_files, "_run", unreachable)
    ranker = made(HUB_MODEL, tmp_path)
    for _ in range(3):
        with pytest.raises(RerankerFailed, match=r"cannot be reached \(refused\).*LEGACYMIND_RERANKER"):
            await ranker.scores("x", ["y"])
    assert downloads == 1
    monkeypatch.setattr(reranker, "_RETRY_AFTER", 0.0)
    with pytest.raises(RerankerFailed):
        await ranker.scores("x", ["y"])
    with pytest.raises(DownloadFailed, match="The re-ranker Xenova"):
        await ranker.fetch()
    assert downloads == 3


def no_number(*args: Any, **options: Any) -> list[float]:
    return [float("nan")]


async def test_a_model_that_fails_in_a_call_is_used_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranker = made(folder, tmp_path)
    assert await ranker.scores("tea", ["tea"]) == [1]
    with monkeypatch.context() as broken:
        broken.setattr(TextCrossEncoder, "rerank", no_number)
        with pytest.raises(RerankerFailed, match="does not give one number for each text"):
            await ranker.scores("tea", ["tea"])
    assert await ranker.scores("tea", ["tea"]) == [1]
