"""What lists read of nodes."""

import re
from dataclasses import fields

import pytest

from legacymind.model import stored
from legacymind.model.base import Hit, Item
from legacymind.model.chain import ActionThought
from legacymind.model.think import Memory
from legacymind.model.trails import ThreadThought, TrailStep
from legacymind.services.shared.items import READ_NODES

COMPUTED = {"kind", "namespace", "created_at", "valid_from", "valid_to", "redacted_at"}
"""What a list has of a node in other columns."""


@pytest.mark.parametrize("record", [Item, Hit, Memory, TrailStep, ThreadThought, ActionThought])
def test_a_list_reads_all_that_its_items_show(record: type) -> None:
    kinds = (stored.Thought, stored.Entity, stored.Observation)
    properties = {each.name for kind in kinds for each in fields(kind)}
    shown = {each.name for each in fields(record)} & properties
    (read,) = re.findall(r"ELSE p \{([^}]+)\}", READ_NODES.text)
    assert shown - COMPUTED <= {*re.findall(r"\.(\w+)", read), *re.findall(r"(\w+):", read)}
