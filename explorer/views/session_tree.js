// A session as trees: each thought under its parent. Branches open and close.

import { h, show } from "../dom.js";
import { plural } from "../format.js";
import { empty, scrolling } from "../parts.js";
import { link } from "../place.js";
import { faultsOf } from "./session.js";

function leaf(thought, faults) {
  const broken = faults.has(thought.thoughtId) || faults.has(thought.stepIndex);
  return h(
    "div",
    { class: `leaf ${broken ? "broken" : ""}` },
    h("span", { class: "number" }, thought.stepIndex ?? "–"),
    h(
      "a",
      { href: link("why", thought.thoughtId) },
      broken && h("strong", { class: "fault" }, "Broken. "),
      thought.redactedAt ? "The text was removed." : thought.content,
    ),
    thought.thoughtType && h("span", { class: "tag" }, thought.thoughtType),
  );
}

function branch(thought, faults) {
  const more = thought.childCount - thought.children.length;
  if (!thought.childCount) return h("li", {}, leaf(thought, faults));
  const below = h(
    "ul",
    {},
    thought.children.map((child) => branch(child, faults)),
    more > 0 && h("li", { class: "soft" }, `${plural(more, "more child", "more children")} not shown.`),
  );
  const turn = h("button", { class: "turn", type: "button", "aria-expanded": "true", "aria-label": `Children of step ${thought.stepIndex ?? "without a number"}` });
  turn.addEventListener("click", () => {
    below.hidden = !below.hidden;
    turn.setAttribute("aria-expanded", String(!below.hidden));
  });
  return h("li", {}, turn, leaf(thought, faults), below);
}

export async function drawTree(page, body, verified) {
  let after = 0;
  const faults = faultsOf(await verified);
  const list = h("ul", { class: "tree" });
  const { parts, load } = scrolling(
    list,
    async () => {
      const { thoughtTree } = await page.run("session_tree", { id: page.id, after });
      after = thoughtTree.nextAfter;
      return { items: thoughtTree.tree, next: after !== null };
    },
    { draw: (root) => branch(root, faults), none: () => empty("No thought to show") },
  );
  show(body, parts);
  await load();
}
