"""Characters that control what displays a text, and those that nobody sees, in which words can hide."""

import re
from typing import Final

CONTROLS: Final = frozenset(
    map(
        chr,
        (
            *range(0x20),
            *range(0x7F, 0xA0),
            *(0x061C, 0x200E, 0x200F),  # marks of direction
            *range(0x202A, 0x202F),  # embeddings and overrides of direction
            *range(0x2066, 0x206A),  # isolates of direction
        ),
    )
)
"""The control characters of Unicode (Cc), and those of its bidirectional algorithm.

The second kind makes a text look like another one: "\\u202egpj.exe" is shown as "exe.jpg".
"""

INVISIBLE: Final = frozenset(
    map(
        chr,
        (
            0xAD,  # soft hyphen
            *(0x200B, 0xFEFF, *range(0x2060, 0x2065)),  # spaces and operators without width
            *range(0xFE00, 0xFE0F),  # variation selectors but that of emoji
            *range(0xE0000, 0xE0080),  # tags
            *range(0xE0100, 0xE01F0),  # more variation selectors
        ),
    )
)
"""Characters without a glyph, which languages do not need."""

_JOINERS: Final = "\u200c\u200d\ufe0f"
"""Persian, Indic scripts and emoji need them, after a character that is not ASCII."""

_HIDDEN: Final = re.compile(f"[{''.join(sorted(INVISIBLE))}]|(?<![^\x00-\x7f])[{_JOINERS}]")
_SHOWN: Final = str.maketrans(dict.fromkeys(CONTROLS - {"\n", "\t"}, "\N{REPLACEMENT CHARACTER}"))
_ESCAPED: Final = str.maketrans({each: f"\\u{ord(each):04x}" for each in CONTROLS if each >= "\x7f"})


def has_controls(text: str) -> bool:
    """Whether a text has a control character, or one that nobody sees."""
    return not CONTROLS.isdisjoint(text) or _HIDDEN.search(text) is not None


def without_hidden(text: str) -> str:
    """The text without characters that nobody sees."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def visible(text: str) -> str:
    """The text for a terminal: control characters but line breaks and tabs are replaced by U+FFFD."""
    return text.translate(_SHOWN)


def escaped(json: str) -> str:
    """The same JSON with escapes for control characters that JSON allows as they are."""
    return json.translate(_ESCAPED)
