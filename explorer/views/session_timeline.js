// When a session was thought: a bar for each span of time, empty ones too, that leads to its thoughts; and what its thoughts have in common.

import { h, show } from "../dom.js";
import { clock, day, moment, plural, TIME_ZONE, words } from "../format.js";
import { choices, empty } from "../parts.js";
import { link } from "../place.js";

const UNITS = ["MINUTE", "HOUR", "DAY", "WEEK", "MONTH"];
const LENGTH = { MINUTE: 60, HOUR: 3600, DAY: 86_400, WEEK: 604_800, MONTH: 2_629_800 };

const EMPTY = 60; // empty spans in a row that are drawn
const LABELS = 3; // on the axis, also of a narrow screen

// The unit that draws a session in about twenty to fifty bars.
function fitting(session) {
  const seconds = (new Date(session.lastThoughtAt) - new Date(session.firstThoughtAt)) / 1000;
  return UNITS.find((unit) => seconds / LENGTH[unit] <= 60) ?? "MONTH";
}

// The beginning of the next span; days and what is longer have different lengths.
function next(start, unit) {
  const time = new Date(start);
  const [year, month, date] = [time.getFullYear(), time.getMonth(), time.getDate()];
  if (unit === "MONTH") return new Date(year, month + 1);
  if (unit === "WEEK" || unit === "DAY") return new Date(year, month, date + (unit === "WEEK" ? 7 : 1));
  return new Date(time.getTime() + LENGTH[unit] * 1000);
}

// The spans with the empty ones between them; so many of them in a row that they would fill the axis are one.
function filled(spans, unit) {
  const all = [];
  let expected = null;
  for (const span of spans) {
    const start = new Date(span.start);
    const missing = expected === null ? 0 : Math.round((start - expected) / 1000 / LENGTH[unit]);
    if (missing > EMPTY) all.push({ missing, start: expected.toISOString() });
    else for (let empty = expected; missing > 0 && empty < start; empty = next(empty, unit)) all.push({ count: 0, start: empty.toISOString() });
    all.push(span);
    expected = next(start, unit);
  }
  return all;
}

export function bars(session, spans, unit) {
  const most = Math.max(...spans.map((span) => span.count));
  const short = LENGTH[unit] < 86_400;
  const name = (span) => (short ? moment(span.start) : day(span.start));
  const all = filled(spans, unit);
  const every = Math.max(Math.ceil(all.length / LABELS), 2); // a label is wider than a bar
  return h(
    "ol",
    { class: "bars", "aria-label": "Thoughts over time" },
    all.map((span, index) => {
      if (span.missing) return h("li", { class: "pause", title: `No thought in ${plural(span.missing, words(unit))}` }, "…");
      const told = `${name(span)}: ${plural(span.count, "thought")}`;
      const to = new Date(next(span.start, unit).getTime() - 1).toISOString();
      const label = h("span", { class: "when" }, index % every === 0 && [short && clock(span.start), short && h("br"), day(span.start)]);
      if (!span.count) return h("li", { title: told }, label);
      const href = link("search", null, { session, from: span.start, to });
      return h("li", { title: told }, h("span", { class: "count" }, span.count), h("a", { class: "bar", href, "aria-label": told, "--share": span.count / most }), label);
    }),
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
  const { session: read } = await page.run("session_timeline", { id: session.id, unit, timeZone: TIME_ZONE });
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
      bars(session.id, read.timeline, unit),
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
