"""The Merkle tree of RFC 9162 (Certificate Transparency 2.0), section 2.1, over SHA-256.

    leaf hash = SHA-256(0x00 ‖ leaf)
    node hash = SHA-256(0x01 ‖ left ‖ right)

A tree of n leaves splits at the largest power of two below n. An inclusion proof is the list of the sibling
hashes from a leaf up to the root.
"""

import hashlib
from collections.abc import Iterable


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class MerkleTree:
    """A tree over leaf hashes, with all of its levels: about 64 bytes a leaf.

    Hashing neighbours in pairs, level by level, with a last one without a neighbour moved up unchanged, gives
    the tree of the RFC: every complete subtree has a power of two of leaves.
    """

    def __init__(self, hashes: Iterable[bytes]) -> None:
        self._levels = [list(hashes)]
        while len(below := self._levels[-1]) > 1:
            pairs = zip(below[::2], below[1::2], strict=False)
            self._levels.append([*(_node(*pair) for pair in pairs), *(below[-1:] if len(below) % 2 else [])])

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self._levels[0])

    @property
    def root(self) -> bytes:
        """The root hash; that of no leaves is SHA-256 of nothing."""
        return self._levels[-1][0] if self.size else hashlib.sha256().digest()

    def path(self, index: int) -> list[bytes]:
        """The inclusion proof of a leaf (RFC 9162, 2.1.3.1). Raises IndexError for no leaf of the tree."""
        if not 0 <= index < self.size:
            raise IndexError(f"the tree has {self.size} leaves")
        path: list[bytes] = []
        for level in self._levels[:-1]:
            if index ^ 1 < len(level):  # The last of a level may have no sibling.
                path.append(level[index ^ 1])
            index //= 2
        return path

    def consistency(self, old: int) -> list[bytes]:
        """The proof that the first ``old`` leaves are those of an older tree (RFC 9162, 2.1.4.1).

        Raises IndexError for a size that the tree never had.
        """
        if not 0 <= old <= self.size:
            raise IndexError(f"the tree has {self.size} leaves")
        proof: list[bytes] = []
        begin, end, whole = 0, self.size, True  # whether the older tree is that of the leaves in between
        while begin < old < end:
            split = begin + (1 << (end - begin - 1).bit_length() - 1)
            if old <= split:
                proof.append(self._subtree(split, end))
                end = split
            else:
                proof.append(self._subtree(begin, split))
                begin, whole = split, False
        return proof[::-1] if whole else [self._subtree(begin, end), *proof[::-1]]

    def _subtree(self, begin: int, end: int) -> bytes:
        """The hash of a subtree, which begins where its level has a node."""
        level = (end - begin - 1).bit_length()
        return self._levels[level][begin >> level]
