// part: erased(t)
// A redaction leaves nothing of a text: neither its copies, nor its MENTIONS, which tell of it, nor the notes of its links.
REMOVE {{t}}.content, {{t}}.salt, {{t}}.hypothesis, {{t}}.embedding_a, {{t}}.embedding_b, {{t}}.framework_analysis,
       {{t}}.error_signature, {{t}}.other_forms, {{t}}.playbook, {{t}}.standing, {{t}}.embedding_deferred, {{t}}.mentions_deferred
FOREACH (mention IN [({{t}})-[m:MENTIONS]->() | m] | DELETE mention)
FOREACH (link IN [({{t}})-[r:ASSOCIATES|REFERENCES|DEPENDS_ON|REINFORCES|CONTRADICTS|SOLVES]-() WHERE r.note IS NOT NULL | r] | REMOVE link.note)
