// When a session was thought: a bar for each span of time, and what its thoughts have in common.

import { h, show } from "../dom.js";
import { clock, day, moment, plural, words } from "../format.js";
import { choices, empty } from "../parts.js";
import { link } from "../place.js";

const UNITS = ["MINUTE", "HOUR", "DAY", "WEEK", "MONTH"];
const LENGTH = { MINUTE: 60, HOUR: 3600, DAY: 86_400, WEEK: 604_800, MONTH: 2_629_800 };

// The unit that draws a session in about twenty to fifty bars.
function fitting(session) {
  const seconds = (new Date(session.lastThoughtAt) - new Date(session.firstThoughtAt)) / 1000;
  return UNITS.find((unit) => seconds / LENGTH[unit] <= 60) ?? "MONTH";
}

function bars(spans, unit) {
  const most = Math.max(...spans.map((span) => span.count));
  const short = LENGTH[unit] < 86_400;
  const name = (span) => (short ? moment(span.start) : day(span.start));
  const label = (span, index) => {
    const same = index > 0 && day(spans[index - 1].start) === day(span.start);
    return short ? [clock(span.start), !same && [h("br"), day(span.start)]] : day(span.start);
  };
  return h(
    "ol",
    { class: "bars", "aria-label": "Thoughts over time" },
    spans.map((span, index) =>
      h(
        "li",
        { title: `${name(span)}: ${plural(span.count, "thought")}` },
        h("span", { class: "count" }, span.count),
        h("span", { class: "bar", "--share": span.count / most }),
        h("span", { class: "when" }, label(span, index)),
      ),
    ),
  );
}

function facet(title, values, parameter) {
  if (!values.length) return null;
  const most = values[0].count;
  return h(
    "section",
    { class: "card facet" },
    h("h2", {}, title),
    h(
      "ul",
      {},
      values.slice(0, 12).map(({ value, count }) =>
        h(
          "li",
          { "--share": count / most },
          h("a", { href: parameter(value) }, words(value)),
          h("span", { class: "score" }, count),
        ),
      ),
    ),
  );
}

export async function drawTimeline(page, body, session) {
  const unit = page.params.unit ?? fitting(session);
  const { session: read } = await page.run("session_timeline", { id: session.id, unit });
  if (!read.timeline.length) {
    show(body, empty("No thought to show"));
    return;
  }
  const { facets } = read;
  const found = (name) => (value) => link("search", null, { session: session.id, [name]: value });
  show(
    body,
    h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "switch" },
        h("h2", {}, "Thoughts over time"),
        choices("Length of a bar", UNITS.map((name) => ({ name: words(name), href: link("session", session.id, { show: "timeline", unit: name }), current: name === unit }))),
      ),
      bars(read.timeline, unit),
    ),
    h(
      "div",
      { class: "facets" },
      facet("Modes", facets.modes, found("mode")),
      facet("Types", facets.thoughtTypes, found("type")),
      facet("Authors", facets.authors, found("author")),
      facet("Tags", facets.tags, found("tag")),
    ),
  );
}
