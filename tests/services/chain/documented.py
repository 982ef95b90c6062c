"""The program of docs/trust/chain.md that verifies an export, run on what a database has."""

import contextlib
import io
import json
import re
import sys
from pathlib import Path
from typing import Any, Final
from unittest import mock

from legacymind.model.chain import ChainReport
from tests.services.chain.chains import Chain

_DOCUMENT: Final = Path(__file__).parents[3] / "docs/trust/chain.md"

EXPORTED: Final = frozenset(
    {"missing", "duplicate", "content", "redaction", "record", "previous", "hash", "key", "unkeyed"}
)
"""The kinds of faults that an export shows: it has no relationships, and not what is outside of the chain."""


def program() -> str:
    """The program: the last Python block of the document."""
    *_, found = re.findall(r"^```python\n(.*?)^```$", _DOCUMENT.read_text("utf-8"), re.M | re.S)
    return found


def run(lines: list[dict[str, Any]], *keys: str) -> str:
    """What the program says of an export."""
    text = "\n".join(map(json.dumps, lines))

    def read(*_: object, **__: object) -> io.StringIO:
        return io.StringIO(text)

    arguments = mock.patch.object(sys, "argv", ["verify.py", "chain.jsonl", *keys])
    with contextlib.redirect_stdout(io.StringIO()) as said, arguments:
        try:
            exec(compile(program(), str(_DOCUMENT), "exec"), {"open": read})
        except SystemExit as ended:
            return str(ended.code or said.getvalue())
    raise AssertionError("the program has no verdict")


async def check_agrees(chain: Chain, report: ChainReport, *keys: str) -> None:
    """Check that the program comes to the verdict of the report, and breaks at a step that it names."""
    exported = [json.loads(json.dumps(line)) async for line in chain.mind.export_chain(chain.session)]
    said = run(exported, *keys)
    steps = {fault.step for fault in report.faults if fault.kind in EXPORTED}
    match = re.fullmatch(r"broken at step (\d+)", said)
    assert (match is not None and int(match[1]) in steps) == bool(steps), (said, report.faults)
    if match is None:
        head = any(fault.kind == "head" for fault in report.faults)
        assert head == ("the end is missing" in said or "after the head" in said), said
