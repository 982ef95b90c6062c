// The drawing of the graph by Cytoscape, which the server fetches once and keeps.

import { ApiError } from "../api.js";

const LIBRARY = "/explorer/lib/cytoscape-3.33.1/dist/cytoscape.esm.min.mjs";
const KINDS = ["thought", "entity", "observation"];

// Colours of the style sheet, as Cytoscape reads them.
function colours() {
  const probe = document.createElement("span");
  document.body.append(probe);
  const found = {};
  for (const name of [...KINDS, "ink", "soft", "line", "surface", "accent"]) {
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
        width: 1.2,
        "line-color": colour.line,
        "target-arrow-color": colour.line,
        "target-arrow-shape": "triangle",
        "arrow-scale": 0.7,
        "curve-style": "bezier",
        "font-size": 8,
        color: colour.soft,
        "text-rotation": "autorotate",
        "text-outline-color": colour.surface,
        "text-outline-width": 2,
      },
    },
    { selector: "edge.near", style: { label: "data(type)", "line-color": colour.soft, "target-arrow-color": colour.soft } },
    { selector: "node.chosen", style: { "border-color": colour.ink, "border-width": 3 } },
    { selector: ".beyond", style: { opacity: 0.08 } },
  ];
}

async function library(signal) {
  try {
    return (await import(LIBRARY)).default;
  } catch {
    const response = await fetch(LIBRARY, { signal }).catch(() => null);
    const answer = response?.headers.get("content-type")?.includes("json") ? await response.json() : null;
    throw new ApiError(answer?.error.message ?? "The library that draws graphs could not be loaded.", "download_failed");
  }
}

function size(node) {
  return node.mass === null || node.mass === undefined ? 20 : Math.min(16 + 9 * Math.sqrt(Math.max(node.mass, 0)), 64);
}

// Places around a node, by kind, at two distances in turn: each relationship has an angle of its own, and each label room.
function around(nodes, { x, y }) {
  const near = Math.max(130, nodes.length * 9);
  const sorted = [...nodes].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  return new Map(
    sorted.map((node, index) => {
      const angle = (index / sorted.length) * 2 * Math.PI - Math.PI / 2;
      const far = near + (index % 2) * 110;
      return [node.id, { x: x + far * 1.25 * Math.cos(angle), y: y + far * Math.sin(angle) }];
    }),
  );
}

// Room for what is new, near where everything already is.
function spread(animate) {
  return { name: "cose", animate, animationDuration: 400, randomize: false, fit: true, padding: 30, nodeRepulsion: () => 60_000, idealEdgeLength: () => 110, nodeOverlap: 30, gravity: 0.4, numIter: 600 };
}

export class Canvas {
  static async open(element, onchoose, signal) {
    const cytoscape = await library(signal);
    const canvas = new Canvas();
    canvas.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    canvas.cy = cytoscape({ container: element, style: style(), minZoom: 0.15, maxZoom: 3 });
    canvas.cy.on("tap", "node", (event) => onchoose(event.target.id()));
    const restyle = () => canvas.cy.style(style());
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("themechange", restyle);
    scheme.addEventListener("change", restyle);
    signal.addEventListener("abort", () => {
      removeEventListener("themechange", restyle);
      scheme.removeEventListener("change", restyle);
      canvas.cy.destroy();
    });
    return canvas;
  }

  // Add what is new around a node. If there was something before, find room for it.
  grow({ nodes, edges }, id) {
    const first = this.cy.nodes().empty();
    const centre = first ? { x: 0, y: 0 } : this.cy.getElementById(id).position();
    const places = around(nodes.filter((node) => node.id !== id), centre);
    this.cy.add([
      ...nodes.map((node) => ({
        group: "nodes",
        data: { id: node.id, label: node.label, size: size(node), time: node.time ?? "" },
        classes: node.kind,
        position: places.get(node.id) ?? centre,
      })),
      ...edges.map((edge) => ({ group: "edges", data: { ...edge, type: edge.type.toLowerCase().replaceAll("_", " ") } })),
    ]);
    if (first) this.fit();
    else this.cy.layout(spread(!this.still)).run();
  }

  choose(id) {
    const node = this.cy.getElementById(id);
    this.cy.elements().removeClass("chosen near");
    node.addClass("chosen").connectedEdges().addClass("near");
  }

  // Fade what is outside a span of time.
  within(from, until) {
    this.cy.batch(() => {
      for (const node of this.cy.nodes()) {
        const time = node.data("time");
        node.toggleClass("beyond", Boolean(time) && (time < from || time > until));
      }
      for (const edge of this.cy.edges()) edge.toggleClass("beyond", edge.connectedNodes(".beyond").nonempty());
    });
  }

  fit() {
    this.cy.fit(undefined, 30);
  }
}
