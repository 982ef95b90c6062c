// The drawing of the graph by Cytoscape, and its layout by Cola, which lets no labels overlap. The server fetches both
// once and keeps them.

import { ApiError } from "../api.js";

const LIBRARY = "/explorer/lib/cytoscape-3.33.1/dist/cytoscape.esm.min.mjs";
const LAYOUT = ["/explorer/lib/webcola-3.4.0/WebCola/cola.min.js", "/explorer/lib/cytoscape-cola-2.3.0/cytoscape-cola.js"];
const LABELLED = 24; // nodes with labels
const READABLE = 9; // pixels of a letter on the screen, also of a narrow one
const KINDS = ["thought", "entity", "observation"];

// Colours of the style sheet, as Cytoscape reads them.
function colours() {
  const probe = document.createElement("span");
  document.body.append(probe);
  const found = {};
  for (const name of [...KINDS, "ink", "soft", "edge", "surface"]) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

function style() {
  const colour = colours();
  return [
    {
      selector: "node",
      style: {
        width: "data(size)",
        height: "data(size)",
        label: "data(label)",
        "font-size": 12,
        "font-family": "system-ui, sans-serif",
        color: colour.ink,
        "text-valign": "bottom",
        "text-margin-y": 4,
        "text-wrap": "wrap",
        "text-max-width": 96,
        "text-outline-color": colour.surface,
        "text-outline-width": 2,
        "min-zoomed-font-size": 6,
        "border-width": 2,
        "border-color": colour.surface,
      },
    },
    ...KINDS.map((kind) => ({ selector: `.${kind}`, style: { "background-color": colour[kind] } })),
    { selector: ".entity", style: { shape: "round-hexagon", "font-weight": 600 } },
    { selector: ".observation", style: { shape: "round-rectangle" } },
    {
      selector: "edge",
      style: {
        width: 1.4,
        "line-color": colour.edge,
        "target-arrow-color": colour.edge,
        "target-arrow-shape": "triangle",
        "arrow-scale": 0.7,
        "curve-style": "bezier",
        "font-size": 9,
        color: colour.soft,
        "text-rotation": "autorotate",
        "text-outline-color": colour.surface,
        "text-outline-width": 2,
      },
    },
    { selector: "edge.near", style: { label: "data(type)", "line-color": colour.soft, "target-arrow-color": colour.soft } },
    { selector: ".quiet", style: { label: "" } },
    { selector: ".hidden", style: { display: "none" } },
    { selector: "node.chosen", style: { "border-color": colour.ink, "border-width": 3 } },
  ];
}

// A script that is no module, which other hosts cannot give: the page's policy allows those of this server only.
function script(address) {
  return new Promise((loaded, failed) => {
    const element = document.createElement("script");
    Object.assign(element, { src: address, onload: loaded, onerror: () => failed(address) });
    document.head.append(element);
  });
}

let loading = null;

async function library(signal) {
  loading ??= Promise.all([import(LIBRARY), script(LAYOUT[0]).then(() => script(LAYOUT[1]))]).then(([{ default: cytoscape }]) => {
    cytoscape.use(window.cytoscapeCola);
    return cytoscape;
  });
  try {
    return await loading;
  } catch (failed) {
    loading = null;
    const response = await fetch(typeof failed === "string" ? failed : LIBRARY, { signal }).catch(() => null);
    const answer = response?.headers.get("content-type")?.includes("json") ? await response.json() : null;
    throw new ApiError(answer?.error.message ?? "The library that draws graphs could not be loaded.", "download_failed");
  }
}

function size(node) {
  return node.mass === null || node.mass === undefined ? 20 : Math.min(16 + 9 * Math.sqrt(Math.max(node.mass, 0)), 64);
}

// Places around a node, by kind, at two distances in turn, from which Cola begins. They are on no common line, which Cola
// would keep.
function around(nodes, { x, y }) {
  const near = Math.max(130, nodes.length * 9);
  const sorted = [...nodes].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  return new Map(
    sorted.map((node, index) => {
      const angle = ((index + 0.3) / (sorted.length + 0.5)) * 2 * Math.PI;
      const far = near + (index % 2) * 110;
      return [node.id, { x: x + far * 1.25 * Math.cos(angle), y: y + far * Math.sin(angle) }];
    }),
  );
}

// The same graph gets the same places each time: no part of the layout is left to chance or to the time it takes.
const PLACED = { name: "cola", boundingBox: { x1: 0, y1: 0, w: 900, h: 700 }, animate: false, randomize: false, fit: false, avoidOverlap: true, nodeDimensionsIncludeLabels: true, nodeSpacing: 10, edgeLength: 130, convergenceThreshold: 0.001 };

export class Canvas {
  // `chosen` is called with the id of a node that was clicked.
  static async open(element, { chosen, signal }) {
    const cytoscape = await library(signal);
    const canvas = new Canvas();
    canvas.cy = cytoscape({ container: element, style: style(), minZoom: 0.15, maxZoom: 3 });
    canvas.cy.on("tap", "node", (event) => chosen(event.target.id()));
    canvas.cy.on("resize", () => canvas.fit());
    const restyle = () => canvas.cy.style(style());
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("themechange", restyle, { signal });
    scheme.addEventListener("change", restyle, { signal });
    signal.addEventListener("abort", () => canvas.cy.destroy());
    return canvas;
  }

  // Add what is new around a node, and find room for all.
  grow({ nodes, edges }, id) {
    const centre = { x: 0, y: 0, ...this.cy.getElementById(id).position() };
    const places = around(nodes.filter((node) => node.id !== id), centre);
    this.cy.add([
      ...nodes.map((node) => ({
        group: "nodes",
        data: { id: node.id, label: node.label, size: size(node) },
        classes: node.kind,
        position: places.get(node.id) ?? centre,
      })),
      ...edges.map((edge) => ({ group: "edges", data: { ...edge, name: edge.type, type: edge.type.toLowerCase().replaceAll("_", " ") } })),
    ]);
    this.cy.layout(PLACED).run();
    this.fit();
  }

  choose(id) {
    const node = this.cy.getElementById(id);
    this.cy.elements().removeClass("chosen near");
    node.addClass("chosen").connectedEdges().addClass("near");
    // Of many nodes, only the chosen one and its neighbours have labels.
    this.cy.nodes().toggleClass("quiet", this.cy.nodes().length > LABELLED);
    node.closedNeighborhood().removeClass("quiet");
  }

  // Show all but these kinds, types of relationships and nodes.
  hide(names) {
    this.cy.batch(() => {
      for (const node of this.cy.nodes()) node.toggleClass("hidden", names.has(node.id()) || KINDS.some((kind) => names.has(kind) && node.hasClass(kind)));
      for (const edge of this.cy.edges()) edge.toggleClass("hidden", names.has(edge.data("name")));
    });
  }

  fit() {
    this.cy.fit(this.cy.elements(":visible"), 30);
    this.cy.style().selector("node").style("font-size", Math.max(12, READABLE / this.cy.zoom())).update();
  }

  picture() {
    return this.cy.png({ output: "blob-promise", full: true, scale: 2, bg: colours().surface });
  }
}
