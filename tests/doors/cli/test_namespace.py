"""The commands `namespace list`, `namespace quota`, `namespace rename` and `namespace delete`."""

import json
import uuid

from tests.doors.cli.commands import Env, here


def test_a_namespace_is_limited_listed_renamed_and_deleted(real_env: Env) -> None:
    old, new = f"cli-{uuid.uuid4()}", f"cli-{uuid.uuid4()}"

    def run(*words: str) -> str:
        done = here(real_env, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("think", "The kiln cracked.", "--namespace", old, "--session", "notes")
    run("namespace", "quota", old, "--thoughts", "1")
    refused = here(real_env, "think", "It cracked again.", "--namespace", old)
    assert (refused.returncode, "namespace quota" in refused.stderr) == (2, True)
    run("namespace", "rename", old, new)
    listed = {one["name"]: one for one in json.loads(run("namespace", "list", "--json"))}
    assert old not in listed
    assert (listed[new]["thoughts"], listed[new]["text"], listed[new]["quota_thoughts"]) == (1, 17, 1)
    assert new in run("namespace", "list")
    assert "would be forgotten" in run("namespace", "delete", new)
    assert "SHA-256" in run("namespace", "delete", new, "--confirm")
    assert new not in run("namespace", "list", "--json")
