// The playbooks of a namespace, thoughts that solved something, the most salient first.
CYPHER 25
CREATE RANGE INDEX thought_playbook IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.playbook, t.salience)
