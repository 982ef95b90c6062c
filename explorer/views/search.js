// Search for thoughts, entities and facts, with facets and the words of the search marked.

import { h, marked, show } from "../dom.js";
import { downloadSearch } from "../export.js";
import { ago, bounded, day, moment, number, plural, score, time } from "../format.js";
import { download, empty, kindMark, menu, nodeLink, scrolling, searching, said } from "../parts.js";
import { go, link } from "../place.js";

const METHODS = { GRAPH: "Meaning, words and links", VECTOR: "Meaning", TEXT: "Words" };

// Each facet: its name in the address, the member of `searchFacets`, and its title.
const FACETS = [
  ["kind", "kinds", "Kinds"],
  ["type", "thoughtTypes", "Types"],
  ["author", "authors", "Authors"],
  ["session", "sessions", "Sessions"],
];
const MOST = 1000; // hits of a download
const SHOWN = 8; // values of a facet

const FILTERS = ["kind", "mode", "type", "author", "session", "tag", "from", "to"]; // of the address

function variables(params) {
  return {
    query: params.q || null,
    kinds: params.kind ? [params.kind.toUpperCase()] : null,
    method: params.method ?? "GRAPH",
    mode: params.mode?.toLowerCase() ?? null,
    author: params.author ?? null,
    thoughtType: params.type ?? null,
    sessionId: params.session ?? null,
    tags: params.tag ? [params.tag] : null,
    dateFrom: params.from || null,
    dateTo: params.to || null,
  };
}

export function hit(found, find) {
  return h(
    "li",
    { class: "card hit" },
    h(
      "div",
      { class: "byline" },
      kindMark(found.kind),
      found.entity && found.kind === "OBSERVATION" && h("strong", {}, found.entityId ? h("a", { href: link("knowledge", found.entityId) }, found.entity) : found.entity),
      found.author && h("strong", {}, found.author),
      said(found),
      found.mode && h("span", { class: "tag mode" }, found.mode.toLowerCase()),
      found.entityType && h("span", { class: "tag" }, found.entityType),
      found.sessionId && h("a", { href: link("session", found.sessionId) }, found.sessionId),
      bounded(found.validFrom) && h("span", {}, "since ", day(found.validFrom)),
      bounded(found.validTo) && h("span", {}, "until ", day(found.validTo)),
      time(found.createdAt, ago),
    ),
    h("a", { class: "text", href: nodeLink(found) }, marked(found.text, find)),
    h(
      "div",
      { class: "marks" },
      Number.isFinite(found.score) && h("span", { class: "score", title: "Score" }, `score ${score(found.score)}`),
      Number.isFinite(found.cosine) && h("span", { class: "score", title: "Cosine with the search" }, `cosine ${score(found.cosine)}`),
      found.revisedBy && h("a", { class: "tag", href: link("why", found.revisedBy) }, "revised"),
      found.solvedBy && h("a", { class: "tag", href: link("why", found.solvedBy) }, "solved"),
      found.contradictedBy && h("a", { class: "tag bad", href: link("why", found.contradictedBy) }, "contradicted"),
    ),
  );
}

function shown(name, value) {
  if (name === "from" || name === "to") return value.length > 10 ? moment(value) : value;
  if (name !== "kind") return value;
  return value.toUpperCase() === "OBSERVATION" ? "fact" : value.toLowerCase();
}

// What the address narrows the search to, each with a link without it.
function chips(params) {
  const chosen = FILTERS.filter((name) => params[name]);
  return chosen.length > 0 && h("p", { class: "chips", "aria-label": "Filters" }, chosen.map((name) => h("a", { class: "tag", href: link("search", null, { ...params, [name]: null }) }, `${name} ${shown(name, params[name])}`, h("span", { "aria-label": "remove" }, " ×"))));
}

function facets(found, params) {
  const drawn = FACETS.filter(([name, member]) => !params[name] && found[member].length > 1).map(([name, member, title]) =>
    h(
      "section",
      {},
      h("h2", {}, title),
      h("ul", {}, found[member].slice(0, SHOWN).map(({ value, count }) => h("li", {}, h("a", { href: link("search", null, { ...params, [name]: value }) }, shown(name, value), h("span", { class: "score" }, count))))),
    ),
  );
  const counted = found.more ? `the first ${found.counted} hits` : plural(found.counted, "hit");
  return [drawn, found.counted > 0 && h("p", { class: "soft" }, `Counted in ${counted}.`)];
}

// The day of a field; exact if nobody changed it.
function chosen(field, given = "") {
  return field.value === given.slice(0, 10) ? given : field.value;
}

function form(params) {
  const method = menu("Method", Object.entries(METHODS), params.method);
  const from = h("input", { type: "date", name: "from", value: (params.from ?? "").slice(0, 10) });
  const to = h("input", { type: "date", name: "to", value: (params.to ?? "").slice(0, 10) });
  const found = (q) => go("search", null, { ...params, q, method: method.value === "GRAPH" ? null : method.value, from: chosen(from, params.from), to: chosen(to, params.to) });
  return searching("Search for", { value: params.q, placeholder: "What did we decide about the battery?" }, found, method, h("label", {}, "From", from), h("label", {}, "To", to));
}

export default {
  about: "By meaning, words and links. Without words: the latest thoughts.",
  async show(page) {
    const { params } = page;
    const find = (params.q ?? "").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    let [cursor, all] = [null, true];
    const side = h("aside", { class: "facet-list", "aria-label": "Facets" });
    const note = h("p", { class: "hint", hidden: true });
    const list = h("ul", { class: "cards" });
    const { parts, load } = scrolling(
      list,
      async () => {
        const { search } = await page.run("search", { ...variables(params), cursor });
        cursor = search.next;
        all &&= !search.next;
        note.hidden = !search.note;
        note.textContent = search.note ?? "";
        return { items: search.hits, next: search.next };
      },
      { draw: (found) => hit(found, find), none: () => empty("Nothing was found", "Try other words, another method or fewer filters.") },
    );
    show(page.body, form(params), chips(params), note, h("div", { class: "results" }, side, h("div", {}, parts)));
    if (!params.q) page.body.querySelector("input[type=search]").focus({ preventScroll: true });
    await load();
    const save = download(`Download the first ${number(MOST)} as CSV`, () => downloadSearch(page, variables(params), MOST));
    show(side, save);
    if (all) return; // who sees all hits needs no counts
    // Counted afterwards: it ranks as much as a page.
    page.run("search_facets", variables(params)).then(
      ({ searchFacets }) => show(side, facets(searchFacets, params), save),
      () => {}, // the hits are shown without
    );
  },
};
