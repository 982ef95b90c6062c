"""Writes the table of dependencies with their licences: ``python -m scripts.dependencies``.

It reads the metadata of the packages in this environment, so it is run where ``legacymind`` is installed.
"""

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from scripts.update_docs import updated

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "dependencies.md"
NOT_STATED: Final = "not stated"

_SPDX: Final = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "GNU General Public License v2 (GPLv2)": "GPL-2.0",
    "MIT License": "MIT",
}
_LONGEST: Final = 60
"""Characters of a licence's name; longer texts are the licence itself."""


def installed() -> dict[str, Distribution]:
    """The packages that a plain installation of LegacyMind needs here, by name."""
    found: dict[str, Distribution] = {}
    waiting: list[tuple[str, frozenset[str]]] = [("legacymind", frozenset())]
    while waiting:
        name, extras = waiting.pop()
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for another platform or Python
            continue
        if (known := _normal(name)) in found and not extras:
            continue
        found[known] = package
        for line in package.requires or ():
            needed = Requirement(line)
            wanted = needed.marker is None or any(
                needed.marker.evaluate({"extra": extra}) for extra in ("", *extras)
            )
            if wanted and _normal(needed.name) not in found:
                waiting.append((needed.name, frozenset(needed.extras)))
    del found["legacymind"]
    return dict(sorted(found.items()))


def direct() -> set[str]:
    """The packages that LegacyMind names itself, without those of extras."""
    needed = [Requirement(line) for line in distribution("legacymind").requires or ()]
    return {_normal(each.name) for each in needed if each.marker is None}


def licence(package: Distribution) -> str:
    """The licence that a package states: as an expression, else by its name, else by its classifiers."""

    def stated(field: str) -> list[str]:
        found: list[str] = package.metadata.get_all(field) or []
        return [line.strip() for line in found if line.strip()]

    classes = [line.rpartition(" :: ")[2] for line in stated("Classifier") if line.startswith("License :: ")]
    names = [name for name in stated("License") if len(name) <= _LONGEST]
    found = next(iter((*stated("License-Expression"), *names)), " or ".join(classes) or NOT_STATED)
    return _SPDX.get(found, found)


def table() -> str:
    """All dependencies as a Markdown table; those that LegacyMind names are bold."""
    named = direct()
    lines = ["| package | version | licence |", "|---|---|---|"]
    for name, package in installed().items():
        shown = f"**{name}**" if name in named else name
        lines.append(f"| {shown} | {package.version} | {licence(package)} |")
    return "\n".join(lines)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8"), "dependencies", table()), encoding="utf-8")
