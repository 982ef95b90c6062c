"""Describes settings: the range of each, and errors about invalid values."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, time
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from legacymind.errors import ConfigurationError

_SHOWN: Final = 80
"""Characters of an invalid value that an error repeats."""


@dataclass(slots=True)
class Sources:
    """What was read: raw values by setting, their names in errors, and problems other than a value.

    ``ignored`` has what files of projects set and may not, by file.

    A name is an environment variable, or section and key of the file, such as ``retrieval.t1``.
    """

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    labels: dict[str, str] = field(default_factory=dict[str, str])
    problems: list[str] = field(default_factory=list[str])
    ignored: dict[Path, set[str]] = field(default_factory=dict[Path, set[str]])


def ranges(settings: type[BaseModel]) -> dict[str, str]:
    """The values that each setting allows, such as "0 to 65,535"; empty for any text."""
    return {name: _range(schema) for name, schema in _schema(settings).items()}


def problems(settings: type[BaseModel], error: ValidationError, labels: Mapping[str, str]) -> list[str]:
    """One sentence for each invalid setting; the values of secrets are left out."""
    sentences: list[str] = []
    for each in error.errors(include_url=False, include_context=False):
        name = str(each["loc"][0]) if each["loc"] else ""
        schema = _schema(settings).get(name)
        if schema is None:
            sentences.append(f"`{name[:_SHOWN]}` is not a setting.")
            continue
        problem = f"`{labels.get(name, name)}` must be {_requirement(schema)}"
        # Free text that is invalid cannot be shown, and may be an address with a password.
        hidden = schema["secret"] or (isinstance(each["input"], str) and not _range(schema))
        sentences.append(f"{problem}." if hidden else f"{problem}; it is {_shown(each['input'])}.")
    return sentences


def invalid(sentences: list[str]) -> ConfigurationError:
    """The error about one or more problems."""
    each = "the value" if len(sentences) == 1 else "each value"
    return ConfigurationError(
        " ".join(sentences),
        hint=f"Correct {each}, or remove it to use the default. docs/operation/settings.md lists all.",
    )


def _shown(value: object) -> str:
    """A value as the configuration file has it, without names of Python types."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return repr(value)[:_SHOWN]
    if isinstance(value, date | time):
        return value.isoformat()
    return json.dumps(value, default=str, ensure_ascii=False)[:_SHOWN]


@cache
def _schema(settings: type[BaseModel]) -> dict[str, dict[str, Any]]:
    """The JSON schema of every setting."""
    properties: dict[str, dict[str, Any]] = settings.model_json_schema(by_alias=False)["properties"]
    # An optional setting is a union with null.
    return {name: {**schema, **schema.get("anyOf", [{}])[0]} for name, schema in properties.items()}


def _range(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        *others, last = (f"`{choice}`" for choice in schema["enum"])
        return f"{', '.join(others)} or {last}"
    if schema["type"] == "boolean":
        return "`true` or `false`"
    if schema["type"] == "string":
        return "" if schema["title"][0].isupper() else schema["title"]  # a name in capitals is pydantic's
    if "exclusiveMinimum" in schema:
        return f"greater than {schema['exclusiveMinimum']:g}"
    low, high = schema["minimum"], schema.get("maximum")
    return f"{low:,} to {high:,}" if high is not None else f"{low:,} or more"


def _requirement(schema: Mapping[str, Any]) -> str:
    """What an error states after "must be", such as "a number between 0 and 1"."""
    range = _range(schema)
    if "enum" in schema or schema["type"] == "boolean":
        return range
    if schema["type"] == "string":
        return range or "text"
    noun = "a whole number" if schema["type"] == "integer" else "a number"
    if "maximum" in schema:
        return f"{noun} between {range.replace(' to ', ' and ')}"
    return f"{noun}, {range}" if "minimum" in schema else f"{noun} {range}"
