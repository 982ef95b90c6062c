// The graph as a drawing in SVG, as Cytoscape shows it.

import { svg } from "../dom.js";

const ROOM = 60;

function edge(one, ink) {
  const [from, to, middle] = [one.sourceEndpoint(), one.targetEndpoint(), one.midpoint()];
  const bend = { x: 2 * middle.x - (from.x + to.x) / 2, y: 2 * middle.y - (from.y + to.y) / 2 };
  const label = one.style("label");
  return [
    svg("path", { d: `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}`, fill: "none", stroke: one.style("line-color"), "stroke-width": one.numericStyle("width"), "marker-end": "url(#end)" }),
    label && svg("text", { x: middle.x, y: middle.y - 3, "font-size": 9, "text-anchor": "middle", fill: ink }, label),
  ];
}

function node(one, { ink, surface }) {
  const { x, y } = one.position();
  const half = one.width() / 2;
  const look = { fill: one.style("background-color"), stroke: one.style("border-color"), "stroke-width": one.numericStyle("border-width") };
  const square = one.hasClass("observation") && { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: half / 3 };
  return [
    square ? svg("rect", { ...square, ...look }) : svg("circle", { cx: x, cy: y, r: half, ...look }),
    svg("text", { x, y: y + half + 15, "font-size": 12, "text-anchor": "middle", fill: ink, stroke: surface, "stroke-width": 3, "paint-order": "stroke" }, one.data("label")),
  ];
}

export function drawing(cy, colours) {
  const { x1, y1, w, h } = cy.elements(":visible").boundingBox();
  const picture = svg(
    "svg",
    { viewBox: [x1 - ROOM, y1 - ROOM, w + 2 * ROOM, h + 2 * ROOM].join(" "), "font-family": "system-ui, sans-serif" },
    svg("defs", {}, svg("marker", { id: "end", viewBox: "0 0 6 6", refX: 6, refY: 3, markerWidth: 6, markerHeight: 6, orient: "auto" }, svg("path", { d: "M0 0 6 3 0 6Z", fill: colours.edge }))),
    svg("rect", { x: x1 - ROOM, y: y1 - ROOM, width: w + 2 * ROOM, height: h + 2 * ROOM, fill: colours.surface }),
    cy.edges(":visible").map((one) => edge(one, colours.soft)),
    cy.nodes(":visible").map((one) => node(one, colours)),
  );
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
}
