"""Descriptions of parameters: a short one for MCP's byte budget and a long one for people."""

from dataclasses import dataclass

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema


@dataclass(frozen=True, slots=True)
class About:
    """The two descriptions of a parameter or of a record's member. The JSON schema shows the short one.

    ``tuning``: an agent seldom needs the parameter. MCP's core profile accepts it without listing it.
    ``names``: as a rule the text is one of these names. An operation accepts aliases too, and a database may
    hold other texts. GraphQL has an enum of them, and null for another text; the schema of arguments lists
    them.
    """

    short: str
    long: str
    tuning: bool = False
    names: tuple[str, ...] = ()

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        listed = {"enum": list(self.names)} if self.names else {}
        return handler(core) | {"description": self.short} | listed


def about(short: str, long: str = "", *, tuning: bool = False, names: tuple[str, ...] = ()) -> About:
    """Describe a parameter within ``Annotated``.

    ``short`` is for ``tools/list``, which agents pay for by the byte; ``long`` is for command-line help,
    GraphQL and documentation. ``operations.descriptions`` adds the range and the default to it. ``tuning``
    leaves the parameter out of the tools that MCP's core profile lists. ``names`` are the choices of a
    text whose type allows others too.
    """
    return About(short, long or short, tuning, names)
