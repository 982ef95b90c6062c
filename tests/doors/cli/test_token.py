"""The commands `token create`, `token list` and `token revoke`."""

import json
import uuid

from tests.doors.cli.commands import Env, here


def test_a_token_is_printed_once_listed_and_revoked(real_env: Env) -> None:
    namespace = f"cli-{uuid.uuid4()}"
    made = here(real_env, "token", "create", "ada's laptop", "--role", "read", "--namespace", namespace)
    assert made.returncode == 0, made.stderr
    text = made.stdout.strip()
    assert text.startswith("lm_")
    assert f"has the role read in the namespace {namespace}" in made.stderr
    listed = here(real_env, "token", "list", "--json").stdout
    assert text not in listed
    (token,) = [one for one in json.loads(listed) if one["namespaces"] == [namespace]]
    assert (token["name"], token["role"]) == ("ada's laptop", "read")
    told = here(real_env, "token", "list").stdout
    assert ("ada's laptop" in told, token["id"] in told) == (True, True)
    assert here(real_env, "token", "revoke", token["id"]).returncode == 0
    again = here(real_env, "token", "revoke", token["id"])
    assert (again.returncode, "token list" in again.stderr) == (3, True)
    assert namespace not in here(real_env, "token", "list", "--json").stdout
