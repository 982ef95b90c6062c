// Thoughts as they arrive: a subscription, which continues where it ended when the connection was lost.

const PAUSE = 2000; // ms before a new attempt

// Call `arrived` with each new thought until the view ends. `connected` is told whether thoughts can arrive.
export async function follow(page, arrived, connected) {
  let after = null;
  while (!page.signal.aborted) {
    try {
      for await (const { thoughtAdded } of page.stream("arrivals", { after })) {
        connected(true);
        after = thoughtAdded.cursor;
        if (thoughtAdded.thought) await arrived(thoughtAdded.thought);
      }
    } catch (error) {
      if (page.signal.aborted) return;
      after = error.details?.resumeAfter ?? after;
    }
    if (page.signal.aborted) return;
    connected(false);
    await new Promise((wake) => setTimeout(wake, PAUSE));
  }
}
