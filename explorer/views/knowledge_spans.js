// Facts and relations as bars over time. A moment that is chosen fades what was not true then.

import { h, show } from "../dom.js";
import { day, number } from "../format.js";
import { link, keep } from "../place.js";

const DAY = 86_400_000;

// The time from the first beginning to now, with room on both sides.
function range(rows) {
  const now = Date.now();
  const times = rows.flatMap((row) => [row.from, row.to]).filter(Boolean).map((text) => new Date(text).getTime());
  const begin = Math.min(...times, now - 30 * DAY);
  const end = Math.max(...times, now);
  const room = Math.max((end - begin) * 0.03, DAY);
  return { begin: begin - room, end: end + room };
}

function row(item, { begin, end }) {
  const at = (text, otherwise) => ((text ? new Date(text).getTime() : otherwise) - begin) / (end - begin);
  const from = at(item.from, begin);
  const to = at(item.to, end);
  const said = `${item.from ? `from ${day(item.from)}` : "always"}${item.to ? ` to ${day(item.to)}` : ", still true"}`;
  return h(
    "li",
    { class: "span", "data-from": item.from ?? "", "data-to": item.to ?? "" },
    h(
      "div",
      { class: "said" },
      h("a", { href: item.href }, item.text),
      h(
        "p",
        { class: "soft" },
        said,
        item.note && ` · ${item.note}`,
        item.learned && [" · ", h("a", { href: link("why", item.learned) }, "learned from a thought")],
        item.next && ` · replaced by “${item.next}”`,
      ),
    ),
    h("div", { class: "lane", "aria-hidden": "true" }, h("span", { class: item.to ? "life ended" : "life", "--from": from, "--to": to }), h("span", { class: "at" })),
  );
}

// `totals` has the numbers of all rows of the groups.
export function drawSpans(page, body, rows, totals) {
  const all = range(rows);
  const groups = ["Facts", "Relations"].map((name) => [name, rows.filter((item) => item.group === name)]).filter(([, items]) => items.length);
  const slider = h("input", { type: "range", min: 0, max: 1000, "aria-label": "Moment", value: page.params.at ? Math.round(((new Date(page.params.at) - all.begin) / (all.end - all.begin)) * 1000) : 1000 });
  const said = h("output", {});
  const choose = () => {
    const share = Number(slider.value) / 1000;
    const latest = share === 1;
    const moment = latest ? new Date() : new Date(all.begin + share * (all.end - all.begin));
    const text = moment.toISOString();
    let held = 0;
    body.style.setProperty("--at", (moment.getTime() - all.begin) / (all.end - all.begin));
    for (const item of body.querySelectorAll(".span")) {
      const holds = (!item.dataset.from || item.dataset.from <= text) && (!item.dataset.to || item.dataset.to > text);
      item.classList.toggle("past", !holds);
      held += holds ? 1 : 0;
    }
    said.textContent = `${latest ? "Now" : day(text)}: ${held} of ${rows.length} hold`;
    slider.setAttribute("aria-valuetext", said.textContent);
  };
  slider.addEventListener("input", choose);
  slider.addEventListener("change", () => {
    const share = Number(slider.value) / 1000;
    keep("knowledge", page.id, { at: share === 1 ? null : new Date(all.begin + share * (all.end - all.begin)).toISOString().slice(0, 10) });
  });
  show(
    body,
    h("div", { class: "moment" }, h("label", {}, h("span", {}, "True at"), slider), said),
    groups.map(([name, items]) => [h("h2", { class: "section" }, `${name} (${items.length < totals[name] ? `${number(items.length)} of ` : ""}${number(totals[name])})`), h("ul", { class: "card spans" }, items.map((item) => row(item, all)))]),
    h("p", { class: "soft axis" }, h("span", {}, day(new Date(all.begin).toISOString())), h("span", {}, day(new Date(all.end).toISOString()))),
  );
  choose();
}
