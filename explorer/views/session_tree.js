// A session as trees: each thought under its parent. Branches open and close.

import { items } from "../api.js";
import { h, show } from "../dom.js";
import { plural } from "../format.js";
import { empty, scrolling } from "../parts.js";
import { link } from "../place.js";
import { faultsOf } from "./session.js";

function leaf(thought, faults, session) {
  const broken = faults.has(thought.thoughtId) || faults.has(thought.stepIndex);
  return h(
    "div",
    { class: `leaf ${broken ? "broken" : ""}` },
    h("span", { class: "number" }, thought.stepIndex ?? "–"),
    h(
      "a",
      { href: link("why", thought.thoughtId, { own: session }) },
      broken && h("strong", { class: "fault" }, "Broken. "),
      thought.redactedAt ? "The text was removed." : thought.content,
    ),
    thought.thoughtType && h("span", { class: "tag" }, thought.thoughtType),
  );
}

// `read` reads the tree below a thought: a document has nine levels, and a page a limit.
function branch(thought, faults, read, session) {
  if (!thought.childCount) return h("li", {}, leaf(thought, faults, session));
  const below = h("ul", {});
  const fill = (children) => {
    const more = thought.childCount - children.length;
    const open = more > 0 && h("button", { class: "quiet small", type: "button" }, `Show ${plural(more, "more child", "more children")}`);
    if (open) {
      open.addEventListener("click", async () => {
        const found = await read(thought.thoughtId).catch(() => []);
        if (found.length > children.length) fill(found);
        else open.replaceWith(`${plural(more, "more child", "more children")} not shown.`);
      });
    }
    show(below, children.map((child) => branch(child, faults, read, session)), open && h("li", { class: "soft" }, open));
  };
  fill(thought.children ?? []);
  const turn = h("button", { class: "turn", type: "button", "aria-expanded": "true", "aria-label": `Children of step ${thought.stepIndex ?? "without a number"}` });
  turn.addEventListener("click", () => {
    below.hidden = !below.hidden;
    turn.setAttribute("aria-expanded", String(!below.hidden));
  });
  return h("li", {}, turn, leaf(thought, faults, session), below);
}

export async function drawTree(page, body, verified) {
  let after = null;
  const faults = faultsOf(await verified);
  const list = h("ul", { class: "tree" });
  const read = async (root) => {
    const { thoughtTree } = await page.run("session_tree", { id: page.id, root });
    return items(thoughtTree)[0].children;
  };
  const { parts, load } = scrolling(
    list,
    async () => {
      const { thoughtTree } = await page.run("session_tree", { id: page.id, after });
      after = thoughtTree.pageInfo.endCursor;
      return { items: items(thoughtTree), next: thoughtTree.pageInfo.hasNextPage };
    },
    { draw: (root) => branch(root, faults, read, page.id), none: () => empty("No thought to show") },
  );
  show(body, parts);
  await load();
}
