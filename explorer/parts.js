// Pieces that several views are made of.

import { setToken, token } from "./api.js";
import { h, icon, marked, show } from "./dom.js";
import { ago, score, time, words } from "./format.js";
import { markdown } from "./markdown.js";
import { link, shownNamespace } from "./place.js";

export function kindMark(kind) {
  const name = kind.toLowerCase();
  return h("span", { class: `kind ${name}` }, name === "observation" ? "fact" : name);
}

// A text of the memory. A long one is cut by the style sheet until it is opened.
export function prose(text, find = []) {
  if (text === null || text === undefined) return h("p", { class: "prose absent" }, "The text was removed.");
  const rich = find.length ? null : markdown(text);
  const body = rich ? h("div", { class: "prose rich" }, rich) : h("p", { class: "prose" }, marked(text, find));
  if (text.length < 420) return body;
  body.classList.add("cut");
  const more = h("button", { class: "quiet small", type: "button", "aria-expanded": "false" }, "Show all");
  more.addEventListener("click", () => {
    const open = body.classList.toggle("cut");
    more.textContent = open ? "Show all" : "Show less";
    more.setAttribute("aria-expanded", String(!open));
  });
  return [body, more];
}

// Who said something, in the words of the server.
export function said({ saidBy }) {
  return saidBy && h("span", { class: "tag", title: "Who said it" }, saidBy);
}

// The line above a text: who, how and when.
export function byline(thought, { session = true, form = ago } = {}) {
  return h(
    "div",
    { class: "byline" },
    thought.author && h("strong", {}, thought.author),
    said(thought),
    thought.mode && h("span", { class: "tag mode" }, words(thought.mode)),
    thought.thoughtType && thought.thoughtType !== (thought.mode ?? "").toLowerCase() && h("span", { class: "tag" }, thought.thoughtType),
    thought.isPrivate && h("span", { class: "tag" }, "private"),
    thought.pinned && h("span", { class: "tag" }, "pinned"),
    thought.standing && h("span", { class: "tag" }, "standing"),
    session && thought.sessionId && h("a", { href: link("session", thought.sessionId) }, thought.sessionId),
    thought.replica && h("span", { class: "tag", title: `The home that stored it or last changed it: ${thought.replica}` }, `home ${thought.replica.slice(0, 8)}`),
    time(thought.createdAt, form),
  );
}

const BY = { ASSOCIATES: "associated by", REFERENCES: "referenced by", DEPENDS_ON: "needed by", CONTRADICTS: "contradicted by", REINFORCES: "reinforced by", SOLVES: "solved by" };

// What a thought is linked to: its latest revision, its relations, and `more`. `own` is its session.
export function related(thought, own, more = []) {
  const relations = thought.relations.edges.map(({ type, direction, node }) => [direction === "OUT" ? words(type) : BY[type], node]);
  const named = (node) => node.name ?? (node.__typename === "Observation" ? "a fact" : (node.stepIndex ?? null) === null ? "another thought" : `step ${node.stepIndex}`);
  const href = (node) => ((node.__typename ?? "Thought") === "Thought" ? link("why", node.id, { own }) : nodeLink(node));
  const all = [["revised by", thought.belief.revisedBy], ...more, ...relations].filter(([, node]) => node);
  return all.length > 0 && h("p", { class: "links" }, all.map(([name, node]) => [h("a", { href: href(node) }, `${name} ${named(node)}`), " "]));
}

// Links from a thought to the other views of it. `own` is the session of a private one, which only its session reads.
export function ways(id, { graph = true, own = null } = {}) {
  return h(
    "div",
    { class: "ways" },
    h("a", { href: link("why", id, { own }) }, "Why these memories?"),
    graph && h("a", { href: link("graph", id, { own }) }, "In the graph"),
  );
}

export function nodeLink(node) {
  const kind = (node.kind ?? node.__typename).toUpperCase();
  if (kind === "ENTITY") return link("knowledge", node.id);
  if (kind === "OBSERVATION") return link("graph", node.id);
  return link("why", node.id);
}

// A memory in one or two lines, with its score.
export function memory(node, { value = null, note = null } = {}) {
  return h(
    "a",
    { class: "memory", href: nodeLink(node) },
    kindMark(node.kind ?? node.__typename),
    h("span", { class: "text" }, node.text ?? node.content ?? node.name ?? "The text was removed."),
    node.saidBy && h("span", { class: "note" }, node.saidBy),
    note && h("span", { class: "note" }, note),
    value !== null && h("span", { class: "score" }, score(value)),
  );
}

export function verdictMark(verdict) {
  const broken = verdict !== "INTACT";
  const label = { INTACT: "Chain intact", BROKEN: "Chain broken", TRUNCATED: "Chain truncated", UNVERIFIABLE: "Not verifiable" }[verdict];
  return h("span", { class: `verdict ${broken ? "bad" : "good"}` }, icon(broken ? "broken" : "intact"), label);
}

export function empty(title, ...more) {
  const namespace = shownNamespace();
  return h(
    "div",
    { class: "empty" },
    h("h2", {}, title),
    more.length > 0 && h("p", {}, more),
    namespace && h("p", { class: "soft" }, "Namespace: ", h("bdi", {}, namespace)),
  );
}

// `again` reads anew; of a request without a valid token, `ask` opens the dialog for one.
export function problem(error, again = null, ask = null) {
  const [title, said] =
    error.code !== "token_missing" ? ["This could not be read", error.message] : token() ? ["This token is unknown", "It may be mistyped or revoked."] : ["This server needs a token", "`legacymind token create NAME --scope read` makes one."];
  const button = (name, onclick) => h("button", { type: "button", onclick }, name);
  const remove = () => {
    setToken("");
    dispatchEvent(new Event("memorychange"));
  };
  return h(
    "div",
    { class: "problem", role: "alert" },
    h("h2", {}, title),
    h("p", {}, said),
    h("p", { class: "code" }, error.code ?? "error"),
    ask && [button(token() ? "Change it" : "Enter it", ask), token() && [" ", button("Remove it", remove)]],
    again && button("Try again", again),
  );
}

export function loading(lines = 4) {
  return h(
    "div",
    { class: "loading", "aria-busy": "true" },
    h("span", { class: "visually-hidden" }, "Loading …"),
    Array.from({ length: lines }, () => h("div", { class: "bone" })),
  );
}

// A field to search with, and filters. `found` gets the words, also when a filter changes.
export function searching(label, { value, placeholder, button = "Search" }, found, ...filters) {
  const field = h("input", { type: "search", name: "q", value: value ?? "", placeholder, "aria-label": label, autocomplete: "off" });
  const submit = (event) => {
    event.preventDefault();
    found(field.value.trim());
  };
  for (const filter of filters) filter.addEventListener("change", submit);
  return h(
    "form",
    { class: "searching", role: "search", onsubmit: submit },
    h("div", { class: "field" }, icon("search"), field, h("button", { type: "submit" }, button)),
    filters.length > 0 && h("div", { class: "filters" }, filters),
  );
}

// A button that makes a file, which may take a while, or says why there is none.
export function download(name, make) {
  const button = h("button", { class: "quiet small", type: "button" }, name);
  button.addEventListener("click", async () => {
    button.disabled = true;
    await make().catch((error) => error.name !== "AbortError" && button.after(problem(error)));
    button.disabled = false;
  });
  return button;
}

// A choice among [value, name]: the first is the default.
export function menu(label, options, chosen) {
  return h("select", { "aria-label": label }, options.map(([value, name]) => h("option", { value, selected: value === chosen }, name)));
}

// Choices of which one is current: links, so that each can be shared.
export function choices(label, items) {
  return h(
    "nav",
    { class: "choices", "aria-label": label },
    items.map(({ name, href, current, hidden }) => h("a", { href, hidden, "aria-current": current ? "true" : null }, name)),
  );
}

// A list that grows: `more()` returns {items, next}, and is called when its end comes into sight. `settle`, if it is
// given, fills the items of a page; how far the list reaches is known only then.
export function scrolling(list, more, { draw, none = null }) {
  const button = h("button", { class: "more", type: "button", hidden: true }, "Show more");
  const end = h("div", { class: "end" });
  let busy = false;
  const watcher = new IntersectionObserver(([entry]) => entry.isIntersecting && !button.hidden && load(), { rootMargin: "600px" });

  async function load() {
    if (busy) return;
    busy = true;
    const bones = list.childElementCount ? null : loading();
    if (bones) end.before(bones);
    button.hidden = true;
    try {
      const { items, next, settle } = await more();
      list.append(...items.map(draw).flat(Infinity));
      if (!list.childElementCount && none) list.after(none());
      bones?.remove();
      show(end);
      await settle?.().catch(() => {}); // the list is shown without
      button.hidden = !next;
      if (next) {
        watcher.unobserve(end); // the end may still be in sight
        watcher.observe(end);
      }
    } catch (error) {
      if (error.name !== "AbortError") show(end, problem(error, load));
    } finally {
      bones?.remove();
      busy = false;
    }
  }
  watcher.observe(end);
  button.addEventListener("click", load);
  return { parts: [list, end, button], load };
}
