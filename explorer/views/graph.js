// The graph around a node. A click on a node draws its neighbours.

import { items, needed } from "../api.js";
import { h, icon, show } from "../dom.js";
import { day, number, plural, score, words } from "../format.js";
import { empty, kindMark, nodeLink, problem, prose, said } from "../parts.js";
import { keep } from "../place.js";
import { Canvas } from "./graph_canvas.js";
import { Known } from "./graph_nodes.js";

const MOST = 12; // nodes that a link opens

const KINDS = ["thought", "entity", "observation"];

// A switch for each kind and each type of relationship; `hidden` has those that are off.
function filters(types, hidden, onchange) {
  const toggle = (name, label) =>
    h("label", {}, h("input", { type: "checkbox", name, checked: !hidden.has(name), onchange: ({ target }) => onchange(name, target.checked) }), label);
  return [KINDS.map((kind) => toggle(kind, kindMark(kind))), types.map((type) => toggle(type, words(type)))];
}

async function save(canvas) {
  const address = URL.createObjectURL(await canvas.picture());
  h("a", { href: address, download: "graph.png" }).click();
  URL.revokeObjectURL(address);
}

function small(name, onclick) {
  return h("button", { class: "quiet small", type: "button", onclick }, name);
}

const LISTS = { observations: "facts", relations: "relations", recalls: "recalled memories", walkTrail: "thoughts that recalled it" };

// What a hub has more of than is drawn.
function rest(node, more) {
  const open = Object.entries(node.lists).filter(([, list]) => list.more);
  if (!open.length) return null;
  const told = open.map(([name, { shown, total }]) => (total === undefined ? `the first ${shown} ${LISTS[name]}` : `${shown} of ${number(total)} ${LISTS[name]}`));
  return h("p", { class: "soft" }, `Drawn: ${told.join(", ")}. `, h("button", { class: "quiet small", type: "button", onclick: more }, "Draw more"));
}

function details(node, actions) {
  return [
    h("div", { class: "byline" }, kindMark(node.kind), node.author && h("strong", {}, node.author), said(node), node.mode && h("span", { class: "tag mode" }, node.mode.toLowerCase())),
    prose(node.text),
    h("p", { class: "soft" }, node.time ? day(node.time) : "", node.mass !== null && node.mass !== undefined && ` · mass ${score(node.mass)}`),
    rest(node, actions.more),
    h(
      "div",
      { class: "ways" },
      h("a", { href: nodeLink(node) }, { thought: "Why these memories?", entity: "What is known", observation: "Begin here" }[node.kind]),
      !node.grown && small("Show neighbours", actions.open),
      small("What it touched", actions.touched),
      small("Hide", actions.hide),
    ),
  ];
}

function list(known, choose) {
  const nodes = [...known.nodes.values()];
  return h(
    "details",
    { class: "card as-list" },
    h("summary", {}, `As a list: ${plural(nodes.length, "node")}, ${plural(known.edges.size, "relationship")}`),
    h("ul", {}, nodes.map((node) => h("li", {}, kindMark(node.kind), h("button", { class: "plain", type: "button", onclick: () => choose(node.id) }, node.label)))),
  );
}

async function begin(page) {
  if (page.id) return page.id;
  const { thoughts } = await page.run("latest", { cursor: null });
  return items(thoughts)[0]?.id ?? null;
}

export default {
  about: "Click a node to draw its neighbours.",
  async show(page) {
    const start = await begin(page);
    if (!start) {
      show(page.body, empty("Nothing to draw yet", "The graph begins with the first thought."));
      return;
    }
    page.back = null; // its address draws the same picture
    const known = new Known();
    const opened = [start, ...(page.params.open ?? "").split(",").filter(Boolean)].slice(0, MOST);
    const panel = h("aside", { class: "card panel", "aria-label": "The chosen node" });
    const drawn = h("div", { class: "drawn", role: "img", "aria-label": "The graph. The list below has the same nodes." });
    const names = h("div", {});
    const switches = h("div", { class: "kinds filters" });
    const sized = h("p", { class: "soft" });
    const restored = h("button", { class: "quiet small", type: "button", hidden: true, onclick: () => hide([...known.nodes.keys()], true) }, "Show hidden nodes");
    let canvas = null;
    let chosen = page.params.node ?? start;
    const touched = new Set((page.params.touched ?? "").split(",").filter(Boolean));
    const hidden = new Set((page.params.hide ?? "").split(",").filter(Boolean));
    // A link draws the same picture: it has everything that was chosen.
    function remember() {
      keep("graph", start, { own: page.params.own, open: opened.slice(1, MOST).join(","), touched: [...touched].join(","), node: chosen === start ? null : chosen, hide: [...hidden].join(",") });
    }

    function hide(ids, shown) {
      for (const id of ids) hidden[shown ? "delete" : "add"](id);
      canvas?.hide(hidden);
      restored.hidden = ![...hidden].some((id) => known.nodes.has(id));
      choose(chosen);
    }

    function choose(id) {
      const node = known.nodes.get(id);
      chosen = id;
      canvas?.choose(id);
      remember();
      show(panel, details(node, { open: () => open(id), more: () => open(id, true), touched: () => touch(id), hide: () => hide([id], false) }));
    }

    async function grow(id) {
      const lists = Object.entries(known.nodes.get(id)?.lists ?? {}).map(([name, { after }]) => [name, after]);
      draw(known.add(await page.run("neighbours", { id, start: id, own: page.params.own ?? null, ...Object.fromEntries(lists) }), id), id);
    }

    // What a memory touched, which one may want to take out of every read.
    async function touch(id) {
      try {
        const { touched: found } = await page.run("touched", { id, own: page.params.own ?? null });
        touched.add(id);
        draw(known.touched(found.items), id);
        choose(id);
        const { made, shown, changed, after } = found;
        panel.append(h("p", { class: "soft", role: "status" }, `Made from it: ${made - 1}; recalled it: ${shown}; changed by it: ${changed}; after it: ${after}.`));
      } catch (error) {
        show(panel, problem(error));
      }
    }

    function draw(fresh, id) {
      canvas?.grow(fresh, id);
      show(switches, filters([...new Set([...known.edges.values()].map((edge) => edge.type))].sort(), hidden, (name, shown) => hide([name], shown)));
      show(names, list(known, choose));
      const masses = new Set([...known.nodes.values()].map(({ mass }) => mass ?? null));
      show(sized, masses.size > 1 ? "The larger, the more central" : ["All have one size until ", h("code", {}, "legacymind analyze"), " has run"]);
    }

    async function open(id, more = false) {
      try {
        const { grown } = known.nodes.get(id);
        if (more || !grown) await grow(id);
        if (!grown) opened.push(id);
        choose(id);
      } catch (error) {
        show(panel, problem(error));
      }
    }

    show(
      page.body,
      switches,
      h("div", { class: "over" }, sized, h("div", { class: "ways" }, restored, small("Fit", () => canvas?.fit()), small("PNG", () => canvas && save(canvas)))),
      h("div", { class: "graph-room" }, drawn, panel),
      names,
    );
    try {
      canvas = await Canvas.open(drawn, { chosen: open, signal: page.signal });
    } catch (error) {
      if (error.name === "AbortError") return;
      drawn.removeAttribute("role");
      show(drawn, h("div", { class: "empty" }, icon("graph"), h("h2", {}, "The graph cannot be drawn"), h("p", {}, error.message), h("p", {}, "The list below works without it.")));
    }
    if (page.signal.aborted) return;
    const wanted = chosen;
    for (const id of opened) {
      if (!known.nodes.get(id)?.grown) await grow(id);
      if (known.nodes.has(id)) choose(id);
    }
    for (const id of touched) if (known.nodes.has(id)) await touch(id);
    needed(known.nodes.get(start));
    hide([], true);
    choose(known.nodes.has(wanted) ? wanted : start);
  },
};
