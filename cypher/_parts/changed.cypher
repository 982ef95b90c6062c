// part: changed(n)
// Every statement that changes what synchronisation carries says so: when, after what it changed whatever the clocks say, in microseconds, as times
// travel, and that this home did (null). noted_at has an index.
SET {{n}}.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [{{n}}.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
  {{n}}.noted_at = datetime.realtime(), {{n}}.replica = null
