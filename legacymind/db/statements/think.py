"""The statements of ``cypher/think``."""

from legacymind.db.parameters import think as think_in
from legacymind.db.query import load
from legacymind.db.rows import think as think_out

read_summaries = load("think/read_summaries", think_in.ReadSummaries, think_out.SummaryRow, writes=False)
store_thoughts = load("think/store_thoughts", think_in.StoreThoughts, think_out.StoredRow, writes=True)
read_earlier = load("think/read_earlier", think_in.ReadEarlier, think_out.EarlierRow, writes=False)
find_known = load("think/find_known", think_in.FindKnown, think_out.KnownRow, writes=False)
lock_head = load("think/lock_head", think_in.LockHead, think_out.HeadRow, writes=True)
record_outcome = load("think/record_outcome", think_in.RecordOutcome, think_out.OutcomeRow, writes=True)
relate_thought = load("think/relate_thought", think_in.RelateThought, think_out.RelatedRow, writes=True)
pin_thought = load("think/pin_thought", think_in.PinThought, think_out.PinnedRow, writes=True)
read_place = load("think/read_place", think_in.OfThought, think_out.PlaceRow, writes=False)
clear_label = load("think/clear_label", think_in.ClearLabel, think_out.ClearedRow, writes=True)
redact_thought = load("think/redact_thought", think_in.RedactThought, think_out.RedactedRow, writes=True)
