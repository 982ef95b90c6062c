"""Checks proofs of RFC 9162, independently of the tree that makes them."""

import hashlib
from collections.abc import Sequence


def is_included(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether a path proves that ``leaf``, a leaf hash, has the place ``index`` in the tree (2.1.3.2)."""
    if not 0 <= index < size:
        return False
    first, last, found = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if first % 2 or first == last:
            found = hashlib.sha256(b"\x01" + sibling + found).digest()
            while first % 2 == 0 and first:
                first, last = first // 2, last // 2
        else:
            found = hashlib.sha256(b"\x01" + found + sibling).digest()
        first, last = first // 2, last // 2
    return last == 0 and found == root


def is_consistent(old: int, size: int, proof: Sequence[bytes], older: bytes, root: bytes) -> bool:
    """Whether a proof shows that a tree is an older one, and further leaves (2.1.4.2)."""
    if old == size:
        return not proof and older == root
    path = list(proof) if old & (old - 1) else [older, *proof]
    if not 0 < old < size or not path:
        return False
    first, last = old - 1, size - 1
    while first % 2:
        first, last = first // 2, last // 2
    before = after = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if first % 2 or first == last:
            before = hashlib.sha256(b"\x01" + sibling + before).digest()
            after = hashlib.sha256(b"\x01" + sibling + after).digest()
            while first % 2 == 0 and first:
                first, last = first // 2, last // 2
        else:
            after = hashlib.sha256(b"\x01" + after + sibling).digest()
        first, last = first // 2, last // 2
    return last == 0 and (before, after) == (older, root)
