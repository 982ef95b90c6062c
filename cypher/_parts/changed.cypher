// part: changed(n)
// Every statement that changes what synchronisation carries says so: when, and that this home did (null). noted_at has an index.
SET {{n}}.changed_at = datetime.realtime(), {{n}}.noted_at = datetime.realtime(), {{n}}.replica = null
