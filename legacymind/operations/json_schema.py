"""JSON schemas of arguments, as short as they can be without losing meaning.

Agents pay for every byte of ``tools/list``. Titles, null branches, and defaults that say "nothing" take
two thirds of pydantic's own schemas.
"""

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

_RECORDS = frozenset({"dataclass", "typed-dict", "model"})


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of an operation's arguments."""
    return model.model_json_schema(schema_generator=Slim)


class Slim(GenerateJsonSchema):
    """Without titles, formats, null branches and empty defaults; with records where they are used.

    A record that contained itself would recurse for ever; no input does.
    """

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """The schema of an operation, closed against unknown names; its records refuse them as well."""
        self._shared: dict[str, CoreSchema] = {}
        return super().generate(schema, mode) | {"additionalProperties": False}

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        """A part of the schema; a core schema without a ``ref`` gets no definition of its own."""
        inlined: Any = {key: value for key, value in schema.items() if key != "ref"}
        made = super().generate_inner(inlined)
        made.pop("title", None)
        return made

    def field_title_should_be_set(self, schema: Any) -> bool:
        """No field has a title."""
        return False

    def definitions_schema(self, schema: core_schema.DefinitionsSchema) -> JsonSchemaValue:
        """A schema whose records are shared."""
        self._shared |= {str(one.get("ref")): one for one in schema["definitions"]}
        return self.generate_inner(schema["schema"])

    def definition_ref_schema(self, schema: core_schema.DefinitionReferenceSchema) -> JsonSchemaValue:
        """A shared record, where it is used."""
        return self.generate_inner(self._shared[schema["schema_ref"]])

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """What is not null: leaving a parameter out is the same as null."""
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Only defaults that differ from nothing."""
        made = super().default_schema(schema)
        if made.get("default") in (None, [], False, ""):
            made.pop("default", None)
        return made

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        """A time, which InvalidInput explains when it cannot be read."""
        return {"type": "string"}

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """Any object."""
        return {"type": "object"}

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """A record of ``model``; its place describes it."""
        return _undescribed(super().dataclass_schema(schema))

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """A TypedDict; its place describes it."""
        return _undescribed(super().typed_dict_schema(schema))


def _undescribed(record: JsonSchemaValue) -> JsonSchemaValue:
    return {key: value for key, value in record.items() if key not in ("description", "additionalProperties")}
