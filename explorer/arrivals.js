// Thoughts as they arrive: a subscription, which continues where it ended when the connection was lost.

const PAUSE = 2000; // ms before a new attempt

// Call `arrived` with each new thought until the view is left; if Back shows it again, go on from there. After a lost
// connection thoughts of the minutes before it come again. `connected` is told whether thoughts can arrive.
export async function follow(page, arrived, connected, after = null) {
  const { signal } = page;
  page.back = () => follow(page, arrived, connected, after);
  while (!signal.aborted) {
    try {
      for await (const { thoughtAdded } of page.stream("arrivals", { after })) {
        connected(true);
        after = thoughtAdded.cursor;
        if (thoughtAdded.thought) arrived(thoughtAdded.thought);
      }
    } catch {
      // the next attempt shows whether it lasts
    }
    if (signal.aborted) return;
    connected(false);
    await new Promise((wake) => setTimeout(wake, PAUSE));
  }
}
