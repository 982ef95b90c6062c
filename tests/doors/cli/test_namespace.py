"""The commands `namespace list`, `namespace quota` and `namespace delete`."""

import json
import uuid

import pytest

from tests.doors.cli.commands import Env, here


@pytest.mark.slow
def test_a_namespace_is_limited_listed_and_deleted(real_env: Env) -> None:
    name = f"cli-{uuid.uuid4()}"

    def run(*words: str) -> str:
        done = here(real_env, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("think", "The kiln cracked.", "--namespace", name, "--session", "notes")
    run("namespace", "quota", name, "--thoughts", "1")
    refused = here(real_env, "think", "It cracked again.", "--namespace", name)
    assert (refused.returncode, "namespace quota" in refused.stderr) == (2, True)
    listed = {one["name"]: one for one in json.loads(run("namespace", "list", "--json"))}
    assert (listed[name]["thoughts"], listed[name]["text"], listed[name]["quota_thoughts"]) == (1, 17, 1)
    assert name in run("namespace", "list")
    assert "would be forgotten" in run("namespace", "delete", name)
    assert "exported heads verify no more" in run("namespace", "delete", name, "--confirm")
    assert name not in run("namespace", "list", "--json")
