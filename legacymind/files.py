"""Locates the data files of the package: ``cypher/``, ``explorer/``, ``graphql/`` and ``seed/``."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
# A wheel has them in legacymind/_files, a checkout next to legacymind/.
_ROOT = _PACKAGE / "_files" if (_PACKAGE / "_files").is_dir() else _PACKAGE.parent


def path(*parts: str) -> Path:
    """The path of a data file or folder, for example ``path("seed", "knowledge.jsonl")``."""
    return _ROOT.joinpath(*parts)


def text(*parts: str) -> str:
    """The content of a data file, decoded as UTF-8."""
    return path(*parts).read_text(encoding="utf-8")
