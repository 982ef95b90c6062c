// The frame: navigation, the namespace, the token and the theme, and the view that the address names.

import "./early.js";
import { ApiError, run, setToken, stream, token } from "./api.js";
import { h, icon, show } from "./dom.js";
import { prepare } from "./markdown.js";
import { empty, loading, problem } from "./parts.js";
import { link, read, setNamespace, setOwnNamespace } from "./place.js";

// The modules of views/, each loaded when it is first shown, and their titles.
const VIEWS = {
  home: "Home",
  sessions: "Sessions",
  session: "Session",
  search: "Search",
  knowledge: "Knowledge",
  graph: "Graph",
  compare: "Compare",
  why: "Why",
};
const SHOWN = ["home", "sessions", "search", "knowledge", "graph", "compare"];
const UNDER = { session: "sessions", why: "home" };

const KIND = { session: "session", why: "thought", knowledge: "entity", compare: "entity" };

const main = document.getElementById("main");
const nav = document.getElementById("views");
const tools = document.getElementById("tools");
const status = document.getElementById("status");

const PAGE = 100; // namespaces that the queries read at once
const KEPT = 8; // views that Back shows as they were left

let known = null; // {own, names, after}: the caller's namespace, those it may use, and where further ones begin
let asked = null; // the request for them
let current = null; // the page that is shown
const left = new Map(); // pages that were left, by the keys of their entries in the history, the latest last

// The first namespaces, read once.
function namespaces() {
  asked ??= run("boot", {}).then(
    ({ namespaces: first, chainHeads }) => {
      known = { own: chainHeads.namespace, names: [chainHeads.namespace] };
      setOwnNamespace(known.own);
      return add(first);
    },
    (error) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

function add({ edges, pageInfo }) {
  known.names = [...new Set([...known.names, ...edges.map((edge) => edge.node.name)])].sort();
  known.after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  return known;
}

function drawNavigation(place) {
  show(
    nav,
    SHOWN.map((name) =>
      h(
        "a",
        { href: link(name), "aria-current": name === (UNDER[place.view] ?? place.view) ? "page" : null },
        icon(name),
        h("span", {}, VIEWS[name]),
      ),
    ),
  );
  nav.querySelector('[href^="#/search"]').setAttribute("aria-keyshortcuts", "/ Control+K");
}

function choose(place, name) {
  setNamespace(name === known.own ? null : name);
  location.hash = link(SHOWN.includes(place.view) ? place.view : (UNDER[place.view] ?? "home"), null, { q: place.params.q });
}

// A menu of the namespaces; if there are more than a page of them, a field to type the name, which suggests them.
function namespaceField(place) {
  const chosen = place.params.ns ?? known?.own ?? "";
  const names = known?.names ?? [];
  const options = (all) => all.map((name) => h("option", { value: name, selected: name === chosen }, name));
  if (!known?.after && names.length <= PAGE) {
    const listed = chosen && !names.includes(chosen) ? [chosen, ...names] : names;
    return h("select", { "aria-label": "Namespace", onchange: (event) => choose(place, event.target.value) }, options(listed));
  }
  const list = h("datalist", { id: "namespaces" }, options(names));
  const field = h("input", {
    "aria-label": "Namespace",
    list: "namespaces",
    value: chosen,
    autocomplete: "off",
    spellcheck: "false",
    onchange: () => choose(place, field.value.trim() || known.own),
    onfocus: () => suggest().catch(() => {}), // a name can be typed without them
  });
  async function suggest() {
    while (known.after && field === document.activeElement) {
      add((await run("namespaces", { after: known.after })).namespaces);
      show(list, options(known.names));
    }
  }
  return [field, list];
}

function drawTools(place) {
  show(
    tools,
    h("label", { class: "namespace" }, h("span", {}, "Namespace"), namespaceField(place)),
    h("button", { class: "round", type: "button", title: "Token", "aria-label": "Token", onclick: askToken }, icon("key")),
    h("button", { class: "round", type: "button", title: "Light or dark", "aria-label": "Light or dark", onclick: turnTheme }, icon("theme")),
  );
}

function turnTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("legacymind.theme", root.dataset.theme);
  dispatchEvent(new Event("themechange"));
}

function askToken() {
  const field = h("input", { type: "password", name: "token", autocomplete: "off", spellcheck: "false", value: token(), placeholder: "lm_…" });
  const dialog = h(
    "dialog",
    { class: "asking", "aria-label": "Token", onclose: () => dialog.remove() },
    h(
      "form",
      {
        method: "dialog",
        onsubmit: () => {
          setToken(field.value.trim());
          known = asked = null;
          redraw();
        },
      },
      h("h2", {}, "Token"),
      h("p", { class: "hint" }, "A server that other machines reach needs one: `legacymind token create NAME --scope read`. This tab keeps it until it is closed."),
      h("label", {}, "Token", field),
      h("div", { class: "buttons" }, h("button", { class: "quiet", type: "button", onclick: () => dialog.close() }, "Cancel"), h("button", { type: "submit" }, "Use it")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

async function copyLink(event) {
  const button = event.currentTarget;
  await navigator.clipboard.writeText(location.href);
  status.textContent = "The link is copied.";
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1500);
}

// What a view gets: where it draws, and how it asks. A request that a newer view makes needless is given up. If a view
// sets `back`, Back shows it again as it was left and calls that.
function page(place) {
  let controller = new AbortController();
  const requests = [];
  const body = h("div", { class: `view ${place.view}` });
  const heading = h("h1", { tabindex: "-1" }, VIEWS[place.view] ?? "");
  const about = h("p", { class: "about" });
  const parts = [
    h(
      "header",
      { class: "head" },
      h("div", { class: "titles" }, heading, about),
      h(
        "div",
        { class: "actions" },
        h("button", { class: "quiet", type: "button", onclick: copyLink }, icon("link"), h("span", {}, "Copy link")),
        h("button", { class: "quiet query", type: "button", onclick: () => showQueries(requests) }, icon("code"), h("span", {}, "Show the query")),
      ),
    ),
    body,
  ];
  return {
    ...place,
    parts,
    body,
    heading,
    back: () => {},
    waiting: 0, // requests without an answer
    get signal() {
      return controller.signal;
    },
    leave: () => controller.abort(),
    enter() {
      controller = new AbortController();
    },
    title(text, ...more) {
      show(heading, text);
      document.title = `${heading.textContent} · LegacyMind`;
      if (more.length) show(about, more);
    },
    about: (text) => show(about, text),
    async run(name, variables = {}) {
      const all = { ...variables, namespace: place.params.ns ?? null };
      const { signal } = controller;
      requests.push({ name, variables: all });
      this.waiting += 1;
      try {
        const answer = await run(name, all, { signal });
        await prepare(answer);
        return answer;
      } catch (error) {
        // Whichever request is refused first, the whole view waits for a token.
        if (error.code === "token_missing" && !signal.aborted) {
          controller.abort();
          show(body, problem(error, null, askToken));
        }
        throw error;
      } finally {
        this.waiting -= 1;
      }
    },
    async *stream(name, variables = {}) {
      const all = { ...variables, namespace: place.params.ns ?? null };
      requests.push({ name, variables: all });
      for await (const answer of stream(name, all, { signal: controller.signal })) {
        await prepare(answer);
        yield answer;
      }
    },
  };
}

// Without a namespace in the address, a request has none, and the server reads the caller's own.
async function showQueries(requests) {
  const [{ inspect }] = await Promise.all([import("./inspector.js"), namespaces().catch(() => {})]);
  return inspect(requests.map(({ name, variables }) => ({ name, variables: { ...variables, namespace: variables.namespace ?? known?.own ?? null } })));
}

async function viewOf(name) {
  try {
    return (await import(`./views/${name}.js`)).default;
  } catch {
    throw new ApiError("A part of the page could not be loaded. Is `legacymind serve` running?", "unreachable");
  }
}

// Leave the page. Back shows it as it is, unless something of it is still loading.
function leave() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close(); // they are of this page
  if (!current) return;
  current.leave();
  left.delete(current.key);
  if (current.back && !current.waiting && !main.querySelector(".problem")) {
    left.set(current.key, { page: current, title: document.title, focus: document.activeElement, x: scrollX, y: scrollY });
  }
  if (left.size > KEPT) left.delete(left.keys().next().value);
}

// The key of this entry of the history: a new one has none.
function key() {
  if (!history.state?.key) history.replaceState({ key: `${Date.now()} ${Math.random()}` }, "");
  return history.state.key;
}

function enter({ page: again, title, focus, x, y }) {
  current = again;
  current.enter();
  show(main, current.parts);
  main.ariaBusy = "false";
  document.title = title;
  scrollTo(x, y);
  arrive(main.contains(focus) ? focus : current.heading);
  current.back();
}

// Move the focus to a part of the view, and say which view it is.
function arrive(element) {
  element.focus({ preventScroll: true });
  status.textContent = document.title;
}

// `moved`: somebody went here, so the focus follows; a field that was changed in the same view keeps it.
async function draw(moved = false) {
  const place = read();
  const field = moved && place.view === current?.view && document.activeElement?.name;
  leave();
  setNamespace(place.params.ns ?? null);
  drawNavigation(place);
  drawTools(place);
  const before = moved && left.get(key());
  if (before) {
    enter(before);
    return;
  }
  const shown = (current = page(place));
  main.ariaBusy = "true";
  current.key = key();
  const { signal } = shown;
  const focus = () => {
    const active = document.activeElement;
    if (!moved || current !== shown || (main.contains(active) && active !== shown.heading)) return;
    arrive((field && main.querySelector(`[name="${CSS.escape(field)}"]`)) || shown.heading);
  };
  const begin = () => {
    show(main, shown.parts);
    if (moved) scrollTo(0, 0);
    focus();
  };
  if (!Object.hasOwn(VIEWS, place.view)) {
    shown.title("No such view");
    begin();
    show(shown.body, empty(`There is no view “${place.view}”`, "The link is cut or mistyped. ", h("a", { href: link("home") }, "See the latest thoughts"), " or ", h("a", { href: link("search") }, "search"), "."));
    main.ariaBusy = "false";
    return;
  }
  shown.title(VIEWS[place.view]);
  show(shown.body, loading());
  // The view does not wait for the menu of namespaces.
  namespaces().then(() => signal.aborted || drawTools(place), () => {});
  try {
    const view = await viewOf(place.view);
    if (signal.aborted) return;
    shown.about(view.about);
    begin();
    await view.show(shown);
  } catch (error) {
    if (signal.aborted || error.name === "AbortError") return;
    if (!main.contains(shown.body)) begin();
    if (error.code === "not_found") show(shown.body, empty(`No such ${KIND[place.view] ?? "node"}`, "This namespace has none of this name. ", h("a", { href: link("search") }, "Search"), "."));
    else show(shown.body, problem(error, () => draw()));
  } finally {
    if (current === shown) main.ariaBusy = "false";
  }
  focus();
  requestAnimationFrame(focus); // the navigation may end later than the view
}

// Draw the view again; those that were left may have become wrong.
function redraw() {
  left.clear();
  draw();
}

history.scrollRestoration = "manual"; // the views come later than a browser would scroll
addEventListener("hashchange", () => draw(true));
addEventListener("memorychange", redraw);
// The address is that of the view, so it stays.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, dialog");
  if (!(event.key === "/" && !typing && !event.altKey && !event.ctrlKey && !event.metaKey) && !(event.key === "k" && (event.ctrlKey || event.metaKey))) return;
  event.preventDefault();
  const field = main.querySelector('[type="search"]');
  if (field) field.focus();
  else location.hash = link("search");
});
draw();
