"""Writes the table of settings in README.md and the reference of operations; tests compare them."""

import re
from dataclasses import fields
from pathlib import Path

from legacymind.settings import Settings
from legacymind.settings.describe import ranges
from scripts import operations_reference

README = Path(__file__).resolve().parent.parent / "README.md"


def settings_table() -> str:
    """All settings as a Markdown table."""
    allowed = ranges(Settings)
    lines = ["| variable | in legacymind.toml | default | range | description |", "|---|---|---|---|---|"]
    for setting in fields(Settings):
        shown = str(setting.default).lower() if isinstance(setting.default, bool) else str(setting.default)
        default = "" if setting.default in ("", None) else f"`{shown}`"
        variable, section, help = (setting.metadata[name] for name in ("variable", "section", "help"))
        lines.append(
            f"| `{variable}` | `[{section}] {setting.name}` | {default} | {allowed[setting.name]} | {help} |"
        )
    return "\n".join(lines)


def updated(text: str) -> str:
    """The text of the README with the current table."""
    return re.sub(
        r"(<!-- settings -->\n).*?(<!-- /settings -->)",
        lambda found: f"{found[1]}{settings_table()}\n{found[2]}",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
    operations_reference.write()
