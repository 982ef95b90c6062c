"""Terminal output as an SVG file that needs nothing else: no font, script or image is fetched."""

from collections.abc import Sequence
from io import StringIO
from typing import Final

from rich.console import Console, RenderableType
from rich.terminal_theme import DEFAULT_TERMINAL_THEME

# rich's own template names web fonts. Any monospace font serves: every piece of text has a fixed length.
_TEMPLATE: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" \
role="img">
<style>
.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-family: sans-serif; font-size: 18px; font-weight: bold; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


def export_svg(lines: Sequence[RenderableType], *, title: str, width: int) -> str:
    """Return ``lines``, printed on a terminal of ``width`` columns, as an SVG document in UTF-8."""
    console = Console(
        file=StringIO(),
        record=True,
        width=width,
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
    )
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True)
    return console.export_svg(title=title, theme=DEFAULT_TERMINAL_THEME, code_format=_TEMPLATE)
