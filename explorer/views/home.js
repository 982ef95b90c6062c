// The first page: thoughts as they are thought, each with what it brought to mind, and beside them the namespace at a glance.

import { items, run } from "../api.js";
import { follow } from "../arrivals.js";
import { h, show } from "../dom.js";
import { plural, TIME_ZONE } from "../format.js";
import { byline, empty, memory, problem, prose, scrolling, ways } from "../parts.js";
import { link, shownNamespace } from "../place.js";
import { bars } from "./session_timeline.js";

const MOST = 8; // of each list

function card(thought) {
  const { edges, pageInfo } = thought.recalls;
  return h(
    "li",
    { class: "card arrival" },
    byline({ ...thought, sessionId: thought.session?.id }),
    prose(thought.content),
    h(
      "div",
      { class: "recalled" },
      h("h2", {}, edges.length ? "Brought to mind" : "Brought nothing to mind"),
      edges.filter((edge) => edge.node).map((edge) => memory(edge.node, { value: edge.score })),
      pageInfo.hasNextPage && h("p", { class: "soft" }, "and more"),
    ),
    ways(thought.id),
  );
}

function sizes({ sessions, entities, observations }) {
  return [plural(sessions.totalCount, "session"), plural(entities.totalCount, "entity", "entities"), plural(observations.totalCount, "fact")].join(" · ");
}

// A part of the page that is read by itself: if that fails, the others are shown, and `read` reads it again.
function part(page, name, title, about, draw) {
  const body = h("div", {}, "…");
  const read = () =>
    page.run(name, name === "days" ? { timeZone: TIME_ZONE } : {}).then(
      (answer) => {
        show(body, draw(answer));
        const chart = body.querySelector(".bars");
        if (chart) chart.scrollLeft = chart.scrollWidth; // the latest days
      },
      (error) => error.name !== "AbortError" && show(body, problem(error)),
    );
  read();
  const element = h("details", { class: "card", open: matchMedia("(min-width: 821px)").matches || name === "days" }, h("summary", {}, h("h2", {}, title)), h("p", { class: "soft" }, about), body);
  return { element, read };
}

function list(nodes, none) {
  return nodes.length ? nodes.slice(0, MOST).map(({ note, ...node }) => memory(node, { note })) : h("p", {}, none);
}

// The memories that the latest thoughts recalled, the most frequent first.
function recalled({ thoughts }) {
  const nodes = items(thoughts).flatMap((thought) => items(thought.recalls)).filter(Boolean);
  const counted = [...Map.groupBy(nodes, ({ id }) => id).values()].sort((a, b) => b.length - a.length);
  return counted.map((same) => ({ ...same[0], note: plural(same.length, "time") }));
}

const waiting = ({ thoughts }) => items(thoughts).filter(({ content, outcomeScore }) => content && outcomeScore === null);

// Where there is no thought: the other namespaces, and what they have.
function nothing(page) {
  const others = h("ul", { class: "others" });
  page.run("boot").then(async ({ namespaces }) => {
    for (const { name } of items(namespaces).filter(({ name }) => name !== shownNamespace()).slice(0, MOST)) {
      const found = await run("sizes", { namespace: name }, { signal: page.signal });
      others.append(h("li", {}, h("a", { href: link("home", null, { ns: name }) }, name), ` ${sizes(found)}`));
    }
  }).catch(() => {}); // the menu has them
  return [empty("No thought yet", "Think one: ", h("code", {}, 'legacymind think "Why did the deploy fail?"')), others];
}

export default {
  about: "Thoughts as they are thought, with the memories that each brought to mind, and what waits for somebody.",
  async show(page) {
    let cursor = null;
    const seen = new Set(); // a thought may arrive while the first page is read
    const cards = h("ol", { class: "cards" });
    const pulse = h("p", { class: "pulse", role: "status" }, "Connecting …");
    const glance = h("aside", { class: "glance", "aria-label": "At a glance" });
    const { parts, load } = scrolling(
      cards,
      async () => {
        const { thoughts } = await page.run("latest", { cursor });
        cursor = thoughts.pageInfo.endCursor;
        const fresh = items(thoughts).filter((thought) => !seen.has(thought.id));
        for (const thought of fresh) seen.add(thought.id);
        return { items: fresh, next: thoughts.pageInfo.hasNextPage };
      },
      { draw: card, none: () => h("div", { class: "none" }, nothing(page)) },
    );
    show(page.body, h("div", { class: "first" }, glance, h("div", {}, pulse, parts)));
    const glances = [
      part(page, "days", "Thoughts of 30 days", "By day.", ({ timeline }) => (timeline.length ? bars(null, timeline, "DAY") : "None.")),
      part(page, "sizes", "Stored", "In this namespace.", (found) => [h("p", {}, sizes(found)), h("a", { href: link("sessions", null, { chains: "broken" }) }, "Verify all chains")]),
      part(page, "recalled", "Recalled most", "By the latest 30 thoughts.", (found) => list(recalled(found), "They recalled nothing.")),
      part(page, "unresolved", "Unresolved", "Problems that nothing solves.", ({ context }) => list(context.unresolved, "No open problem.")),
      part(page, "decisions", "Decisions", "Those of the latest 30 without an outcome.", (found) => list(waiting(found), "None waits for its outcome.")),
      part(page, "hypotheses", "Hypotheses", "Those of the latest 30 without an outcome.", (found) => list(waiting(found), "None waits for its outcome.")),
    ];
    show(glance, glances.map(({ element }) => element));
    follow(
      page,
      (thought) => {
        if (seen.has(thought.id)) return;
        seen.add(thought.id);
        page.body.querySelector(".none")?.remove();
        const element = card(thought);
        element.classList.add("new");
        cards.prepend(element);
      },
      (connected, told) => {
        pulse.classList.toggle("lost", !connected);
        show(pulse, told);
        if (!connected) return;
        // The server is back.
        if (page.body.querySelector(".end .problem")) load();
        for (const { element, read } of glances) if (element.querySelector(".problem")) read();
      },
    );
    await load();
  },
};
