"""docs/interfaces/python.md: every example runs on a real engine, and the table has every method."""

import inspect
import re
from pathlib import Path

import pytest

from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.docs.pages import printed_by
from tests.fakes import FakeEmbedder

TEXT = (Path(__file__).parents[2] / "docs" / "interfaces/python.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
PRINTED = ("Chain intact: 1 thought verified", "2 new", "signifcance is unknown")


@pytest.mark.parametrize(("example", "printed"), list(zip(EXAMPLES, PRINTED, strict=True)))
def test_every_example_runs(example: str, printed: str, real_env: dict[str, str]) -> None:
    assert printed in printed_by(example, real_env)


def test_the_table_has_every_method() -> None:
    mind = Mind(Settings(), embedder=FakeEmbedder())
    callables = {name for name, _ in inspect.getmembers(mind, inspect.ismethod) if not name.startswith("_")}
    listed = set(re.findall(r"`(\w+)`", TEXT.split("## Methods")[1]))
    assert listed == callables - {"close"}
