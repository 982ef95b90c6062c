"""Finds the files that travel with the package: cypher/, graphql/ and seed/."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
# A wheel carries them inside the package; a checkout has them beside it.
_ROOT = _PACKAGE / "_files" if (_PACKAGE / "_files").is_dir() else _PACKAGE.parent


def path(*parts: str) -> Path:
    """The path of a travelling file or folder, e.g. ``path("seed", "knowledge.jsonl")``."""
    return _ROOT.joinpath(*parts)


def text(*parts: str) -> str:
    """The text of a travelling file."""
    return path(*parts).read_text(encoding="utf-8")
