"""The Merkle tree is that of RFC 9162: known answers, and proofs for trees of every size."""

import hashlib
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacymind.services.chain.merkle import MerkleTree, leaf_hash
from tests.services.chain.inclusion import is_consistent, is_included

LEAVES: Final = [
    bytes.fromhex(leaf)
    for leaf in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
"""The test leaves of Certificate Transparency."""

ROOTS: Final = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The roots of the first 0 to 8 of them."""

PATHS: Final = {
    (0, 1): [],
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 3): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    (1, 5): [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}
"""Inclusion proofs by leaf and size."""


def tree(size: int) -> MerkleTree:
    return MerkleTree(leaf_hash(bytes([number])) for number in range(size))


def by_definition(hashes: list[bytes]) -> bytes:
    """MTH of the RFC, as it is written there."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return hashlib.sha256(b"\x01" + by_definition(hashes[:split]) + by_definition(hashes[split:])).digest()


@pytest.mark.parametrize("size", range(9))
def test_the_roots_are_those_of_certificate_transparency(size: int) -> None:
    assert MerkleTree(map(leaf_hash, LEAVES[:size])).root.hex() == ROOTS[size]


@pytest.mark.parametrize(("index", "size"), PATHS)
def test_the_proofs_are_those_of_certificate_transparency(index: int, size: int) -> None:
    made = MerkleTree(map(leaf_hash, LEAVES[:size]))
    assert [one.hex() for one in made.path(index)] == PATHS[index, size]


@pytest.mark.parametrize("size", range(1, 71))
def test_every_leaf_of_a_tree_of_every_size_has_a_proof_for_its_own_place_only(size: int) -> None:
    made = tree(size)
    hashes = [leaf_hash(bytes([number])) for number in range(size)]
    assert made.root == by_definition(hashes)
    for index, hashed in enumerate(hashes):
        path = made.path(index)
        assert is_included(hashed, index, size, path, made.root)
        assert not is_included(leaf_hash(b"forged"), index, size, path, made.root)
        assert not is_included(hashed, (index + 1) % size, size, path, made.root) or size == 1
        assert not is_included(hashed, index, size, [*path, bytes(32)], made.root)
        assert not is_included(hashed, index, size, path[:-1], made.root) or size == 1
        for place in range(len(path)):
            wrong = [*path[:place], bytes(32), *path[place + 1 :]]
            assert not is_included(hashed, index, size, wrong, made.root)


@given(st.integers(1, 70), st.data())
def test_a_proof_holds_for_no_other_root(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    other = data.draw(st.integers(1, 70).filter(lambda number: number != size))
    hashed = leaf_hash(bytes([index]))
    assert not is_included(hashed, index, size, tree(size).path(index), tree(other).root)


@pytest.mark.parametrize("index", [-1, 3])
def test_what_is_no_leaf_has_no_proof(index: int) -> None:
    with pytest.raises(IndexError):
        tree(3).path(index)
    assert not is_included(leaf_hash(b""), index, 3, [], tree(3).root)


CONSISTENT: Final = {
    (1, 1): [],
    (1, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (6, 8): [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 5): [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}
"""Consistency proofs of Certificate Transparency by the older and the newer size."""


@pytest.mark.parametrize(("old", "size"), CONSISTENT)
def test_the_consistency_proofs_are_those_of_certificate_transparency(old: int, size: int) -> None:
    made = MerkleTree(map(leaf_hash, LEAVES[:size]))
    assert [one.hex() for one in made.consistency(old)] == CONSISTENT[old, size]


@pytest.mark.parametrize("size", range(1, 41))
def test_a_tree_is_consistent_with_all_that_it_was_and_with_nothing_else(size: int) -> None:
    made = tree(size)
    assert made.consistency(0) == []
    for old in range(1, size + 1):
        proof, older = made.consistency(old), tree(old)
        assert is_consistent(old, size, proof, older.root, made.root)
        forged = MerkleTree(leaf_hash(bytes([number + 1])) for number in range(old))
        assert not is_consistent(old, size, proof, forged.root, made.root)
        assert not is_consistent(old, size, [*proof, bytes(32)], older.root, made.root)
        for place in range(len(proof)):
            wrong = [*proof[:place], bytes(32), *proof[place + 1 :]]
            assert not is_consistent(old, size, wrong, older.root, made.root)
    for old in (-1, size + 1):
        with pytest.raises(IndexError):
            made.consistency(old)
