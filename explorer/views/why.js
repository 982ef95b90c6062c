// Why a thought recalled what it did: each score as a stacked bar, and what was just missed.

import { h, show } from "../dom.js";
import { edits } from "../edit.js";
import { ago, plural, score, time, words } from "../format.js";
import { byline, empty, kindMark, nodeLink, prose, related, said } from "../parts.js";
import { link } from "../place.js";

const PARTS = ["similarity", "recency", "salience", "access", "contradiction"];

const VIA = {
  VECTOR: "by meaning",
  FULLTEXT: "by words",
  PLAYBOOK: "as a known solution",
  STANDING: "as a standing preference",
  SESSION: "of the concluded session",
  BEYOND: "from before the window",
  RECENT: "as recent",
  LATERAL: "over a relation",
  CONTRADICTION: "as a contradiction",
  REVISION: "as the latest revision",
  SOLUTION: "as the solution",
  FALLBACK: "as the nearest knowledge",
  PRUNED: "details are no longer stored",
};

const REASON = {
  BELOW_THRESHOLD: "too far in meaning",
  OUTRANKED: "others are more relevant",
  LINKED: "the thought already links to it",
  LATER: "it is not older than the thought",
  OUTSIDE_WINDOW: "older than the window of recall",
  NOT_VALID_THEN: "not true at that time",
  NOT_EMBEDDED: "it has no vector yet",
  DORMANT: "it takes no part in recall",
  OUTSIDE_CHAIN: "no step of its session's chain",
  NOTHING_RECALLED: "the thought recalls nothing",
};

function bar(found, most) {
  if (!found.parts) {
    return h("div", { class: "stack", role: "img", "aria-label": `Score ${score(found.score)}` }, h("span", { class: "part whole", "--share": Math.max(found.score, 0) / most }));
  }
  const said = PARTS.filter((part) => found.parts[part]).map((part) => `${part} ${found.parts[part].toFixed(3)}`);
  return h(
    "div",
    { class: "stack", role: "img", "aria-label": `Score ${score(found.score)}: ${said.join(", ")}`, title: said.join("\n") },
    PARTS.filter((part) => found.parts[part]).map((part) => h("span", { class: `part ${part}`, "--share": Math.abs(found.parts[part]) / most })),
  );
}

function recalled(found, most) {
  return h(
    "li",
    { class: "card why-memory" },
    h(
      "div",
      { class: "byline" },
      h("span", { class: "rank" }, `#${found.rank}`),
      found.kind && kindMark(found.kind),
      found.author && h("strong", {}, found.author),
      said(found),
      h("span", {}, VIA[found.via] ?? words(found.via ?? "")),
      found.revisedBy && h("span", { class: "tag" }, "revised since"),
      found.solvedBy && h("span", { class: "tag" }, "solved"),
      found.contradictedBy && h("span", { class: "tag bad" }, "contradicted"),
      time(found.createdAt, ago),
    ),
    found.kind ? h("a", { class: "text", href: nodeLink(found) }, found.text) : h("p", { class: "text" }, found.text),
    h("div", { class: "scored" }, bar(found, most), h("span", { class: "score" }, score(found.score))),
  );
}

function missed(found) {
  return h(
    "li",
    { class: "missed" },
    kindMark(found.kind),
    h("a", { class: "text", href: nodeLink(found) }, found.text),
    h("span", { class: "reason" }, `${REASON[found.reason] ?? words(found.reason)} · ${found.saidBy}`),
    h(
      "span",
      { class: "gauge", role: "img", "aria-label": `cosine ${score(found.cosine)}, needed ${score(found.threshold)}`, "--is": Math.max(found.cosine ?? 0, 0), "--needed": Math.max(found.threshold, 0) },
      h("span", { class: "is" }),
      h("span", { class: "needed" }),
    ),
    h("span", { class: "score" }, found.shortBy > 0 ? `short by ${found.shortBy.toFixed(3)}` : `cosine ${score(found.cosine)}`),
  );
}

function drawMemories(body, why) {
  const { memories } = why;
  const most = Math.max(...memories.map((found) => (found.parts ? PARTS.reduce((sum, part) => sum + Math.abs(found.parts[part]), 0) : found.score)), 0.01);
  show(
    body,
    why.note && h("p", { class: "hint" }, why.note),
    memories.length > 0 &&
      h("ul", { class: "legend", "aria-label": "Parts of a weight" }, PARTS.map((part) => h("li", {}, h("span", { class: `part ${part}` }), part))),
    memories.length ? h("ol", { class: "cards" }, memories.map((found) => recalled(found, most))) : empty("It brought nothing to mind", why.note ?? "No memory was near enough."),
    why.pruned > 0 && h("p", { class: "soft" }, `Of ${plural(why.pruned, "memory", "memories")} only rank and score are stored.`),
    why.missed.length > 0 && [h("h2", { class: "section" }, "Just missed"), h("ul", { class: "card misses" }, why.missed.map(missed))],
  );
}

export default {
  async show(page) {
    if (!page.id) {
      show(page.body, empty("No thought is chosen", "Open one from ", h("a", { href: link("home") }, "Home"), " or ", h("a", { href: link("search") }, "Search"), "."));
      return;
    }
    const own = page.params.own ?? null;
    const [{ thought }, { explainRecall: why }] = await Promise.all([page.run("thought", { id: page.id, own }), page.run("why", { id: page.id, own })]);
    page.title("Why these memories?", `Scale ${why.scale}, ${plural(why.recalled, "memory", "memories")} recalled; a thought needed a cosine of ${score(why.thresholdThoughts)}, knowledge ${score(why.thresholdKnowledge)}.`);
    const body = h("div", {});
    show(
      page.body,
      h(
        "article",
        { class: "card asked" },
        thought && byline({ ...thought, sessionId: thought.session?.id }),
        prose(why.redactedAt ? null : why.text),
        thought && related(thought, own),
        h("div", { class: "ways" }, h("a", { href: link("graph", page.id, { own }) }, "In the graph")),
        thought && edits(page, { kind: "thought", id: page.id, session: thought.session?.id, own, isPrivate: thought.isPrivate, pinned: thought.pinned, saidBy: [thought.saidBy], text: why.text }),
      ),
      body,
    );
    drawMemories(body, why);
  },
};
