// Two moments: what was true or believed then and later.

import { items, needed } from "../api.js";
import { h, show } from "../dom.js";
import { bounded, day, forInput, moment, ofInput, words } from "../format.js";
import { choices, empty, kindMark, loading, nodeLink } from "../parts.js";
import { go, keep, link } from "../place.js";

const GROUPS = {
  true: { gone: "No longer true", new: "True since", kept: "True at both times" },
  believed: { gone: "No longer believed", new: "Believed since", kept: "Believed at both times" },
};
const MEANING = { true: "What was valid at each time, whenever the memory learned of it.", believed: "What the memory knew at each time: what was recorded by then." };

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
        go("compare", text ? null : page.id, { q: text, by: page.params.by, then: chosen(first, then), now: chosen(second, now) });
      },
    },
    h("div", { class: "two" }, h("label", {}, "Then", first), h("label", {}, "Later", second)),
    h("div", { class: "field bare" }, about, h("button", { type: "submit" }, "Compare")),
  );
}

const BELIEVED = new Set(["HELD", "SOLVED"]); // verdicts on a thought
const REASONS = { REVISED: "revised", CONTRADICTED: "contradicted", REDACTED: "its text was removed" };

function unique(list) {
  return [...new Map(list.map((one) => [one.id, one])).values()];
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

// `all`: each with whether it was there `then` and `now`.
function drawDifferences(body, all, titles) {
  const lists = [all.filter((one) => one.then && !one.now), all.filter((one) => !one.then && one.now), all.filter((one) => one.then && one.now)];
  if (!lists.flat().length) {
    show(body, empty("Nothing was known at either time", "Choose other moments or other words."));
    return;
  }
  show(
    body,
    Object.entries(titles).map(([name, title], index) =>
      h(
        "section",
        { class: `card beliefs ${name}` },
        h("h2", {}, title, h("span", { class: "count" }, lists[index].length)),
        lists[index].length ? h("ul", {}, lists[index].map(item)) : h("p", { class: "soft" }, "Nothing."),
      ),
    ),
  );
}

// The facts and relations of an entity, as items.
function known({ observations, relations }) {
  return [
    ...items(observations).map((fact) => ({ ...fact, kind: "OBSERVATION", text: fact.content, about: fact.source })),
    ...relations.edges.map((relation) => ({
      ...relation,
      kind: "ENTITY",
      href: link("knowledge", relation.node.id),
      text: relation.direction === "OUT" ? `${words(relation.type)} ${relation.node.name}` : `${relation.node.name} ${words(relation.type)} it`,
    })),
  ];
}

async function searchAt(page, at) {
  const { search } = await page.run("compare_search", { query: page.params.q, at });
  return search.hits.map((hit) => ({ ...hit, about: hit.entity ?? hit.author }));
}

function valid(fact, at) {
  const moment = new Date(at);
  return !(fact.validFrom && new Date(fact.validFrom) > moment) && !(fact.validTo && new Date(fact.validTo) <= moment);
}

// Whether a fact was true at a moment; or whether the memory, which knew only what was recorded, took it to be true.
function held(fact, at, by) {
  if (by !== "believed") return valid(fact, at);
  const knew = (recorded) => !recorded || new Date(recorded) <= new Date(at);
  const end = fact.supersededBy && !knew(fact.supersededBy.recordedAt) ? null : fact.validTo;
  return knew(fact.recordedAt ?? fact.createdAt) && valid({ ...fact, validTo: end }, at);
}

function judged(facts, { then, now, by }) {
  return facts.map((fact) => ({ ...fact, then: held(fact, then, by), now: held(fact, now, by) }));
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
async function searched(page, { then, now, by }) {
  const found = unique((await Promise.all([searchAt(page, now), searchAt(page, then)])).flat());
  const judgements = await verdicts(page, found.filter((hit) => hit.kind === "THOUGHT").map((hit) => hit.id), then, now);
  return judged(found, { then, now, by }).map((hit) => ({ ...hit, ...(hit.kind === "THOUGHT" && judgements.get(hit.id)) }));
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
  about: "What has changed between two moments.",
  async show(page) {
    const { params } = page;
    const by = params.by === "believed" ? "believed" : "true";
    const now = params.now ?? new Date().toISOString();
    let then = params.then ?? new Date(Date.now() - 30 * 86_400_000).toISOString();
    let moments = [];
    let entity = null;
    if (page.id) {
      entity = needed((await page.run("entity", { id: page.id })).entity);
      moments = changes(entity);
      if (!params.then && moments.length) then = before(moments[0]);
      page.title(`${entity.name}, then and later`, h("a", { href: link("knowledge", page.id) }, "What is known about it"));
    }
    keep("compare", page.id, { q: params.q, by: params.by, then, now }); // a link shows the same later
    const body = h("div", { class: "differences" }, page.id || params.q ? loading() : empty("Choose what to compare", "Search for something, or open an entity in ", h("a", { href: link("knowledge") }, "Knowledge"), " and compare two times."));
    const judge = (name, value) => ({ name, href: link("compare", page.id, { q: params.q, by: value, then, now }), current: (value ?? "true") === by });
    show(
      page.body,
      form(page, then, now),
      moments.length > 0 &&
        h("p", { class: "moments soft" }, "Before the change of ", moments.slice(0, 8).map((text) => [h("a", { href: link("compare", page.id, { by: params.by, then: before(text), now }) }, day(text)), "  "])),
      h("div", { class: "switch" }, h("h2", { class: "section" }, `${moment(then)} and ${moment(now)}`), choices("Judged by", [judge("True", null), judge("Believed", "believed")])),
      h("p", { class: "hint" }, MEANING[by], entity?.observations.pageInfo.hasNextPage && " Only its first 100 facts are compared."),
      body,
    );
    const asked = { then, now, by };
    if (entity) drawDifferences(body, judged(known(entity), asked), GROUPS[by]);
    else if (params.q) drawDifferences(body, await searched(page, asked), GROUPS[by]);
  },
};
