// What is known about an entity over time, and the way to find one.

import { items, needed } from "../api.js";
import { h, marked, show } from "../dom.js";
import { edits } from "../edit.js";
import { bounded, day, plural, score, time, words } from "../format.js";
import { choices, empty, menu, problem, scrolling, searching } from "../parts.js";
import { go, link } from "../place.js";
import { drawSpans } from "./knowledge_spans.js";
import { hit } from "./search.js";

// An entity of the list, or a hit of a search, whose text is its name and description.
function entityCard(entity, find) {
  const [name, ...rest] = (entity.text ?? "").split(": ");
  const facts = entity.observations?.totalCount;
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card session-card", href: link("knowledge", entity.id) },
      h("div", { class: "byline" }, h("span", { class: "kind entity" }, entity.entityType || "entity")),
      h("h2", {}, marked(entity.name ?? entity.entity ?? name, find)),
      h("p", { class: "latest" }, marked(entity.description ?? rest.join(": "), find)),
      facts !== undefined && h("p", { class: "numbers" }, plural(facts, "fact")),
    ),
  );
}

function factCard(fact, find) {
  return hit(fact.text === undefined ? { ...fact, kind: "OBSERVATION", text: fact.content ?? "The text was removed.", entityId: fact.entity?.id, entity: fact.entity?.name } : fact, find);
}

// All entities or all facts, or those that a search finds.
async function find(page) {
  const { q, type, about, show: chosen } = page.params;
  const facts = chosen === "facts";
  const name = h("input", { value: about ?? "", autocomplete: "off" });
  const types = menu("Type", [["", "Every type"], ...(type ? [[type, type]] : [])], type);
  const told = h("p", { class: "report", role: "status" });
  const parts = (q ?? "").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  let cursor = null;
  async function next() {
    const read = q
      ? page.run("search", { query: q, kinds: [facts ? "OBSERVATION" : "ENTITY"], method: "GRAPH", cursor })
      : page.run(facts ? "facts" : "entities", facts ? { after: cursor, about: about ? [about] : null } : { after: cursor, type: type ?? null });
    const [found] = Object.values(await read);
    cursor = q ? found.next : found.pageInfo.endCursor;
    const total = found.totalCount ?? null;
    show(told, total !== null && plural(total, facts ? "fact" : "entity", facts ? "facts" : "entities"));
    return q ? { items: found.hits, next: found.next } : { items: items(found), next: found.pageInfo.hasNextPage };
  }
  const list = h("ul", { class: facts ? "cards" : "grid" });
  const none = () =>
    q || type || about
      ? empty(facts ? "No such fact" : "No such entity", "Try other words, or fewer filters.")
      : empty("Nothing is known yet", "Store an entity: ", h("code", {}, "legacymind remember --entities …"));
  const { parts: grown, load } = scrolling(list, next, { draw: (one) => (facts ? factCard : entityCard)(one, parts), none });
  const found = (words) => go("knowledge", null, { q: words, show: chosen, type: types.value, about: name.value.trim() });
  show(
    page.body,
    searching(facts ? "Find a fact" : "Find an entity", { value: q, placeholder: "A person, a component, a place …", button: "Find" }, found, ...(q ? [] : [facts ? h("label", {}, "About", name) : types])),
    h("div", { class: "switch" }, choices("Shown", [
      { name: "Entities", href: link("knowledge", null, { q }), current: !facts },
      { name: "Facts", href: link("knowledge", null, { q, show: "facts" }), current: facts },
    ]), told),
    grown,
  );
  if (!facts && !q) {
    page.run("entity_types").then(
      ({ searchFacets }) => types.append(...searchFacets.entityTypes.filter(({ value }) => value !== type).map(({ value, count }) => h("option", { value }, `${value} (${searchFacets.more ? "at least " : ""}${count})`))),
      () => {}, // the list is shown without
    );
  }
  await load();
}

function facts(entity) {
  const valid = [
    bounded(entity.validFrom) && ["Since", day(entity.validFrom)],
    bounded(entity.validTo) && ["Until", day(entity.validTo)],
    ["Said by", entity.saidBy],
    entity.recordedAt && ["Stored", time(entity.recordedAt)],
    entity.mass !== null && ["Mass", score(entity.mass)],
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
      note: [node.saidBy, node.source].filter(Boolean).join(" · "),
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
  needed(entity);
  page.title(entity.name, h("span", { class: "kind entity" }, entity.entityType || "entity"));
  const spans = h("div", {});
  const more = h("button", { class: "more", type: "button" }, "Show more");
  const failed = h("div", {});
  const rows = [];
  const draw = () => {
    const { observations, relations } = entity;
    rows.push(...rowsOf(entity));
    more.hidden = !observations.pageInfo.hasNextPage && !relations.pageInfo.hasNextPage;
    if (rows.length) drawSpans(page, spans, rows, { Facts: observations.totalCount, Relations: relations.totalCount });
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
      edits(page, { kind: "entity", id: entity.id, name: entity.name, type: entity.entityType, saidBy: [entity, ...entity.observations.edges.map(({ node }) => node)].map((node) => node.saidBy), facts: entity.observations.edges.map(({ node }) => [node.id, node.content ?? node.id, new Date(bounded(node.validTo) ?? Infinity) <= new Date()]) }),
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
