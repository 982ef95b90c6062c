"""The list of faults: what may fail or be sent, and the tests that hold what happens then.

``python -m tests.faults`` runs them all; ``--long`` also runs ``test_at_length.py``, faults at full length.
"""

from typing import Final

FAULTS: Final[dict[str, tuple[str, ...]]] = {
    "a GraphQL document that is made to be slow": ("tests/doors/graphql/test_limits.py",),
    "frames of MCP that no client should send": (
        "tests/doors/mcp/test_stdio.py::test_a_request_with_an_unusable_id_is_answered_without_one",
        "tests/doors/mcp/test_stdio.py::test_a_cancellation_of_no_request_is_ignored",
        "tests/doors/mcp/test_stdio.py::test_a_cancellation_without_an_id_is_ignored",
        "tests/doors/mcp/test_stdio.py::test_any_json_in_any_field_of_the_envelope_leaves_calls_under_way",
    ),
    "a commit without an answer": (
        "tests/db/test_graph_reconnects.py::test_a_write_that_loses_its_connection_may_have_been_committed",
        "tests/db/test_graph_reconnects.py::test_a_retried_commit_with_a_lost_response_finds_what_it_stored",
    ),
    "a full disk": (
        "tests/faults/test_engine.py::test_a_full_disk_is_named_at_once_until_it_has_space_again",
        "tests/faults/test_engine.py::test_a_full_disk_is_reported_and_the_managed_engine_is_restarted",
    ),
    "a clock that jumps": (
        "tests/services/think/test_clock.py",
        "tests/doors/graphql/test_subscriptions.py::test_a_clock_that_was_set_back_hides_no_new_thoughts",
        "tests/engine/test_engine.py::test_the_engine_is_found_after_the_clock_was_set",
    ),
    "an interrupted upgrade": (
        "tests/faults/test_at_length.py::test_an_upgrade_during_which_the_server_is_killed_is_completed",
        "tests/db/test_remote.py::test_two_processes_upgrade_a_database_once_and_keep_its_data",
    ),
    "wrong passwords of another program": (
        "tests/engine/test_engine.py::test_wrong_passwords_of_other_programs_lock_nobody_out",
    ),
    "calls after a user stopped the engine": (
        "tests/doors/cli/test_hook.py::test_without_an_engine_the_agent_goes_on",
    ),
    "300 calls at once, and clients that hang up": (
        "tests/db/test_gate.py",
        "tests/doors/http/test_overload.py",
    ),
    "a server that is silent": ("tests/db/test_graph_limits.py",),
    "a repeated key, a changed cursor, a read-only home": (
        "tests/services/think/test_outcomes.py::"
        "test_the_key_of_an_outcome_is_known_until_a_thousand_later_ones",
        "tests/operations/test_pages.py",
        "tests/engine/test_home.py::test_down_in_a_read_only_home_is_explained_without_a_traceback",
    ),
    "another web page on this machine": (
        "tests/doors/http/test_app.py::test_a_foreign_host_or_origin_is_rejected_on_every_path",
        "tests/doors/http/test_authorization.py::test_the_names_and_origins_of_the_settings_are_accepted",
        "tests/doors/mcp/test_http.py::test_foreign_pages_and_large_requests_are_refused",
    ),
    "silent connections, and no descriptor left": (
        "tests/test_deployment.py::test_the_sample_of_a_proxy_does_what_the_server_leaves_to_it",
    ),
    "a stranger's session, token or namespace": (
        "tests/services/test_strangers.py",
        "tests/services/search/test_side_channels.py",
        "tests/doors/http/test_attacks.py",
        "tests/doors/http/test_authorization.py::"
        "test_an_mcp_session_belongs_to_the_caller_who_began_it_and_its_id_is_published_nowhere",
    ),
    "odd values, requests and manifests": (
        "tests/doors/test_odd_input.py",
        "tests/services/sync/test_lines.py",
    ),
    "a log of Neo4j that others read": ("tests/engine/test_logs.py",),
    "a chain to which twelve writers append over a slow network": ("tests/services/chain/test_growing.py",),
    "chains that were damaged at random": ("tests/services/chain/test_damaged.py",),
    "a killed engine": (
        "tests/faults/test_engine.py::test_acknowledged_thoughts_survive_kill_9_and_verify",
        "tests/engine/test_engine.py::test_data_and_ports_survive_kill_9_of_the_server",
    ),
}


def tests() -> list[str]:
    """The tests of all faults, with all those of this folder."""
    return ["tests/faults", *(test for those in FAULTS.values() for test in those)]
