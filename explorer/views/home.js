// A namespace at a glance: how much is thought, what is recalled, and what waits for somebody.

import { items } from "../api.js";
import { h, show } from "../dom.js";
import { plural, TIME_ZONE } from "../format.js";
import { empty, memory } from "../parts.js";
import { link } from "../place.js";
import { bars } from "./session_timeline.js";

const MOST = 8; // of each list

// The memories that the latest thoughts recalled, the most frequent first.
function recalled(latest) {
  const found = new Map();
  for (const { node } of latest.flatMap((thought) => thought.recalls.edges)) {
    if (node) found.set(node.id, { node, count: (found.get(node.id)?.count ?? 0) + 1 });
  }
  return [...found.values()].sort((a, b) => b.count - a.count).slice(0, MOST);
}

function list(title, found, about, none) {
  return h("section", { class: "card" }, h("h2", {}, title), h("p", { class: "soft" }, about), found.length ? found.map(({ node, count }) => memory(node, { note: count && plural(count, "time") })) : h("p", {}, none));
}

function open(nodes) {
  return nodes.slice(0, MOST).map((node) => ({ node }));
}

export default {
  about: "How much is thought, what is recalled, and what waits for somebody.",
  async show(page) {
    const { timeline, context, decisions, hypotheses, latest } = await page.run("home", { timeZone: TIME_ZONE });
    if (!timeline.length && !latest.edges.length) {
      show(page.body, empty("No thought yet", "Think one: ", h("code", {}, 'legacymind think "Why did the deploy fail?"')));
      return;
    }
    const waiting = (thoughts) => open(items(thoughts).filter(({ content, outcomeScore }) => content && outcomeScore === null));
    show(
      page.body,
      h("section", { class: "card" }, h("h2", {}, "Thoughts of the last 30 days"), timeline.length ? bars(null, timeline, "DAY") : h("p", { class: "soft" }, "None.")),
      h("p", { class: "report" }, h("a", { href: link("sessions", null, { chains: "broken" }) }, "Verify all chains and show the broken ones")),
      h(
        "div",
        { class: "two" },
        list("Recalled most", recalled(items(latest)), "By the latest 30 thoughts.", "They recalled nothing."),
        list("Unresolved", open(context.unresolved), "Problems that nothing solves.", "No open problem."),
        list("Decisions", waiting(decisions), "Those of the latest 30 without an outcome.", "None waits for its outcome."),
        list("Hypotheses", waiting(hypotheses), "Those of the latest 30 without an outcome.", "None waits for its outcome."),
      ),
    );
  },
};
