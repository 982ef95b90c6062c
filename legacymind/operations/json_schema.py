"""Generates short JSON schemas of arguments.

Agents pay for every byte of ``tools/list``. Titles, null branches and empty defaults make up two thirds of
pydantic's own schemas.
"""

from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema, core_schema


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of an operation's arguments. Callers share it, and do not change it."""
    return model.model_json_schema(schema_generator=Slim)


class Slim(GenerateJsonSchema):
    """Omits titles, formats, null branches and empty defaults, and inlines records.

    A record that contains itself would cause infinite recursion; no input type does.
    """

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """The schema of an operation's arguments, without additional properties."""
        self._shared: dict[str, CoreSchema] = {}
        return super().generate(schema, mode) | {"additionalProperties": False}

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        """A part of the schema; without its ``ref``, it is inlined and gets no definition."""
        inlined: Any = {key: value for key, value in schema.items() if key != "ref"}
        made = super().generate_inner(inlined)
        made.pop("title", None)
        return made

    def field_title_should_be_set(self, schema: Any) -> bool:
        """No field has a title."""
        return False

    def definitions_schema(self, schema: core_schema.DefinitionsSchema) -> JsonSchemaValue:
        """A schema with shared records."""
        self._shared |= {str(one.get("ref")): one for one in schema["definitions"]}
        return self.generate_inner(schema["schema"])

    def definition_ref_schema(self, schema: core_schema.DefinitionReferenceSchema) -> JsonSchemaValue:
        """A shared record, inlined."""
        return self.generate_inner(self._shared[schema["schema_ref"]])

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """The schema without null, because null means the same as leaving a parameter out."""
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """A default, unless it is null, empty or false."""
        made = super().default_schema(schema)
        if made.get("default") in (None, [], False, ""):
            made.pop("default", None)
        return made

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        """A time, as a string without a format; the validation explains the expected format."""
        return {"type": "string"}

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """A JSON object as text: strict modes refuse objects with any members. An object is accepted too."""
        return {"type": "string"}

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """A dataclass, without its docstring; the parameter has a description."""
        return _undescribed(super().dataclass_schema(schema))

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """A TypedDict, without its docstring; the parameter has a description."""
        return _undescribed(super().typed_dict_schema(schema))


def _undescribed(record: JsonSchemaValue) -> JsonSchemaValue:
    return {key: value for key, value in record.items() if key not in ("description", "additionalProperties")}
