"""Time until a view of the explorer is shown: ``python -m bench.explorer --session session-000003``.

Needs Chromium, and ``legacymind serve`` with a memory such as ``bench.scale`` makes, whose namespace is
the default of the server. Each view is opened twice in a new profile: the second time, scripts are in the
browser's cache. It is shown when no part of it is loading. Prints medians in seconds, and writes
bench-results/explorer.json.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser import started

VIEWS = ("home", "sessions", "session/{session}", "session/{session}?show=timeline", "search?q={words}")


# The page takes the time itself, since waiting for it from outside takes a core from it.
_CLOCK = """
(function look() {
  const main = document.querySelector("main");
  const shown = main?.textContent.length > 200 && !document.querySelector("[aria-busy=true]");
  if (shown) window.shownAfter = performance.now();
  else requestAnimationFrame(look);
})();
"""


def shown(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds until a view is shown, the first time in a profile and the second."""
    context = browser.new_context(viewport={"width": 1280, "height": 860}, bypass_csp=True)
    context.add_init_script(_CLOCK)
    times: list[float] = []
    for _ in range(2):
        page = context.new_page()
        page.goto(address, wait_until="commit")
        time.sleep(2)
        times.append(page.wait_for_function("window.shownAfter").json_value() / 1000)
        page.close()
    context.close()
    return times[0], times[1]


def main() -> None:
    """Measure each view, print, and keep the results in bench-results/."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="http://127.0.0.1:8787")
    parser.add_argument("--session", required=True)
    parser.add_argument("--words", default="w3 w40 w512")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    results: dict[str, dict[str, float]] = {}
    with started() as browser:
        for view in VIEWS:
            address = f"{given.base}/#/{view.format(session=given.session, words=given.words)}"
            pairs = [shown(browser, address) for _ in range(given.rounds + 1)][1:]  # the first one plans
            results[view] = {
                "first": statistics.median(pair[0] for pair in pairs),
                "again": statistics.median(pair[1] for pair in pairs),
            }
            print(f"{view:>34}  {results[view]['first']:6.2f}  {results[view]['again']:6.2f}", flush=True)
    folder = Path("bench-results")
    folder.mkdir(exist_ok=True)
    (folder / "explorer.json").write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
