// What is known about an entity over time, and the way to find one.

import { items } from "../api.js";
import { h, marked, show } from "../dom.js";
import { bounded, day, plural, score, time, words } from "../format.js";
import { empty, loading, problem, searching } from "../parts.js";
import { go, link } from "../place.js";
import { drawSpans } from "./knowledge_spans.js";

function finder(value) {
  return searching("Find an entity", { value, placeholder: "A person, a component, a place …", button: "Find" }, (q) => go("knowledge", null, { q }));
}

function found(entity, find = []) {
  const [name, ...rest] = entity.text.split(": ");
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card session-card", href: link("knowledge", entity.id) },
      h("div", { class: "byline" }, h("span", { class: "kind entity" }, entity.entityType || "entity")),
      h("h2", {}, marked(entity.entity ?? name, find)),
      h("p", { class: "latest" }, marked(rest.join(": "), find)),
    ),
  );
}

// Entities that the latest thoughts brought to mind: where to begin without words.
async function recent(page) {
  const { search } = await page.run("latest", { cursor: null });
  const hits = items(search);
  if (!hits.length) return [];
  const ids = Object.fromEntries([..."abcdefghij"].map((name, index) => [name, (hits[index] ?? hits[0]).id]));
  const recalls = await page.run("recalls", ids);
  const entities = new Map();
  for (const thought of Object.values(recalls)) {
    for (const { node } of thought?.recalls.edges ?? []) if (node?.__typename === "Entity") entities.set(node.id, { id: node.id, text: node.name, entity: node.name });
  }
  return [...entities.values()];
}

async function find(page) {
  const words = (page.params.q ?? "").trim();
  const list = h("div", {}, loading());
  show(page.body, finder(words), list);
  if (words) {
    const { search } = await page.run("entities", { query: words });
    const parts = words.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const hits = items(search);
    show(list, hits.length ? h("ul", { class: "grid" }, hits.map((hit) => found(hit, parts))) : empty("No such entity", "Try other words."));
    return;
  }
  const entities = await recent(page);
  page.body.querySelector("input").focus({ preventScroll: true });
  show(
    list,
    entities.length
      ? [h("h2", { class: "section" }, "Recently brought to mind"), h("ul", { class: "grid" }, entities.map((entity) => found(entity)))]
      : empty("Find an entity", "Or store one: ", h("code", {}, "legacymind remember --entities …")),
  );
}

function facts(entity) {
  const valid = [
    bounded(entity.validFrom) && ["Since", day(entity.validFrom)],
    bounded(entity.validTo) && ["Until", day(entity.validTo)],
    entity.recordedAt && ["Stored", time(entity.recordedAt)],
    entity.accessCount !== null && ["Recalled", plural(entity.accessCount, "time")],
    entity.mass !== null && ["Mass", score(entity.mass)],
    entity.communityLabel && ["Community", entity.communityLabel],
    entity.aliases.length > 0 && ["Also", entity.aliases.join(", ")],
  ].filter(Boolean);
  return h("dl", { class: "properties" }, valid.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

// The facts and relations of a page as rows, which the view draws over time.
function rowsOf({ observations, relations }) {
  return [
    ...observations.edges.map(({ node }) => ({
      group: "Facts",
      id: node.id,
      href: link("graph", node.id),
      text: node.content ?? "The text was removed.",
      note: node.source,
      from: bounded(node.validFrom),
      to: bounded(node.validTo),
      learned: node.learnedFrom[0]?.id ?? null,
      next: node.supersededBy?.content ?? null,
    })),
    ...relations.edges.map((edge) => ({
      group: "Relations",
      id: edge.id ?? `${edge.type}-${edge.node.id}`,
      href: link("knowledge", edge.node.id),
      text: edge.direction === "OUT" ? `${words(edge.type)} → ${edge.node.name}` : `${edge.node.name} → ${words(edge.type)}`,
      note: edge.node.entityType,
      from: bounded(edge.validFrom),
      to: bounded(edge.validTo),
      learned: null,
      next: null,
    })),
  ];
}

async function about(page) {
  let { entity } = await page.run("entity", { id: page.id });
  if (!entity) {
    show(page.body, empty("No such entity", "This namespace has none with this id. ", h("a", { href: link("knowledge") }, "Find one")));
    return;
  }
  page.title(entity.name, h("span", { class: "kind entity" }, entity.entityType || "entity"));
  const spans = h("div", {});
  const more = h("button", { class: "more", type: "button" }, "Show more");
  const failed = h("div", {});
  const rows = [];
  const draw = () => {
    const open = { Facts: entity.observations.pageInfo.hasNextPage, Relations: entity.relations.pageInfo.hasNextPage };
    rows.push(...rowsOf(entity));
    more.hidden = !open.Facts && !open.Relations;
    if (rows.length) drawSpans(page, spans, rows, open);
    else show(spans, empty("Nothing is known about it", "No fact and no relation is stored."));
  };
  more.addEventListener("click", async () => {
    more.disabled = true;
    show(failed);
    try {
      // After its last item, a list has no more.
      const facts = entity.observations.pageInfo.endCursor ?? page.facts;
      const relations = entity.relations.pageInfo.endCursor ?? page.relations;
      Object.assign(page, { facts, relations });
      ({ entity } = await page.run("entity", { id: page.id, facts, relations }));
      draw();
    } catch (error) {
      if (error.name !== "AbortError") show(failed, problem(error));
    } finally {
      more.disabled = false;
    }
  });
  show(
    page.body,
    h(
      "article",
      { class: "card" },
      entity.description && h("p", { class: "prose" }, entity.description),
      facts(entity),
      h("div", { class: "ways" }, h("a", { href: link("graph", entity.id) }, "In the graph"), h("a", { href: link("compare", entity.id) }, "Compare two times")),
    ),
    spans,
    more,
    failed,
  );
  draw();
}

export default {
  about: "People, components, places: what is known about each, and from when to when.",
  show: (page) => (page.id ? about(page) : find(page)),
};
