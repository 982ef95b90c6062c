// Values as people read them. Times are shown in the time zone of the browser, with the exact time as a title.

import { h } from "./dom.js";

export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const LOCALE = "en-GB"; // the language of the page, and days before months
const DAY = new Intl.DateTimeFormat(LOCALE, { year: "numeric", month: "short", day: "numeric" });
const TIME = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const UNITS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
];
const AGO = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

export function day(text) {
  return text ? DAY.format(new Date(text)) : "";
}

export function clock(text) {
  return TIME.format(new Date(text));
}

// Times without a beginning or an end are stored as the first or last year.
export function bounded(text) {
  const year = text ? Number(text.slice(0, 4)) : 0;
  return year > 1 && year < 9999 ? text : null;
}

export function moment(text) {
  return text ? `${DAY.format(new Date(text))}, ${TIME.format(new Date(text))}` : "";
}

// "5 minutes ago" within a week, else the day.
export function ago(text, now = Date.now()) {
  let value = (new Date(text).getTime() - now) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(value) < size) return AGO.format(Math.round(value), unit);
    value /= size;
  }
  return DAY.format(new Date(text));
}

export function time(text, form = moment) {
  return text ? h("time", { datetime: text, title: new Date(text).toISOString() }, form(text)) : null;
}

export function number(value) {
  return value.toLocaleString(LOCALE);
}

export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export function score(value) {
  return value === null || value === undefined ? "–" : value.toFixed(2);
}

export function words(name) {
  return name.toLowerCase().replaceAll("_", " ");
}

// The value of <input type="datetime-local"> for a time, and the time of such a value.
export function forInput(text) {
  if (!text) return "";
  const time = new Date(text);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function ofInput(value) {
  return value ? new Date(value).toISOString() : null;
}
