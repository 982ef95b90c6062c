"""The package in clients/typescript: it builds, its tests pass on a real server, and npm packs it."""

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any, Final

import anyio
import pytest

from legacymind import errors, files
from legacymind.mind import Mind
from legacymind.text.fencing import DATA
from tests.clients.npm import installed, run
from tests.doors.http.test_subscriptions import served

pytestmark = [pytest.mark.node, pytest.mark.limit(600)]

_HERE: Final = Path(__file__).parent
_ROOT: Final = _HERE.parents[1]
_SOURCE: Final = _ROOT / "clients" / "typescript"
_PACKAGE: Final[dict[str, Any]] = json.loads((_SOURCE / "package.json").read_text(encoding="utf-8"))

VERSIONS: Final = ("7", "6")
"""The versions of the AI SDK that the package works with, the newest first."""


def dependencies(version: str) -> list[str]:
    """What the package needs for building and testing with a version of the AI SDK."""
    needed: dict[str, str] = _PACKAGE["dependencies"] | _PACKAGE["devDependencies"] | {"ai": f"^{version}"}
    return [f"{name}@{wanted}" for name, wanted in needed.items()]


@pytest.fixture(scope="module", params=VERSIONS)
def package(
    request: pytest.FixtureRequest, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of the package, built from the schema and the examples with a version of the AI SDK."""
    packages = installed(pytestconfig, f"typescript-{request.param}", *dependencies(request.param))
    root = tmp_path_factory.mktemp("typescript")
    folder = root / "clients" / "typescript"
    derived = shutil.ignore_patterns("node_modules", "dist", "generated")
    shutil.copytree(_SOURCE, folder, ignore=derived)
    shutil.copytree(files.path("graphql"), root / "graphql")
    shutil.copy(_ROOT / "LICENSE", root)
    (folder / "node_modules").symlink_to(packages)
    shutil.copytree(_HERE / "typescript", folder, dirs_exist_ok=True)
    run(folder, "npm", "run", "build")
    return folder


@pytest.mark.anyio
async def test_its_tests_and_its_example_run_in_node(mind: Mind, package: Path) -> None:
    async with served(mind) as address:
        url = f"http://{address}/graphql"

        async def node(*arguments: str) -> str:
            return await anyio.to_thread.run_sync(
                lambda: run(package, "node", *arguments, LEGACYMIND_URL=url)
            )

        said = await node("--test", "--test-reporter=tap")
        assert int(re.findall(r"^# pass (\d+)", said, re.MULTILINE)[0]) > 10
        code = example().replace("token: process.env.LEGACYMIND_TOKEN", f'url: "{url}"')
        (package / "example.mjs").write_text(code, encoding="utf-8")
        assert "Ada likes olives on her pizza." in await node("example.mjs")


def example() -> str:
    """The example of the README with a fake model."""
    text = (_SOURCE / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```ts\n(.*?)```", text, re.DOTALL)
    assert len([line for line in code.splitlines() if line]) <= 10
    return f'import {{ model }} from "./model.mjs";\n{code}'


def test_it_has_the_types_of_the_operations(package: Path) -> None:
    (package / "example.mts").write_text(example(), encoding="utf-8")
    options = "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck"
    modules = "--target es2023 --module nodenext --types node"
    run(package, "node_modules/.bin/tsc", *options.split(), *modules.split(), "example.mts", "types.mts")


def test_it_has_every_example_and_nothing_that_is_generated_is_in_the_repository(package: Path) -> None:
    texts = [path.read_text("utf-8") for path in files.path("graphql", "operations").rglob("*.graphql")]
    names = re.findall(r"^(?:query|mutation|subscription) (\w+)", "\n".join(texts), re.MULTILINE)
    shown = run(package, "node", "-e", 'import("legacymind").then((all) => console.log(...Object.keys(all)))')
    assert {f"{name}Document" for name in names} - set(shown.split()) == set()
    assert "src/generated/" in (_SOURCE / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_what_is_packed_is_the_build_with_licence_and_readme(package: Path) -> None:
    (packed,) = json.loads(run(package, "npm", "pack", "--dry-run", "--json", "--silent", "--ignore-scripts"))
    names = {file["path"] for file in packed["files"]}
    targets = [
        target.removeprefix("./") for entry in _PACKAGE["exports"].values() for target in entry.values()
    ]
    assert {"README.md", "package.json", *targets} <= names
    assert all(name.startswith("dist/") for name in names - {"README.md", "package.json", "LICENSE"})


def test_it_has_version_and_licence_of_the_project_and_names_no_registry() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (_PACKAGE["version"], _PACKAGE["license"]) == (project["version"], project["license"])
    assert not (_SOURCE / "package-lock.json").exists()
    assert (_SOURCE / ".npmrc").read_text(encoding="utf-8") == "package-lock=false\n"


def test_it_marks_data_and_names_codes_as_all_doors_do() -> None:
    assert "".join(re.findall(r'^  "(.*?)"', _constant("ai.ts", "const DATA ="), re.MULTILINE)) == DATA
    codes = re.findall(r'"(\w+)"', _constant("client.ts", "export type Code ="))
    assert set(codes) == {code for code, _ in coded(errors.LegacyMindError)}


def _constant(file: str, begin: str) -> str:
    text = (_SOURCE / "src" / file).read_text(encoding="utf-8")
    return text.partition(begin)[2].partition(";\n")[0]


def coded(error: type[errors.LegacyMindError]) -> list[tuple[str, str]]:
    """The code and the name of an error and of those below it."""
    return [(error.code, error.__name__), *(one for sub in error.__subclasses__() for one in coded(sub))]
