// The playbooks of a namespace: at most fifty thoughts that solved something, for stuck thoughts.
CYPHER 25
CREATE RANGE INDEX thought_playbook IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.playbook)
