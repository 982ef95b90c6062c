"""The types of settings: their checks and ranges."""

from functools import partial
from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, Field

from legacymind.characters import has_controls
from legacymind.settings import by_mode

_LONGEST_NAMESPACE: Final = 512
"""Bytes; ``services.shared.checks`` limits every key to as many."""


def _not_bool(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError  # Python would take True for 1
    return value


def _text(value: str) -> str:
    value.encode()  # fails for a lone surrogate, which stands for a byte that is not UTF-8
    if "\0" in value:
        raise ValueError
    return value


def _folder(value: str) -> str:
    try:
        Path(value).expanduser()
    except RuntimeError:
        raise ValueError from None  # ~name of an unknown user
    if "\0" in value:
        raise ValueError
    return value


def _namespace(value: str) -> str:
    fits = value.strip() and len(value.encode()) <= _LONGEST_NAMESPACE
    if not fits or has_controls(value):
        raise ValueError
    return value


# A title states the requirement on a text; ``describe`` derives that of any other type.
Text = Annotated[str, AfterValidator(_text)]
Folder = Annotated[str, AfterValidator(_folder), Field(title="the path of a folder")]
Namespace = Annotated[
    str,
    AfterValidator(_namespace),
    Field(title=f"1 to {_LONGEST_NAMESPACE} bytes of text without control characters"),
]
NOT_BOOL = BeforeValidator(_not_bool)
Port = Annotated[int, Field(ge=0, le=65_535), NOT_BOOL]
Count = Annotated[int, Field(ge=0), NOT_BOOL]
Positive = Annotated[int, Field(ge=1), NOT_BOOL]
Seconds = Annotated[float, Field(gt=0), NOT_BOOL]
NotNegative = Annotated[float, Field(ge=0), NOT_BOOL]
Threshold = Annotated[float, Field(ge=0, le=1), NOT_BOOL]


def _numbers(least: by_mode.Numbers, most: by_mode.Numbers, *, whole: bool = False) -> AfterValidator:
    return AfterValidator(partial(by_mode.check, least=least, most=most, whole=whole))


Most = Annotated[
    str,
    _numbers((0,) * 5, (100,) * 5, whole=True),
    Field(title="five whole numbers from 0 to 100, for scales 1 to 5"),
]
Weights = Annotated[
    str,
    _numbers((0, 0, 0, 0, 0.01), (1, 1, 1, 1, 36_500)),
    Field(title="four numbers from 0 to 1 and a number of days, for each mode"),
]
