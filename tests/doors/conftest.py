"""Fixtures of the doors' tests."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from legacymind.mind import Mind


@pytest.fixture
def break_operation() -> Callable[[Mind, str, Exception], None]:
    """Make an operation of a mind raise an error; call it before the door is built."""

    def replace_method(mind: Mind, name: str, error: Exception) -> None:
        async def fail(**arguments: Any) -> None:
            raise error

        mind.operations[name] = replace(mind.operations[name], method=fail)

    return replace_method
