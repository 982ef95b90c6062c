// The graph around a node. A click on a node draws its neighbours.

import { items } from "../api.js";
import { h, icon, show } from "../dom.js";
import { day, number, plural, score, words } from "../format.js";
import { empty, kindMark, nodeLink, problem, prose } from "../parts.js";
import { keep, link } from "../place.js";
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

async function save(canvas, kind) {
  const address = URL.createObjectURL(await canvas.picture(kind));
  h("a", { href: address, download: `graph.${kind}` }).click();
  URL.revokeObjectURL(address);
}

function small(name, onclick) {
  return h("button", { class: "quiet small", type: "button", onclick }, name);
}

// Two sliders over the times of the nodes, one position for each time. `span` is what they chose: null is no limit.
function times(span, onchange, onchosen) {
  const from = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "From" });
  const until = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Until" });
  const said = h("output", {});
  let all = [];
  function tell() {
    const [first, last] = [span.from ?? all[0], span.until ?? all.at(-1)];
    said.textContent = all.length ? `${day(first)} – ${day(last)}` : "";
    onchange(first ?? "", last ?? "9999");
  }
  for (const slider of [from, until]) {
    slider.addEventListener("input", () => {
      if (Number(from.value) > Number(until.value)) (slider === from ? until : from).value = slider.value;
      span.from = Number(from.value) > 0 ? all[Number(from.value)] : null;
      span.until = Number(until.value) < all.length - 1 ? all[Number(until.value)] : null;
      tell();
    });
    slider.addEventListener("change", onchosen);
  }
  return {
    element: h("div", { class: "moment times" }, h("label", {}, h("span", {}, "From"), from), h("label", {}, h("span", {}, "Until"), until), said),
    set(known) {
      all = known;
      for (const slider of [from, until]) slider.max = Math.max(all.length - 1, 0);
      from.value = span.from ? all.filter((time) => time < span.from).length : 0;
      until.value = span.until ? all.filter((time) => time <= span.until).length - 1 : until.max;
      tell();
    },
  };
}

const LISTS = { observations: "facts", relations: "relations", recalls: "recalled memories", walkTrail: "thoughts that recalled it" };

// What a hub has more of than is drawn.
function rest(node, more) {
  const open = Object.entries(node.lists).filter(([, list]) => list.more);
  if (!open.length) return null;
  const told = open.map(([name, { shown, total }]) => (total === undefined ? `the first ${shown} ${LISTS[name]}` : `${shown} of ${number(total)} ${LISTS[name]}`));
  return h("p", { class: "soft" }, `Drawn: ${told.join(", ")}. `, h("button", { class: "quiet small", type: "button", onclick: more }, "Draw more"));
}

function details(node, actions, others, goal, way) {
  return [
    h("div", { class: "byline" }, kindMark(node.kind), node.author && h("strong", {}, node.author), node.mode && h("span", { class: "tag mode" }, node.mode.toLowerCase())),
    prose(node.text),
    h("p", { class: "soft" }, node.time ? day(node.time) : "", node.mass !== null && node.mass !== undefined && ` · mass ${score(node.mass)}`),
    rest(node, actions.more),
    h(
      "div",
      { class: "ways" },
      h("a", { href: nodeLink(node) }, { thought: "Why these memories?", entity: "What is known", observation: "Begin here" }[node.kind]),
      !node.grown && small("Show neighbours", actions.open),
      small(node.pinned ? "Unpin" : "Pin", actions.pin),
      small("Hide", actions.hide),
    ),
    h(
      "label",
      { class: "soft" },
      "Path to ",
      h("select", { name: "to", onchange: ({ target }) => actions.path(target.value || null) }, h("option", { value: "" }, "…"), others.map((other) => h("option", { value: other.id, selected: other.id === goal }, other.label))),
    ),
    goal && h("p", { class: "soft way" }, way ? way.join(" → ") : "No path leads there in what is shown. Draw more neighbours."),
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
    const restored = h("button", { class: "quiet small", type: "button", hidden: true, onclick: () => hide([...known.nodes.keys()], true) }, "Show hidden nodes");
    let canvas = null;
    const span = { from: page.params.from ?? null, until: page.params.until ?? null };
    const sliders = times(span, (from, until) => canvas?.within(from, until), remember);
    let chosen = page.params.node ?? start;
    let goal = page.params.to ?? null;
    const hidden = new Set((page.params.hide ?? "").split(",").filter(Boolean));
    const pins = new Map((page.params.pins ?? "").split(",").filter(Boolean).map((pin) => pin.split(":")).map(([id, ...numbers]) => [id, numbers.map(Number)]));

    // A link draws the same picture: it has everything that was chosen, and of each pinned node the place and how many
    // nodes had been opened, because later ones are placed around it.
    function remember() {
      const pinned = canvas ? canvas.pins.map(([id, x, y]) => [id, x, y, pins.get(id)?.[2] ?? opened.length].join(":")).join(",") : page.params.pins;
      keep("graph", start, { own: page.params.own, open: opened.slice(1, MOST).join(","), node: chosen === start ? null : chosen, to: goal, hide: [...hidden].join(","), pins: pinned, ...span });
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
      const way = canvas?.path(id, goal)?.map((step) => known.nodes.get(step).label);
      const actions = {
        open: () => open(id),
        more: () => open(id, true),
        hide: () => hide([id], false),
        path: (to) => {
          goal = to;
          choose(id);
        },
        pin: () => {
          canvas?.pin(id);
          pins.delete(id);
          choose(id);
        },
      };
      remember();
      const others = [...known.nodes.values()].filter((other) => other.id !== id && !hidden.has(other.id));
      show(panel, details({ ...node, pinned: canvas?.pins.some(([pinned]) => pinned === id) }, actions, others, goal, way));
    }

    async function grow(id) {
      const lists = Object.entries(known.nodes.get(id)?.lists ?? {}).map(([name, { after }]) => [name, after]);
      const fresh = known.add(await page.run("neighbours", { id, start: id, own: page.params.own ?? null, ...Object.fromEntries(lists) }), id);
      canvas?.grow(fresh, id);
      sliders.set(known.times());
      show(switches, filters([...new Set([...known.edges.values()].map((edge) => edge.type))].sort(), hidden, (name, shown) => hide([name], shown)));
      show(names, list(known, choose));
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

    const exported = ["png", "svg"].map((kind) => small(kind.toUpperCase(), () => canvas && save(canvas, kind)));
    show(
      page.body,
      switches,
      h("div", { class: "over" }, h("p", { class: "soft" }, "The larger, the more central"), h("div", { class: "ways" }, restored, small("Fit", () => canvas?.fit()), exported)),
      h("div", { class: "graph-room" }, drawn, panel),
      sliders.element,
      names,
    );
    try {
      canvas = await Canvas.open(drawn, { chosen: open, pinned: remember, signal: page.signal });
    } catch (error) {
      if (error.name === "AbortError") return;
      drawn.removeAttribute("role");
      show(drawn, h("div", { class: "empty" }, icon("graph"), h("h2", {}, "The graph cannot be drawn"), h("p", {}, error.message), h("p", {}, "The list below works without it.")));
    }
    if (page.signal.aborted) return;
    const wanted = chosen;
    for (const [index, id] of opened.entries()) {
      if (!known.nodes.get(id)?.grown) await grow(id);
      for (const [pinned, [x, y, when]] of pins) if (when === index + 1) canvas?.pin(pinned, { x, y });
      if (known.nodes.has(id)) choose(id);
    }
    if (known.nodes.has(start)) hide([], true);
    if (known.nodes.has(start)) choose(known.nodes.has(wanted) ? wanted : start);
    else show(page.body, empty("No such node", h("a", { href: link("search") }, "Search for one")));
  },
};
