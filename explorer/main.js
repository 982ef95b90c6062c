// The frame: navigation, the namespace, the token and the theme, and the view that the address names.

import { run, setToken, stream, token } from "./api.js";
import { h, icon, show } from "./dom.js";
import { inspect } from "./inspector.js";
import { loading, problem } from "./parts.js";
import { link, read, setNamespace } from "./place.js";
import compare from "./views/compare.js";
import graph from "./views/graph.js";
import knowledge from "./views/knowledge.js";
import live from "./views/live.js";
import search from "./views/search.js";
import session from "./views/session.js";
import sessions from "./views/sessions.js";
import why from "./views/why.js";

const VIEWS = { live, sessions, session, search, knowledge, graph, compare, why };
const SHOWN = ["live", "sessions", "search", "knowledge", "graph", "compare"];
const UNDER = { session: "sessions", why: "live" };

const main = document.getElementById("main");
const nav = document.getElementById("views");
const tools = document.getElementById("tools");
const status = document.getElementById("status");

let known = null; // {own, names}: the namespace of this caller, and those it may use
let current = new AbortController();

async function namespaces() {
  if (known) return known;
  const { namespaces: page, chainHeads } = await run("boot", {});
  known = { own: chainHeads.namespace, names: page.edges.map((edge) => edge.node.name) };
  if (!known.names.includes(known.own)) known.names.push(known.own);
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
        h("span", {}, VIEWS[name].title),
      ),
    ),
  );
}

function drawTools(place) {
  const choose = h(
    "select",
    {
      "aria-label": "Namespace",
      onchange: (event) => {
        setNamespace(event.target.value === known.own ? null : event.target.value);
        location.hash = link(SHOWN.includes(place.view) ? place.view : "live");
      },
    },
    (known?.names ?? []).map((name) => h("option", { selected: name === namespace(place) }, name)),
  );
  show(
    tools,
    h("label", { class: "namespace" }, h("span", {}, "Namespace"), choose),
    h("button", { class: "round", type: "button", title: "Token", "aria-label": "Token", onclick: askToken }, icon("key")),
    h("button", { class: "round", type: "button", title: "Light or dark", "aria-label": "Light or dark", onclick: turnTheme }, icon("theme")),
  );
}

function namespace(place) {
  return place.params.ns ?? known?.own ?? null;
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
          known = null;
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
function page(place, signal) {
  const requests = [];
  const body = h("div", { class: `view ${place.view}` });
  const heading = h("h1", {}, VIEWS[place.view].title);
  const about = h("p", { class: "about" }, VIEWS[place.view].about ?? "");
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
        h("button", { class: "quiet query", type: "button", onclick: () => inspect(requests) }, icon("code"), h("span", {}, "Show the query")),
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
    run(name, variables = {}) {
      const all = { ...variables, namespace: namespace(place) };
      requests.push({ name, variables: all });
      return run(name, all, { signal });
    },
    stream(name, variables = {}) {
      const all = { ...variables, namespace: namespace(place) };
      requests.push({ name, variables: all });
      return stream(name, all, { signal });
    },
  };
}

async function draw() {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const place = read();
  if (!(place.view in VIEWS)) place.view = "live";
  setNamespace(place.params.ns ?? null);
  drawNavigation(place);
  const shown = page(place, signal);
  shown.title(VIEWS[place.view].title);
  show(shown.body, loading());
  try {
    await namespaces();
    if (signal.aborted) return;
    drawTools(place);
    await VIEWS[place.view].show(shown);
  } catch (error) {
    if (signal.aborted || error.name === "AbortError") return;
    drawTools(place);
    show(shown.body, problem(error, error.code === "token_missing" ? askToken : draw));
  }
}

addEventListener("hashchange", () => {
  if (location.hash === "#main") return main.focus();
  scrollTo(0, 0);
  return draw();
});
drawTools(read());
draw();
