"""Keys and signatures of OpenSSH: ours are read by ssh-keygen, and those of ssh-keygen by us."""

import base64
import json
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

import pytest
import rfc8785

from legacymind.errors import ConfigurationError, InvalidInput
from legacymind.mind import Mind
from legacymind.services.chain.signing import SigningKey, is_signed, public_keys, sign
from legacymind.settings import Settings
from tests.doors.cli.commands import environment, here
from tests.fakes import FakeEmbedder
from tests.services.chain.chains import make, think
from tests.services.chain.test_heads import SECRET, Exported, export

pytestmark = pytest.mark.anyio

DOCUMENT: Final = (Path(__file__).parents[3] / "docs/trust/chain.md").read_text("utf-8")

ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")


def keygen(*arguments: str | Path, message: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["ssh-keygen", *arguments], input=message, capture_output=True, check=False)


def in_shell(commands: str, folder: Path) -> int:
    return subprocess.run(["bash", "-c", commands], cwd=folder, capture_output=True, check=False).returncode


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """The file of a new key."""
    SigningKey.create(tmp_path / "key")
    return tmp_path / "key"


def read(file: Path) -> SigningKey:
    key = SigningKey.configured(Settings(signing_key_file=str(file)))
    assert key is not None
    return key


@pytest.fixture
async def signing(mind: Mind, key_file: Path) -> AsyncIterator[Mind]:
    """A mind with a signing key and a session; it has a chain key too, which then does not sign."""
    settings = mind.settings.changed(signing_key_file=str(key_file), chain_key=SECRET)
    async with Mind(settings, embedder=FakeEmbedder()) as opened:
        await make(opened, "session")
        yield opened


async def test_a_created_key_is_for_its_owner_alone_and_overwrites_none(mind: Mind, tmp_path: Path) -> None:
    file = tmp_path / "folder" / "key"
    env = environment(mind.settings) | {"LEGACYMIND_SIGNING_KEY_FILE": str(file)}
    done = here(env, "key", "create")
    assert (done.returncode, done.stdout) == (0, f"{read(file).public}\n")
    assert public_keys(file.with_name("key.pub").read_text("utf-8")) == [read(file).public]
    assert file.stat().st_mode & 0o777 == 0o600
    again = here(env, "key", "create")
    assert (again.returncode, again.stdout) == (2, "")
    assert "cannot be written: File exists. No key was made." in again.stderr


@ssh
def test_keys_and_signatures_are_those_of_ssh_keygen(key_file: Path, tmp_path: Path) -> None:
    made = read(key_file)
    assert keygen("-y", "-f", key_file).stdout.decode().split()[:2] == str(made.public).split()
    assert made.public.fingerprint in keygen("-l", "-f", key_file).stdout.decode()
    theirs = tmp_path / "theirs"
    assert keygen("-q", "-t", "ed25519", "-N", "", "-f", theirs).returncode == 0
    signers, signature = tmp_path / "signers", tmp_path / "signature"
    for key in (made, read(theirs)):
        signers.write_text(f'* namespaces="legacymind" {key.public}\n', encoding="utf-8")
        signature.write_text(sign(key, b"text"), encoding="utf-8")
        check = ("-Y", "verify", "-f", signers, "-I", "auditor", "-n", "legacymind", "-s", signature)
        assert keygen(*check, message=b"text").returncode == 0
        assert keygen(*check, message=b"other").returncode != 0
    for hashed in ("sha256", "sha512"):
        signed = keygen(
            "-Y", "sign", "-n", "legacymind", "-O", f"hashalg={hashed}", "-f", theirs, message=b"x"
        )
        assert is_signed(signed.stdout.decode(), b"x", [made.public, read(theirs).public])
        assert not is_signed(signed.stdout.decode(), b"x", [made.public])
    elsewhere = keygen("-Y", "sign", "-n", "git", "-f", theirs, message=b"x").stdout.decode()
    assert not is_signed(elsewhere, b"x", [read(theirs).public])


def test_a_signature_of_which_any_byte_was_changed_is_none(key_file: Path) -> None:
    key = read(key_file)
    signature = sign(key, b"text")
    begin, *lines, end, _ = signature.split("\n")
    blob = base64.b64decode("".join(lines))

    def armored(changed: bytes) -> str:
        return "\n".join((begin, base64.b64encode(changed).decode(), end))

    assert is_signed(armored(blob), b"text", [key.public])
    for place in range(len(blob)):
        changed = blob[:place] + bytes([blob[place] ^ 1]) + blob[place + 1 :]
        assert not is_signed(armored(changed), b"text", [key.public])
    for text in ("", "x", armored(b""), armored(blob[:-1]), armored(blob + b"x"), f"{begin}\nü\n{end}"):
        assert not is_signed(text, b"text", [key.public])


def _locked(file: Path) -> None:
    keygen("-q", "-t", "ed25519", "-N", "a passphrase", "-f", file)


def _of_another_type(file: Path) -> None:
    keygen("-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", file)


UNUSABLE: Final[dict[str, Callable[[Path], object]]] = {
    "absent": lambda file: None,
    "empty": lambda file: file.write_text("", encoding="utf-8"),
    "a public key": lambda file: file.write_text("ssh-ed25519 AAAA", encoding="utf-8"),
    "a folder": lambda file: file.mkdir(),
    "locked": _locked,
    "RSA": _of_another_type,
}


@ssh
@pytest.mark.parametrize("name", UNUSABLE)
def test_a_file_that_is_no_usable_key_is_named(name: str, tmp_path: Path) -> None:
    file = tmp_path / "theirs"
    UNUSABLE[name](file)
    with pytest.raises(ConfigurationError, match="is no private key that can sign") as raised:
        read(file)
    assert str(file) in str(raised.value)


def test_without_a_key_nothing_is_signed(tmp_path: Path) -> None:
    settings = Settings(home=str(tmp_path))
    assert SigningKey.configured(settings) is None
    SigningKey.create(tmp_path / "signing_key")
    assert SigningKey.configured(settings) is not None


@pytest.mark.parametrize("text", ["", "ssh-ed25519", "ssh-rsa AAAA", "ssh-ed25519 " + "A" * 68])
def test_a_text_without_a_key_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="no public Ed25519 key"):
        public_keys(text)


async def test_heads_are_signed_for_those_who_have_the_public_key_alone(
    mind: Mind, signing: Mind, key_file: Path, tmp_path: Path
) -> None:
    exported = await export(signing)
    public = read(key_file).public
    assert exported["keyId"] == public.fingerprint
    stated = {
        name: value
        for name, value in exported.items()
        if value is not None and name not in ("digest", "signature")
    }
    assert is_signed(exported["signature"], rfc8785.dumps(stated), [public])
    # Not even the chain key is needed, but the session's steps have it.
    audit = await mind.verify_all("session", exports={"heads.json": exported}, signer=str(public))
    assert {fault.kind for fault in audit.reports[0].faults} == {"key"}
    own = await signing.verify_all("session", exports={"heads.json": exported})
    assert own.verdict == "intact"
    assert f", signed with {public.fingerprint})." in own.reports[0].message
    with pytest.raises(InvalidInput, match="are signed with SHA256"):
        await mind.verify_all("session", exports={"heads.json": exported})
    other = SigningKey.create(tmp_path / "other").public
    with pytest.raises(InvalidInput, match="and not with a key of --signer SHA256"):
        await signing.verify_all("session", exports={"heads.json": exported}, signer=str(other))


@ssh
@pytest.mark.skipif(shutil.which("jq") is None, reason="needs jq")
async def test_the_documented_commands_verify_heads(signing: Mind, key_file: Path) -> None:
    """With every character that jq and RFC 8785 may write in different ways."""
    await think(signing, 'Grüße, 世界 "\\" 🧿 \u2028', "one")
    (block,) = re.findall(r"```sh\n(legacymind key create\n.*?)```", DOCUMENT, re.S)
    shell = "\n".join(block.splitlines()[2:]).replace("signing_key.pub", "key.pub")
    shell += '\n[ "$(cut -d " " -f 1 digest.txt)" = "$(jq -r .digest heads.json)" ] || exit 255'
    for heads, code in ((await export(signing), 0), (await export(signing) | {"namespace": "another"}, 255)):
        key_file.with_name("heads.json").write_text(json.dumps(heads), encoding="utf-8")
        assert in_shell(shell, key_file.parent) == code


ALTERATIONS: dict[str, Callable[[Exported], Any]] = {
    "hash": lambda it: it["heads"][0].update(hash="0" * 64),
    "step": lambda it: it["heads"][0].update(step=7),
    "session": lambda it: it["heads"][0].update(sessionId="another"),
    "session without a head": lambda it: it["headless"].append("another"),
    "sessions without heads removed": lambda it: it.pop("headless"),
    "head removed": lambda it: it["heads"].clear(),
    "namespace": lambda it: it.update(namespace="another"),
    "time": lambda it: it.update(exportedAt="2020-01-01T00:00:00.000000Z"),
    "addition": lambda it: it.update(more=True),
    "signature": lambda it: it.update(signature="0" * 64),
    "signature removed": lambda it: it.pop("signature"),
    "signature made null": lambda it: it.update(signature=None, keyId=None),
    "signature of no ASCII": lambda it: it.update(signature="ü"),
    "signature a number": lambda it: it.update(signature=5),
    "number that is none": lambda it: it.update(more=float("nan")),
    "key id a list": lambda it: it.update(keyId=[]),
    "unknown key id": lambda it: it.update(keyId="k9"),
    "no key id": lambda it: it.pop("keyId"),
}


@pytest.mark.parametrize("name", ALTERATIONS)
async def test_altered_heads_are_rejected(signing: Mind, key_file: Path, name: str) -> None:
    exported: dict[str, Any] = await export(signing)
    ALTERATIONS[name](exported)
    for signers in ([], [read(key_file).public]):
        with pytest.raises(InvalidInput) as raised:
            signing.read_heads(exported, signers=signers)
        assert raised.value.effect == "Nothing was verified."


async def test_unsigned_heads_are_refused_where_there_is_a_key_unless_allowed(
    mind: Mind, signing: Mind, key_file: Path
) -> None:
    unsigned = await export(mind)
    mind.read_heads(unsigned)
    for reader, signers in ((signing, []), (mind, [read(key_file).public])):
        with pytest.raises(InvalidInput, match="no signature, although there is a key") as raised:
            reader.read_heads(unsigned, signers=signers)
        assert "--allow-unsigned" in raised.value.hint
        assert reader.read_heads(unsigned, signers=signers, allow_unsigned=True)["session"].step == 4
    exported = await export(signing)
    with pytest.raises(InvalidInput, match="no signature, although they name a key"):
        mind.read_heads(exported | {"signature": None})
    exported["heads"][0].update(step=7)
    with pytest.raises(InvalidInput, match="altered"):
        signing.read_heads(exported, allow_unsigned=True)
