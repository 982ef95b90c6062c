"""Writes the table of settings in README.md; a test compares them."""

import re
from pathlib import Path

from legacymind.settings import table

README = Path(__file__).resolve().parent.parent / "README.md"


def updated(text: str) -> str:
    """The text of the README with the current table."""
    return re.sub(
        r"(<!-- settings -->\n).*?(<!-- /settings -->)",
        lambda found: f"{found[1]}{table()}\n{found[2]}",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
