"""`legacymind demo` on a real engine with the real model, twice."""

import re
import subprocess
import sys

import pytest

from tests.audit import Audit
from tests.docs.pages import DOCS

pytestmark = [pytest.mark.docs, pytest.mark.limit(600)]

README = (DOCS.parent / "README.md").read_text(encoding="utf-8")


def demo(env: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "legacymind", "demo"],
        env=env,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_demo_recalls_walks_verifies_and_detects_tampering_twice(audit: Audit) -> None:
    first = demo(audit.env)
    again = demo(audit.env)
    audit.check()
    for shown in (first, again):
        # The memory that a person would expect: the standing warning that masked the alarm.
        assert re.search(r"\d+  0\.\d\d  thought .*hydrogen low-pressure warning stands", shown)
        assert "similarity 0." in shown
        assert "mode debug, scale 4" in shown
        assert re.search(r"├── RECALLS 0\.\d\d ", shown)
        assert re.search(r"│ {3}└── CHILD_OF ", shown)
        assert "Chain intact: 32 thoughts verified up to the session's head." in shown
        assert "Chain broken at step 2. The content or hypothesis is not what was stored" in " ".join(
            shown.split()
        )
        assert re.search(r"Your agent +`\S*legacymind install", shown)
        assert "\x1b[" not in shown
    (new, known), (newer, found) = (
        map(int, re.findall(r"(\d+) new items, (\d+) already stored", shown)[0]) for shown in (first, again)
    )
    assert new + known > 900
    assert (newer, found) == (0, new + known)
    assert again.count("already stored by an earlier run") == first.count("“")

    def recalled(shown: str) -> list[str]:
        return [line for line in shown.splitlines() if re.match(r" +\d+  0\.\d\d  ", line)]

    assert recalled(first) == recalled(again)

    (asked,) = re.findall(r"<!-- command: think -->\n```sh\nlegacymind think \"(.*?)\"", README)
    command = [sys.executable, "-m", "legacymind", "recall", asked, "--namespace", "demo"]
    done = subprocess.run(command, env=audit.env, capture_output=True, text=True, timeout=60, check=True)
    promised, given = (
        re.findall(r"^ +[123]  0\.\d+  thought +(.{50})", text, re.MULTILINE)
        for text in (README, done.stdout)
    )
    assert promised == given
