// Gives observations their titles.
:param rows => [{id: '', title: 'Ada lives in Lyon'}];
CYPHER 25
UNWIND $rows AS row
MATCH (o:Observation {id: row.id})
SET o.title = row.title
