"""What the HTTP server knows of a request beside its caller, for all doors behind it."""

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Any, Final

from legacymind.calls import Caller, work_for

BODY: Final = "legacymind.body"
"""The key of the scope with the body of a request, after a middleware has read it."""

_KEY: Final = "legacymind.access"


@dataclass(frozen=True, slots=True)
class Access:
    """Who sends a request.

    ``anonymous``: the request needs no token and has none, although others need one. ``challenge`` is the
    value of ``WWW-Authenticate`` with which a client learns how to get a token that may write; blank if there
    is no way.
    """

    caller: Caller
    anonymous: bool = False
    challenge: str = ""

    def note(self, scope: MutableMapping[str, Any]) -> None:
        """Note the access in the scope of the request, whose task works for its caller from now on."""
        scope[_KEY] = self
        work_for(replace(self.caller, door=str(scope["path"]).strip("/").partition("/")[0]))

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> "Access":
        """The access noted in the scope of a request. Without one, the request may do nothing."""
        access: Access = scope[_KEY]
        return access
