// The page of a follower: shows each step of a talk as it comes, and comes back after
// the connection was lost. Without this file the page reloads itself.
(() => {
  "use strict";

  const quiet = 40_000; // milliseconds without a word after which a connection counts as lost; the server says one every 15 s
  let stream = null, heard = 0, later = 0, wait = 1000;

  const main = () => document.querySelector("main[data-follow]");
  const note = (name, shown) => { document.querySelector(`[data-${name}].follow-note`).hidden = !shown; };

  // show replaces the step, and says it to screen readers.
  function show(html) {
    const next = new DOMParser().parseFromString(html, "text/html").querySelector("main");
    if (!next) return;
    const words = (from) => [...from.querySelectorAll("h1, .lead")].map((e) => e.textContent).join(" ");
    const open = document.querySelector("main details[open]") !== null;
    if (words(next) !== words(document)) document.getElementById("said").textContent = words(next);
    document.querySelector("main").replaceWith(next);
    if (open) next.querySelector("details")?.setAttribute("open", "");
  }

  function hear() {
    heard = Date.now();
    wait = 1000;
    note("lost", false);
    note("full", false);
  }

  function close() {
    clearTimeout(later);
    stream?.close();
    stream = null;
  }

  // listen opens the stream that goes on after the step that is shown.
  function listen() {
    close();
    if (!main()) return;
    heard = Date.now();
    stream = new EventSource(main().dataset.follow);
    stream.addEventListener("open", hear);
    stream.addEventListener("here", hear);
    stream.addEventListener("step", (e) => { hear(); show(e.data); });
    stream.addEventListener("ended", (e) => { close(); show(e.data); });
    stream.addEventListener("error", () => {
      if (stream.readyState !== EventSource.CLOSED) return note("lost", true); // the browser tries again
      close();
      later = setTimeout(again, wait * (0.5 + Math.random()));
      wait = Math.min(2 * wait, 15_000);
    });
  }

  // again loads the page, because a refused stream does not say why: the talk may have
  // ended, or have too many followers, or the playground may be away.
  async function again() {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (answer.status >= 500) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      note("lost", false);
      note("full", page.querySelector("[data-full]:not([hidden])"));
      show(page.querySelector("main").outerHTML);
      listen();
    } catch {
      note("lost", true);
      later = setTimeout(again, wait * (0.5 + Math.random()));
      wait = Math.min(2 * wait, 15_000);
    }
  }

  // A phone that wakes up, or has a network again, looks at once.
  const wake = () => { if (main() && (stream?.readyState !== EventSource.OPEN || Date.now() - heard > quiet / 2)) listen(); };
  document.addEventListener("visibilitychange", () => { if (!document.hidden) wake(); });
  addEventListener("offline", () => { if (main()) note("lost", true); });
  addEventListener("online", listen);
  addEventListener("pageshow", (e) => { if (e.persisted) wake(); });
  setInterval(() => { if (stream && Date.now() - heard > quiet) listen(); }, 5000);
  listen();
})();
