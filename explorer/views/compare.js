// Two moments: what was believed then, and what is believed later.

import { items } from "../api.js";
import { h, show } from "../dom.js";
import { bounded, day, forInput, moment, ofInput, words } from "../format.js";
import { empty, kindMark, loading, nodeLink } from "../parts.js";
import { go, keep, link } from "../place.js";

const GROUPS = [
  ["gone", "No longer believed"],
  ["new", "Believed since"],
  ["kept", "Believed at both times"],
];

const SEVEN = "abcdefg"; // the variables of beliefs.graphql

// The moment of a field, which shows minutes; exact if nobody changed it.
function chosen(field, given) {
  return field.value === forInput(given) ? given : ofInput(field.value);
}

function form(page, then, now) {
  const about = h("input", { type: "search", value: page.params.q ?? "", placeholder: page.id ? "Or compare a search" : "What do we know about the battery?", "aria-label": "Search at both times" });
  const first = h("input", { type: "datetime-local", value: forInput(then), required: true });
  const second = h("input", { type: "datetime-local", value: forInput(now), required: true });
  return h(
    "form",
    {
      class: "searching card",
      onsubmit: (event) => {
        event.preventDefault();
        const text = about.value.trim();
        go("compare", text ? null : page.id, { q: text, then: chosen(first, then), now: chosen(second, now) });
      },
    },
    h("div", { class: "two" }, h("label", {}, "Then", first), h("label", {}, "Later", second)),
    h("div", { class: "field bare" }, about, h("button", { type: "submit" }, "Compare")),
  );
}

const BELIEVED = new Set(["HELD", "SOLVED"]); // verdicts on a thought
const REASONS = { REVISED: "revised", CONTRADICTED: "contradicted", REDACTED: "its text was removed" };

// Everything of both lists, each with whether it was believed at each time.
function joined(before, after) {
  const [then, now] = [before, after].map((list) => new Set(list.map((one) => one.id)));
  return unique([...after, ...before]).map((one) => ({ ...one, then: then.has(one.id), now: now.has(one.id) }));
}

function unique(list) {
  return [...new Map(list.map((one) => [one.id, one])).values()];
}

function differences(found) {
  return {
    gone: found.filter((one) => one.then && !one.now),
    new: found.filter((one) => !one.then && one.now),
    kept: found.filter((one) => one.then && one.now),
  };
}

function item(found) {
  const since = bounded(found.validFrom);
  const until = bounded(found.validTo);
  const times = since ? `since ${day(since)}` : found.createdAt ? day(found.createdAt) : "";
  return h(
    "li",
    { class: "belief" },
    kindMark(found.kind),
    h("a", { href: found.href ?? nodeLink(found) }, found.text),
    h("span", { class: "soft" }, found.about && `${found.about} · `, times, until && ` until ${day(until)}`, found.why && [" · ", found.why]),
  );
}

function drawDifferences(body, all) {
  const found = differences(all);
  if (!Object.values(found).flat().length) {
    show(body, empty("Nothing was known at either time", "Choose other moments or other words."));
    return;
  }
  show(
    body,
    GROUPS.map(([name, title]) =>
      h(
        "section",
        { class: `card beliefs ${name}` },
        h("h2", {}, title, h("span", { class: "count" }, found[name].length)),
        found[name].length ? h("ul", {}, found[name].map(item)) : h("p", { class: "soft" }, "Nothing."),
      ),
    ),
  );
}

function beliefs({ observations, relations }) {
  return [
    ...observations.map((fact) => ({ ...fact, kind: "OBSERVATION", text: fact.content, about: fact.source })),
    ...relations.map((relation) => ({
      ...relation,
      id: relation.id ?? `${relation.type} ${relation.other.id}`,
      kind: "ENTITY",
      href: link("knowledge", relation.other.id),
      text: relation.direction === "OUT" ? `${words(relation.type)} ${relation.other.name}` : `${relation.other.name} ${words(relation.type)} it`,
    })),
  ];
}

// An entity that did not exist at a moment was not believed in.
async function entityAt(page, at) {
  try {
    return beliefs((await page.run("compare", { id: page.id, at })).readEntity);
  } catch (error) {
    if (error.code === "not_found") return [];
    throw error;
  }
}

async function searchAt(page, at) {
  const { search } = await page.run("compare_search", { query: page.params.q, at });
  return items(search).map((hit) => ({ ...hit, about: hit.entity ?? hit.author }));
}

function valid(fact, at) {
  const moment = new Date(at);
  return !(fact.validFrom && new Date(fact.validFrom) > moment) && !(fact.validTo && new Date(fact.validTo) <= moment);
}

function reason({ verdict, revisedBy, contradictedBy }) {
  const cause = { REVISED: revisedBy, CONTRADICTED: contradictedBy }[verdict];
  return cause ? h("a", { href: nodeLink(cause) }, REASONS[verdict]) : REASONS[verdict];
}

// What was believed about thoughts at both times, by their ids.
async function verdicts(page, ids, then, now) {
  const groups = Array.from({ length: Math.ceil(ids.length / SEVEN.length) }, (_, index) => ids.slice(index * SEVEN.length, (index + 1) * SEVEN.length));
  const answers = await Promise.all(
    groups.map((group) => page.run("beliefs", { ...Object.fromEntries([...SEVEN].map((name, index) => [name, group[index] ?? group[0]])), then, now })),
  );
  return new Map(
    answers
      .flatMap(Object.values)
      .filter(Boolean)
      .map(({ id, then: old, belief }) => [id, { then: BELIEVED.has(old.verdict), now: BELIEVED.has(belief.verdict), why: reason(belief) }]),
  );
}

// What a search finds at either time. A hit that others outrank at one of them may be believed at both.
async function searched(page, then, now) {
  const found = unique((await Promise.all([searchAt(page, now), searchAt(page, then)])).flat());
  const known = await verdicts(page, found.filter((hit) => hit.kind === "THOUGHT").map((hit) => hit.id), then, now);
  return found.map((hit) => ({ ...hit, ...(hit.kind === "THOUGHT" ? known.get(hit.id) : { then: valid(hit, then), now: valid(hit, now) }) }));
}

// The moments at which something about an entity began or ended, the latest first.
function changes(entity) {
  const all = [...entity.observations.edges.map((edge) => edge.node), ...entity.relations.edges];
  const times = all.flatMap((one) => [bounded(one.validFrom), bounded(one.validTo)]).filter((text) => text && new Date(text) < new Date());
  const latest = new Map(times.sort().map((text) => [day(text), text])); // one of each day
  return [...latest.values()].reverse();
}

function before(text) {
  return new Date(new Date(text).getTime() - 60_000).toISOString();
}

export default {
  about: "What was believed then, and what is believed later.",
  async show(page) {
    const { params } = page;
    const now = params.now ?? new Date().toISOString();
    let then = params.then ?? new Date(Date.now() - 30 * 86_400_000).toISOString();
    let moments = [];
    if (page.id) {
      const { entity } = await page.run("entity", { id: page.id });
      if (!entity) {
        show(page.body, empty("No such entity", h("a", { href: link("knowledge") }, "Find one")));
        return;
      }
      moments = changes(entity);
      if (!params.then && moments.length) then = before(moments[0]);
      page.title(`${entity.name}, then and later`, h("a", { href: link("knowledge", page.id) }, "What is known about it"));
    }
    keep("compare", page.id, { q: params.q, then, now }); // a link shows the same later
    const body = h("div", { class: "differences" }, page.id || params.q ? loading() : empty("Choose what to compare", "Search for something, or open an entity in ", h("a", { href: link("knowledge") }, "Knowledge"), " and compare two times."));
    show(
      page.body,
      form(page, then, now),
      moments.length > 0 &&
        h("p", { class: "moments soft" }, "Before the change of ", moments.slice(0, 8).map((text) => [h("a", { href: link("compare", page.id, { then: before(text), now }) }, day(text)), "  "])),
      h("h2", { class: "section" }, `${moment(then)} and ${moment(now)}`),
      body,
    );
    if (page.id) drawDifferences(body, joined(...(await Promise.all([entityAt(page, then), entityAt(page, now)]))));
    else if (params.q) drawDifferences(body, await searched(page, then, now));
  },
};
