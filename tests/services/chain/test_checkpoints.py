"""Checkpoints: signed notes of an append-only log of anchors, which Go's checksum database verifies."""

import asyncio
import base64
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, LiteralString

import pytest

from legacymind.errors import ConfigurationError, InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.chain import Anchor, Audit
from legacymind.services.chain.anchor_line import AnchorLine
from legacymind.services.chain.checkpoint import Checkpoint
from legacymind.services.chain.merkle import leaf_hash
from legacymind.services.chain.signing import SigningKey
from tests.doors.cli.commands import environment, here
from tests.fakes import FakeEmbedder
from tests.services.chain.chains import make, think
from tests.services.chain.inclusion import is_consistent, is_included
from tests.services.chain.test_anchors import CUT
from tests.wire import raw

pytestmark = pytest.mark.anyio

SOURCE: Final = Path(__file__).with_name("witness")


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    return SigningKey.create(tmp_path / "key")


@pytest.fixture
async def signing(mind: Mind, key: SigningKey, tmp_path: Path) -> AsyncIterator[Mind]:
    """A mind with a signing key, and a session."""
    settings = replace(mind.settings, signing_key_file=str(tmp_path / "key"))
    async with Mind(settings, embedder=FakeEmbedder()) as opened:
        await make(opened, "one")
        yield opened


async def anchored(mind: Mind, old_size: int | None = None) -> Anchor:
    """An anchor with its checkpoint."""
    return await mind.anchor(format="checkpoint", old_size=old_size)


def note(made: Anchor) -> str:
    assert made.checkpoint is not None
    return made.checkpoint


def parsed(made: Anchor) -> Checkpoint:
    (found,) = Checkpoint.find(note(made))
    return found


async def prove(mind: Mind, *anchors: str, signer: SigningKey | None = None) -> Audit:
    return await mind.verify_all(anchors=anchors, signer=str(signer.public) if signer else "")


Witness = Callable[[dict[str, Any]], str]


@pytest.fixture(scope="module")
def witness(tmp_path_factory: pytest.TempPathFactory) -> Witness:
    """What the Go program says; skips the test where it cannot be compiled."""
    if shutil.which("go") is None:
        pytest.skip("needs Go")
    program = tmp_path_factory.mktemp("go") / "witness"
    env = os.environ | {"GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"}
    built = subprocess.run(
        ["go", "build", "-o", program, "."], cwd=SOURCE, env=env, capture_output=True, text=True, check=False
    )
    if built.returncode and "dial" in built.stderr:
        pytest.skip("needs the packages of Go")
    assert built.returncode == 0, built.stderr

    def verify(given: dict[str, Any]) -> str:
        text = json.dumps(given)
        done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
        return (done.stdout + done.stderr).strip()

    return verify


async def test_gos_checksum_database_verifies_checkpoints_and_their_consistency(
    signing: Mind, witness: Witness
) -> None:
    made = [await anchored(signing)]
    for number in range(7):
        await think(signing, "one", f"more {number}")
        await signing.anchor("one")  # a line only, which is in the log too
        made.append(await anchored(signing, parsed(made[-1]).size))
    entries = [
        row["line"]
        for row in await raw(
            signing,
            "MATCH (a:Anchor {namespace: $ns, root: 'log'}) RETURN a.leaves[0] AS line ORDER BY a.number",
            ns=signing.settings.namespace,
        )
    ]
    assert {each.line for each in made} < set(entries)
    given: dict[str, Any] = {
        "Verifier": made[0].verifier_key,
        "Checkpoints": [*map(note, made)],
        "Proofs": [each.consistency for each in made],
        "Entries": entries,
    }
    assert witness(given) == "ok"
    assert "another root" in witness(given | {"Entries": [*entries[:1], "forged", *entries[2:]]})
    other = [note(made[0]).replace("\n1\n", "\n2\n"), *given["Checkpoints"][1:]]
    assert "invalid signature" in witness(given | {"Checkpoints": other})
    assert "proof" in witness(given | {"Proofs": [[], *given["Proofs"][:-1]]})


async def test_a_stranger_with_a_checkpoint_proves_a_session(signing: Mind, witness: Witness) -> None:
    """From the checkpoint to the line of an anchor, and from its root to the session's head."""
    made = [await anchored(signing)]
    await make(signing, "two")
    await signing.anchor("two")
    made += [await anchored(signing) for _ in range(3)]
    await signing.anchor("two")  # after the checkpoints
    await think(signing, "one", "after it")
    proofs = [await signing.anchor_proof(note(each), "one") for each in made]
    assert [proof.line for proof in proofs] == [each.line for each in made]
    for proof in proofs:
        path = [*map(bytes.fromhex, proof.path)]
        root = bytes.fromhex(AnchorLine.parse(proof.line).root)
        assert is_included(leaf_hash(proof.leaf.encode()), proof.leaf_index, proof.tree_size, path, root)
        assert json.loads(proof.leaf)["step"] == proof.step == 4
    given: dict[str, Any] = {"Verifier": made[0].verifier_key}
    included = [{"Entry": proof.line, "Proof": proof.log_proof} for proof in proofs]
    assert witness(given | {"Included": included}) == "ok"
    exchanged = [{"Entry": proofs[1].line, "Proof": proofs[2].log_proof}]
    assert "proof" in witness(given | {"Included": exchanged})
    assert (await signing.anchor_proof(made[1].line, "two")).log_proof is None
    with pytest.raises(NotFound, match="no head of two"):
        await signing.anchor_proof(note(made[0]), "two")
    await raw(
        signing, "MATCH (a:Anchor {namespace: $ns, root: 'log'}) DELETE a", ns=signing.settings.namespace
    )
    with pytest.raises(NotFound, match="log of this checkpoint is lost"):
        await signing.anchor_proof(note(made[0]), "one")


async def test_a_checkpoint_proves_what_its_anchor_does(signing: Mind, mind: Mind, key: SigningKey) -> None:
    first, second = await anchored(signing), await anchored(signing)
    await think(signing, "one", "a sixth")
    for reader, signer in ((signing, None), (signing, key), (mind, key)):
        for text in (
            note(first),
            f"in a mail:\r\n{note(second)}".replace("\n", "\r\n"),
            note(first) + note(second),
        ):
            audit = await prove(reader, text, signer=signer)
            assert (audit.verdict, audit.reports[0].known_head) == ("intact", True)
    chain = await make(signing, "two")
    third = await anchored(signing)
    await chain.raw(CUT)
    assert (await prove(signing, note(second))).verdict == "intact"
    assert (await prove(signing, note(third))).verdict == "truncated"


async def test_a_cosignature_of_a_witness_changes_nothing(mind: Mind, signing: Mind, key: SigningKey) -> None:
    made = note(await anchored(signing))
    for line in ("— witness.example/w1 " + base64.b64encode(bytes(80)).decode(), "— w ü", "— "):
        assert (await prove(mind, f"{made}{line}\n", signer=key)).verdict == "intact"


ALTERATIONS: Final[dict[str, Callable[[str], str]]] = {
    "size": lambda text: text.replace("\n1\n", "\n2\n"),
    "root": lambda text: text.replace(text.split("\n")[2], base64.b64encode(bytes(32)).decode()),
    "namespace": lambda text: text.replace("legacymind/", "legacymind/other"),
    "signature": lambda text: text[:-10] + "AAAAAAA==\n",
    "name of the key": lambda text: text.replace("— legacymind", "— other"),
    "no signature": lambda text: text.partition("\n\n")[0] + "\n\n— w AAAA\n",
}


@pytest.mark.parametrize("name", ALTERATIONS)
async def test_an_altered_checkpoint_is_refused(signing: Mind, key: SigningKey, name: str) -> None:
    text = note(await anchored(signing))
    changed = ALTERATIONS[name](text)
    assert changed != text
    for signer in (None, key):
        with pytest.raises(InvalidInput, match="is not signed with"):
            await prove(signing, changed, signer=signer)


async def test_a_checkpoint_of_an_unknown_key_is_refused(mind: Mind, signing: Mind, tmp_path: Path) -> None:
    made = note(await anchored(signing))
    with pytest.raises(InvalidInput, match="is not signed with a known key"):
        await prove(mind, made)
    with pytest.raises(InvalidInput, match="is not signed with SHA256:"):
        await prove(signing, made, signer=SigningKey.create(tmp_path / "other"))


async def test_with_a_signer_anchors_need_a_checkpoint_after_them(signing: Mind, key: SigningKey) -> None:
    line, made = (await signing.anchor()).line, note(await anchored(signing))
    later = (await signing.anchor()).line
    assert (await prove(signing, line, made, signer=key)).verdict == "intact"
    for unsigned in (later, line.replace("sessions=1", "sessions=2")):
        with pytest.raises(InvalidInput, match="No checkpoint has signed this anchor"):
            await prove(signing, made, unsigned, signer=key)
    with pytest.raises(InvalidInput, match="No checkpoint"):
        await prove(signing, line, signer=key)


LOST: Final[dict[str, LiteralString]] = {
    "deleted": "DELETE a",
    "changed": "SET a.leaves = ['legacymind-anchor 1 root=' + a.id]",
    "swapped": "SET a.number = 2 - a.number",
    "renamed": "SET a.namespace = 'x' + a.namespace",
    "made a number": "SET a.leaves = 5",
}


@pytest.mark.parametrize("name", LOST)
async def test_a_log_that_was_changed_proves_nothing_but_the_kept_lines_replace_it(
    signing: Mind, key: SigningKey, name: str
) -> None:
    lines = [(await signing.anchor()).line for _ in range(2)]
    made = await anchored(signing)
    ns = signing.settings.namespace
    await raw(signing, "MATCH (a:Anchor {namespace: $ns, root: 'log'}) " + LOST[name], ns=ns)
    audit = await prove(signing, note(made))
    assert (audit.verdict, audit.lost) == ("unverifiable", [f"{parsed(made).origin} 3"])
    kept = "\n".join([*lines, made.line, note(made)])
    assert (await prove(signing, kept, signer=key)).verdict == "intact"


async def test_a_checkpoint_after_a_deletion_is_not_consistent(signing: Mind) -> None:
    await signing.anchor()
    await signing.anchor()
    before = await anchored(signing)
    ns = signing.settings.namespace
    await raw(signing, "MATCH (a:Anchor {namespace: $ns, root: 'log'}) WHERE a.number > 0 DELETE a", ns=ns)
    for _ in range(2):  # Nothing is appended.
        with pytest.raises(InvalidInput, match="would have 2 entries, and never had 3"):
            await anchored(signing, 3)
    await signing.anchor()
    after = await anchored(signing, 3)
    proof = [base64.b64decode(each) for each in after.consistency]
    assert not is_consistent(3, 3, proof, parsed(before).root, parsed(after).root)


async def test_anchors_of_two_processes_at_once_are_all_in_the_log(mind: Mind, signing: Mind) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(5):
            group.create_task(mind.anchor())
            group.create_task(signing.anchor())
    made = await anchored(signing, 0)
    assert (parsed(made).size, made.consistency) == (11, [])


async def test_without_a_key_there_is_no_checkpoint(mind: Mind) -> None:
    await think(mind, "one", "only")
    with pytest.raises(ConfigurationError, match="A checkpoint needs a signing key"):
        await anchored(mind)
    with pytest.raises(InvalidInput, match="old_size needs the format checkpoint"):
        await mind.anchor(old_size=1)


async def test_the_command_prints_a_note_or_the_request_of_a_witness(signing: Mind, tmp_path: Path) -> None:
    env = environment(signing.settings) | {"LEGACYMIND_SIGNING_KEY_FILE": str(tmp_path / "key")}
    made = here(env, "anchor", "--format", "checkpoint")
    file = tmp_path / "checkpoint"
    file.write_text(made.stdout, encoding="utf-8")
    (found,) = Checkpoint.find(made.stdout)
    assert made.stdout.startswith(found.origin)
    assert "Verifier key: legacymind/" in made.stderr
    asked = here(env, "anchor", "--format", "checkpoint", "--old-size", "1").stdout.split("\n")
    assert asked[0] == "old 1"
    assert (len(base64.b64decode(asked[1])), asked[2], asked[3]) == (32, "", found.origin)
    public = str(tmp_path / "key.pub")
    done = here(environment(signing.settings), "verify", "--anchor", str(file), "--signer", public)
    assert (done.returncode, "1 proven, 0 not" in done.stdout) == (0, True), done
