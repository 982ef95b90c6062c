"""Results of the help: every tool, and one in full."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from legacymind.model.about import about
from legacymind.model.base import Answer

Profile = Literal["core", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLine:
    """A tool in one line."""

    tool: Annotated[str, about("Name of the tool in MCP")]
    command: Annotated[str, about("Name of the command")]
    purpose: Annotated[str, about("What it does, in one line")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterHelp:
    """A parameter of a tool."""

    name: Annotated[str, about("Name of the parameter")]
    type: Annotated[str, about("Type, with its range or choices")]
    required: Annotated[bool, about("Whether a call must have it")]
    text: Annotated[str, about("Description, with the default")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExample:
    """A call of a tool."""

    purpose: Annotated[str, about("What the call is for")]
    arguments: Annotated[dict[str, Any], about("Arguments by name")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolHelp:
    """A tool in full."""

    tool: Annotated[str, about("Name of the tool in MCP")]
    command: Annotated[str, about("Name of the command")]
    python: Annotated[str, about("Name of the method in Python")]
    profile: Annotated[Profile, about("`core` if every MCP client gets it, else `full`")]
    writes: Annotated[bool, about("Whether it changes the memory")]
    destructive: Annotated[bool, about("Whether it removes data")]
    description: Annotated[str, about("What it does")]
    parameters: Annotated[list[ParameterHelp], about("Parameters, without the filters")]
    filters: Annotated[list[ParameterHelp], about("Parameters that narrow a search")] = field(
        default_factory=list[ParameterHelp]
    )
    examples: Annotated[list[ToolExample], about("Calls that work")] = field(
        default_factory=list[ToolExample]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpResult(Answer):
    """All tools in a line each, or one in full."""

    tools: Annotated[list[ToolLine], about("All tools, in a line each; empty if one was asked for")] = field(
        default_factory=list[ToolLine]
    )
    detail: Annotated[ToolHelp | None, about("The tool that was asked for; null without one")] = None
    left_out: Annotated[
        int,
        about("Number of lines that did not fit in the token budget"),
    ] = 0
