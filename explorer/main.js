// The frame: navigation, the namespace, the token and the theme, and the view that the address names.

import "./early.js";
import { ApiError, run, setToken, stream, token } from "./api.js";
import { h, icon, show } from "./dom.js";
import { empty, loading, problem } from "./parts.js";
import { link, read, setNamespace, setOwnNamespace } from "./place.js";

// The modules of views/, each loaded when it is first shown, and their titles.
const VIEWS = {
  live: "Live",
  sessions: "Sessions",
  session: "Session",
  search: "Search",
  knowledge: "Knowledge",
  graph: "Graph",
  compare: "Compare",
  why: "Why",
};
const SHOWN = ["live", "sessions", "search", "knowledge", "graph", "compare"];
const UNDER = { session: "sessions", why: "live" };

const main = document.getElementById("main");
const nav = document.getElementById("views");
const tools = document.getElementById("tools");
const status = document.getElementById("status");

const PAGE = 100; // namespaces that the queries read at once

let known = null; // {own, names, after}: the caller's namespace, those it may use, and where further ones begin
let asked = null; // the request for them
let current = new AbortController();

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
}

function choose(place, name) {
  setNamespace(name === known.own ? null : name);
  location.hash = link(SHOWN.includes(place.view) ? place.view : "live");
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
          draw();
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

// What a view gets: where it draws, and how it asks. A request that a newer view makes needless is given up.
function page(place, controller) {
  const { signal } = controller;
  const requests = [];
  const body = h("div", { class: `view ${place.view}` });
  const heading = h("h1", {}, VIEWS[place.view] ?? "");
  const about = h("p", { class: "about" });
  show(
    main,
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
  );
  return {
    ...place,
    body,
    signal,
    title(text, ...more) {
      show(heading, text);
      document.title = `${heading.textContent} · LegacyMind`;
      if (more.length) show(about, more);
    },
    about: (text) => show(about, text),
    async run(name, variables = {}) {
      const all = { ...variables, namespace: place.params.ns ?? null };
      requests.push({ name, variables: all });
      try {
        return await run(name, all, { signal });
      } catch (error) {
        // Whichever request is refused first, the whole view waits for a token.
        if (error.code === "token_missing" && !signal.aborted) {
          controller.abort();
          show(body, problem(error, askToken));
        }
        throw error;
      }
    },
    stream(name, variables = {}) {
      const all = { ...variables, namespace: place.params.ns ?? null };
      requests.push({ name, variables: all });
      return stream(name, all, { signal });
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

async function draw() {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const place = read();
  setNamespace(place.params.ns ?? null);
  drawNavigation(place);
  drawTools(place);
  const shown = page(place, current);
  if (!Object.hasOwn(VIEWS, place.view)) {
    shown.title("No such view");
    show(shown.body, empty(`There is no view “${place.view}”`, "The link is cut or mistyped. ", h("a", { href: link("live") }, "See the latest thoughts"), " or ", h("a", { href: link("search") }, "search"), "."));
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
    await view.show(shown);
  } catch (error) {
    if (!signal.aborted && error.name !== "AbortError") show(shown.body, problem(error, draw));
  }
}

addEventListener("hashchange", () => {
  scrollTo(0, 0);
  draw();
});
// The address is that of the view, so it stays.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
draw();
