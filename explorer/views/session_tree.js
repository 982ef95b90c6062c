// A session as trees: each thought under its parent. Branches open and close.

import { items } from "../api.js";
import { h, show } from "../dom.js";
import { empty, scrolling } from "../parts.js";
import { link } from "../place.js";
import { faultsOf } from "./session.js";

function leaf(thought, faults, session) {
  const broken = faults.has(thought.id) || faults.has(thought.stepIndex);
  return h(
    "div",
    { class: `leaf ${broken ? "broken" : ""}` },
    h("span", { class: "number" }, thought.stepIndex ?? "–"),
    h(
      "a",
      { href: link("why", thought.id, { own: session }) },
      broken && h("strong", { class: "fault" }, "Broken. "),
      thought.redactedAt ? "The text was removed." : thought.content,
    ),
    thought.thoughtType && h("span", { class: "tag" }, thought.thoughtType),
  );
}

export async function drawTree(page, body, verified) {
  let after = null;
  const faults = faultsOf(await verified);
  const list = h("ul", { class: "tree" });
  const known = new Map();

  // A thought below its parent, which is on this page or an earlier one, or else at the top.
  function draw(thought) {
    const item = h("li", {}, leaf(thought, faults, page.id));
    known.set(thought.id, item);
    const above = known.get(thought.parent?.id);
    if (!above) return item;
    if (!above.querySelector(":scope > ul")) {
      const below = h("ul", {});
      const turn = h("button", { class: "turn", type: "button", "aria-expanded": "true", "aria-label": "Thoughts below it" });
      turn.addEventListener("click", () => {
        below.hidden = !below.hidden;
        turn.setAttribute("aria-expanded", String(!below.hidden));
      });
      above.prepend(turn);
      above.append(below);
    }
    above.querySelector(":scope > ul").append(item);
    return [];
  }

  const { parts, load } = scrolling(
    list,
    async () => {
      const { session } = await page.run("session_tree", { id: page.id, after });
      after = session.thoughts.pageInfo.endCursor;
      return { items: items(session.thoughts), next: session.thoughts.pageInfo.hasNextPage };
    },
    { draw, none: () => empty("No thought to show") },
  );
  show(body, parts);
  await load();
}
