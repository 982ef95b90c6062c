// Thoughts as they arrive: a subscription, which continues where it ended when the connection was lost.

import { h } from "./dom.js";
import { link } from "./place.js";

const PAUSE = 2000; // ms before a new attempt
const LOOK = 5000; // ms between two looks at the database, whose loss a subscription does not notice

// Call `arrived` with each new thought until the view is left; if Back shows it again, go on from there. After a lost
// connection thoughts of the minutes before it come again. `connected` is told whether thoughts can arrive, and what to say.
export async function follow(page, arrived, connected, after = null) {
  const { signal } = page;
  page.back = () => follow(page, arrived, connected, after);
  const say = (ready) => connected(ready, ready ? "New thoughts appear here" : "The connection is lost; trying again");
  let streaming = false;
  const look = setInterval(async () => {
    const ready = streaming && (await fetch("/readyz", { signal }).catch(() => null))?.ok;
    if (streaming && !signal.aborted) say(ready);
  }, LOOK);
  signal.addEventListener("abort", () => clearInterval(look));
  while (!signal.aborted) {
    try {
      for await (const { thoughtAdded } of page.stream("arrivals", { after })) {
        if (!streaming) say(true);
        streaming = true;
        after = thoughtAdded.cursor;
        if (thoughtAdded.thought) arrived(thoughtAdded.thought);
      }
    } catch (error) {
      if (error.code === "refused" || error.code === "token_missing") {
        connected(false, ["Your token does not show this namespace. ", h("a", { href: link("home", null, { ns: null }) }, "Go to its own")]);
        return clearInterval(look);
      }
      // the next attempt shows whether it lasts
    }
    streaming = false;
    if (signal.aborted) return;
    say(false);
    await new Promise((wake) => setTimeout(wake, PAUSE));
  }
}
