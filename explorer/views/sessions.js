// All sessions of a namespace, each with its latest thought.

import { h, show } from "../dom.js";
import { ago, plural, time } from "../format.js";
import { empty, scrolling } from "../parts.js";
import { link } from "../place.js";

function draw({ node }) {
  const [latest] = node.thoughts.edges;
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card session-card", href: link("session", node.id) },
      h("h2", {}, node.id),
      h("p", { class: "latest" }, latest?.node.content ?? "Its latest thought has no text."),
      h("p", { class: "numbers" }, plural(node.steps, "step"), h("span", {}, time(node.lastThoughtAt, ago))),
    ),
  );
}

export default {
  about: "Each session is a chain of thoughts that proves its own history.",
  async show(page) {
    let after = null;
    const list = h("ul", { class: "grid" });
    const { parts, load } = scrolling(
      list,
      async () => {
        const { sessions } = await page.run("sessions", { after });
        after = sessions.pageInfo.endCursor;
        return { items: sessions.edges, next: sessions.pageInfo.hasNextPage };
      },
      {
        draw,
        none: () => empty("No session yet", "The first thought begins one: ", h("code", {}, 'legacymind think "…" --session deploys')),
      },
    );
    show(page.body, parts);
    await load();
  },
};
