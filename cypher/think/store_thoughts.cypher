// Stores thoughts with what they recalled, all or none, in the order of $thoughts. One thought is a list of one.
//
// Cypher has no SHA-256, so the caller hashes against the heads it last saw. The statement locks the sessions by a SET and
// reads their heads after it. On a mismatch it writes nothing and returns the real heads for one more try.
// Memories that are gone, redacted or not visible by now are dropped. Memories, evidence, link targets, waiting thoughts and
// the entities that the text names are locked in one order (by id) before anything is created: any other shape deadlocks
// when many thoughts recall the same memories.
//
// Verdicts: stored, exists (all ids are stored already), partial (some ids are), moved, embedding (the active slot holds
// another model's vectors). Nothing is written unless the verdict is "stored".
:param fingerprint => 'model';
:param recalls_cap => 8;
:param most_mentions => 50;
:param sessions => [{namespace: 'default', session_id: 'try', genesis: 'genesis', prev_hash: 'genesis', recorded_at: datetime()}];
:param thoughts => [{id: 'thought-new', namespace: 'default', session_id: 'try', links: [], vector: [x IN range(1, 384) | 0.1], recorded_at: datetime(), properties: {id: 'thought-new', namespace: 'default', session_id: 'try', content: 'Why does the retry storm?', mode: 'question', is_private: false, chain_hash: 'hash', step_index: 0, injection_scale: 2}, memories: [{id: 'thought-1', is_thought: true, via: 'vector', recall: {score: 0.8}}], evidence: [], names: [{beginning: 'retry', keys: ['retry storm']}]}];
CYPHER 25
MATCH (database:LegacyMind {id: 'database'})
// In: $thoughts. Out: known, how many of them are stored already.
CALL () {
  UNWIND $thoughts AS new
  OPTIONAL MATCH (same:Thought {id: new.id})
  RETURN count(same) AS known
}
WITH CASE
    WHEN database.active_slot <> 'embedding_a' OR database.embedding_a_fingerprint <> $fingerprint THEN 'embedding'
    WHEN known = size($thoughts) THEN 'exists'
    WHEN known > 0 THEN 'partial'
    ELSE 'stored'
  END AS early, database.other_slot AS other_slot  // the slot that is being filled, or is kept for a roll-back
// In: early, the verdict so far. Out: moved, how many sessions have another head than the caller expects, or a second node.
// Locks, then reads.
CALL (early) {
  UNWIND $sessions AS expected
  WITH early, expected WHERE early = 'stored'
  WITH expected ORDER BY expected.namespace, expected.session_id
  MERGE (session:Session {namespace: expected.namespace, id: expected.session_id})
  ON CREATE SET session.head_hash = expected.genesis, session.head_step = -1, session.created_at = expected.recorded_at
  SET session.lock = 0
  WITH session, expected
  // The end was cut off, or a step follows the head, which may be that of a new session. Other branches have these numbers too.
  RETURN count(CASE WHEN coalesce(session.head_hash <> expected.prev_hash, true) OR CASE expected.prev_hash WHEN expected.genesis THEN 0 ELSE 1 END <> COUNT {
      MATCH (t:Thought) USING INDEX t:Thought(namespace, session_id, step_index)
      WHERE t.namespace = session.namespace AND t.session_id = session.id AND t.step_index >= session.head_step AND t.step_index <= CASE WHEN session.head_step < 2147483647 THEN session.head_step + 1 END
        AND (t.chain_hash = session.head_hash OR t.prev_hash = session.head_hash)
    } THEN 1 END) + count(session) - count(DISTINCT [expected.namespace, expected.session_id]) AS moved
}
WITH CASE WHEN moved > 0 THEN 'moved' ELSE early END AS verdict, other_slot
UNWIND $thoughts AS new
// In: verdict and one of $thoughts. Out: its head, waiting and kept, as returned.
CALL (verdict, other_slot, new) {
  OPTIONAL MATCH (session:Session {namespace: new.namespace, id: new.session_id})
  // In: new. Out: kept, its memories that are still there, with their nodes, in their order.
  CALL (verdict, new) {
    UNWIND range(0, size(new.memories) - 1) AS place
    WITH new, place, new.memories[place] AS memory WHERE verdict = 'stored'
    MATCH (n:Thought|Entity|Observation {id: memory.id})
    WHERE n.namespace = new.namespace
      AND CASE WHEN memory.is_thought
        THEN
          n.content IS :: STRING NOT NULL  // part: not_redacted(n)
          AND CASE n.is_private WHEN false THEN true ELSE n.session_id = new.session_id END AND coalesce(n.found_until > datetime(), true)  // part: visible(n, new.session_id)
        ELSE true END
    WITH memory, n ORDER BY place
    RETURN collect({node: n, memory: memory}) AS kept
  }
  // In: new. Out: evidence, the knowledge that its hypothesis was tested against, with its nodes.
  CALL (verdict, new) {
    UNWIND new.evidence AS item
    WITH new, item WHERE verdict = 'stored'
    MATCH (n:Entity|Observation {id: item.id}) WHERE n.namespace = new.namespace
    RETURN collect({node: n, type: item.type, cosine: item.cosine}) AS evidence
  }
  // In: new. Out: links, each with its target, or null when there is none that the session of the thought may read, and what
  // revises the target already.
  CALL (verdict, new) {
    UNWIND new.links AS link
    OPTIONAL MATCH (target:Thought {id: link.id}) WHERE verdict = 'stored' AND target.namespace = new.namespace
      AND CASE target.is_private WHEN false THEN true ELSE target.session_id = new.session_id END  // part: permitted(target, new.session_id)
    RETURN collect({name: link.name, type: link.type, id: link.id, target: target, revised_by: CASE link.type WHEN 'REVISES' THEN
        [(target)<-[:REVISES]-(other:Thought) WHERE
          CASE other.is_private WHEN false THEN true ELSE other.session_id = new.session_id END AND coalesce(other.found_until > datetime(), true)  // part: visible(other, new.session_id)
          | other.id][0] END}) AS links
  }
  // In: new. Out: waits, the thoughts whose links wait for this id and whose sessions may read it.
  CALL (verdict, new) {
    OPTIONAL MATCH (:Pending {namespace: new.namespace, id: new.id})<-[wait:AWAITS]-(waiting:Thought)
    WHERE verdict = 'stored'
      AND CASE new.properties.is_private WHEN false THEN true ELSE new.properties.session_id = waiting.session_id END  // part: permitted(new.properties, waiting.session_id)
    RETURN [w IN collect({type: wait.type, node: waiting, wait: wait}) WHERE w.node IS NOT NULL] AS waits
  }
  // part: named()
  CALL (new) {
    UNWIND new.names AS possible
    // In: possible, keys of names with one beginning. Out: known, if the name of an entity has it. Few have: this saves half of the time.
    CALL (new, possible) {
      MATCH (e:Entity) USING INDEX e:Entity(namespace, name_key, type_key)
      WHERE e.namespace = new.namespace AND e.name_key STARTS WITH possible.beginning AND e.type_key IS NOT NULL
      RETURN true AS known LIMIT 1
    }
    UNWIND possible.keys AS key
    MATCH (e:Entity) USING INDEX e:Entity(namespace, name_key, type_key)
    WHERE e.namespace = new.namespace AND e.name_key = key AND e.type_key IS NOT NULL
    WITH DISTINCT
      coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
      AS e LIMIT $most_mentions
    RETURN collect(e) AS named
  }
  // end of part
  // In: every node that will get a relationship. Out: locked, how many. Locks them by id.
  CALL (kept, evidence, links, waits, named) {
    UNWIND [k IN kept | k.node] + [e IN evidence | e.node] + [l IN links WHERE l.target IS NOT NULL | l.target] + [w IN waits | w.node] + named AS n
    WITH DISTINCT n ORDER BY n.id
    SET n.lock = 0
    RETURN count(n) AS locked
  }
  // In: everything above. Out: stored, the new thought.
  OPTIONAL CALL (verdict, other_slot, new, session, links, waits, kept, evidence, named) {
    WITH *, new.properties AS properties WHERE verdict = 'stored'
    CREATE (t:Thought)
    SET t = properties
    // The locked session's thoughts have it in the order of their steps. See schema/i15_thought_stored.
    SET t.stored_at = datetime.realtime()
    // part: changed(t)
    SET t.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [t.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
      t.noted_at = datetime.realtime(), t.replica = null
    // end of part
    SET t.embedding_deferred = coalesce(properties.embedding_deferred, other_slot),  // the vectors it still lacks
        t.injected_memories = [k IN kept | k.memory.id],
        t.injected_scores = [k IN kept | k.memory.recall.score]
    FOREACH (e IN evidence |
      FOREACH (n IN CASE e.type WHEN 'REINFORCES' THEN [e.node] ELSE [] END |
        CREATE (n)-[:REINFORCES {cosine: e.cosine, created_at: new.recorded_at}]->(t))
      FOREACH (n IN CASE e.type WHEN 'CONTRADICTS' THEN [e.node] ELSE [] END |
        CREATE (n)-[:CONTRADICTS {cosine: e.cosine, created_at: new.recorded_at}]->(t)))
    FOREACH (e IN named | CREATE (t)-[:MENTIONS]->(e))
    // In: the new thought. Out: nothing; stores its vector.
    CALL (t, new) {
      WITH * WHERE new.vector IS NOT NULL  // null while the embedder is down
      CALL db.create.setNodeVectorProperty(t, 'embedding_a', new.vector)
    }
    FOREACH (_ IN CASE WHEN new.session_id IS NULL THEN [] ELSE [1] END |
      CREATE (t)-[:IN_SESSION]->(session)
      SET session.head_hash = properties.chain_hash, session.head_step = properties.step_index,
          session.head_id = new.id, session.head_key_id = properties.key_id,
          session.has_private = coalesce(session.has_private, false) OR properties.is_private)
    FOREACH (_ IN CASE WHEN properties.action_id IS NULL THEN [] ELSE [1] END |
      MERGE (action:Action {namespace: new.namespace, id: properties.action_id})
      ON CREATE SET action.created_at = new.recorded_at
      CREATE (t)-[:FOR_ACTION]->(action))
    // In: links. Out: nothing; creates those with a target, and makes the others wait.
    CALL (t, links, new) {
      UNWIND links AS link
      // In: one link. Out: nothing; creates it if its target exists.
      CALL (t, link) {
        WITH * WHERE link.target IS NOT NULL
        WITH t, link.type AS type, link.target AS target
        CREATE (t)-[:$(type)]->(target)
      }
      // In: one link. Out: nothing; makes it wait if its target does not exist.
      CALL (t, link, new) {
        WITH * WHERE link.target IS NULL
        MERGE (p:Pending {namespace: new.namespace, id: link.id})
        CREATE (t)-[:AWAITS {type: link.type}]->(p)
      }
    }
    // In: waits. Out: nothing; creates the links that waited for this thought, and deletes the node they waited at unless
    // others still wait.
    CALL (t, waits, new) {
      UNWIND waits AS waited
      WITH t, waited.type AS type, waited.node AS waiting, waited.wait AS wait, new
      CREATE (waiting)-[:$(type)]->(t)
      DELETE wait
      WITH DISTINCT new
      MATCH (p:Pending {namespace: new.namespace, id: new.id}) WHERE NOT EXISTS { (p)<-[:AWAITS]-() }
      DELETE p
    }
    // Every memory's accesses are counted, but not those of the fallback: nothing shows that it is related. Of the thoughts only the strongest keep a relationship. A thought that is dated more than
    // an hour back, as an imported one, uses nothing, so that a history ages by its own times.
    // In: kept. Out: nothing.
    CALL (t, kept, new) {
      WITH *, CASE WHEN t.created_at < new.recorded_at THEN t.created_at ELSE new.recorded_at END AS used, [i IN range(0, size(kept) - 1) WHERE kept[i].memory.is_thought][..$recalls_cap] AS strongest
      UNWIND range(0, size(kept) - 1) AS i
      WITH t, new, i, kept[i].memory AS memory, kept[i].node AS node, strongest, used
      WHERE memory.via <> 'fallback'
      FOREACH (_ IN CASE WHEN used < new.recorded_at - duration('PT1H') THEN [] ELSE [1] END |
        SET node.access_count = coalesce(toIntegerOrNull(node.access_count), 0) + 1,
          node.last_accessed = CASE WHEN node.last_accessed > used THEN node.last_accessed ELSE used END)
      WITH * WHERE i IN strongest OR NOT memory.is_thought
      CREATE (t)-[r:RECALLS]->(node)
      SET r = memory.recall, r.rank = i + 1, r.created_at = new.recorded_at, r.last_accessed = used
    }
    RETURN t AS stored
  }
  RETURN
    CASE WHEN session IS NULL THEN null
      ELSE {hash: session.head_hash, step: session.head_step, id: session.head_id, key_id: session.head_key_id, last:
        // part: last_steps(session)
        COLLECT {
          MATCH (last:Thought) USING INDEX last:Thought(namespace, session_id, step_index)
          WHERE last.namespace = session.namespace AND last.session_id = session.id AND last.step_index >= session.head_step AND last.step_index <= CASE WHEN session.head_step < 2147483647 THEN session.head_step + 1 END
            AND (last.chain_hash = session.head_hash OR last.prev_hash = session.head_hash OR last.id = session.head_id)
          RETURN last {.id, .step_index, .prev_hash, .content_hash, .chain_hash, .hash_alg, .key_id} LIMIT 2
        }
        // end of part
      } END AS head,
    [l IN links WHERE l.target IS NULL | l.id] AS waiting,
    [l IN links WHERE l.revised_by IS NOT NULL | [l.id, l.revised_by]] AS revised,
    [k IN kept | k.memory.id] AS kept
}
RETURN verdict, new.id AS id, head, waiting, revised, kept
