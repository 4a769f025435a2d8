// What the pages do beyond HTML. Every page works without this file.
(() => {
  "use strict";

  // copies shows the copy buttons if the browser can copy.
  function copies(root) {
    for (const button of root.querySelectorAll("button[data-copy]")) {
      button.hidden = !navigator.clipboard;
    }
  }

  // The reader's time zone, for the server to write times in.
  const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone ?? "");
  if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
    document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;
  }

  document.addEventListener("click", async (e) => {
    const button = e.target.closest("button[data-copy]");
    if (!button) return;
    const id = button.dataset.copy;
    const source = id ? document.getElementById(id) : button.previousElementSibling;
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy it yourself";
    }
    setTimeout(() => { button.textContent = words; }, 1600);
  });

  // A key that is held down opens a question, but does not answer it.
  document.addEventListener("keydown", (e) => {
    if (e.repeat && e.target.closest(".confirm")) e.preventDefault();
  });

  // Settings hold as soon as they are chosen; without a script there is Save.
  document.addEventListener("change", async (e) => {
    const form = e.target.closest("form[data-form=settings]");
    if (!form) return;
    const status = form.querySelector("[role=status]");
    document.documentElement.dataset.theme = form.elements.theme.value;
    const sent = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) }).catch(() => null);
    status.textContent = sent?.ok ? "Saved." : "Not saved: this program cannot be reached.";
  });

  // While a request is running, the server sends an event when the log changes,
  // and the page loads its main element again: at most once per frame.
  const frame = 400;
  let stream = null, drawn = 0, later = 0;
  function live() {
    clearTimeout(later);
    stream?.close();
    stream = null;
    const part = document.querySelector("main[data-live]") || document.querySelector("#drawer[data-live]");
    if (!part) return;
    const target = part.matches("main") ? "main" : "#drawer";
    stream = new EventSource(part.dataset.live);
    stream.addEventListener("changed", () => {
      stream.close();
      later = setTimeout(() => {
        drawn = Date.now();
        const back = place();
        htmx.ajax("GET", location.pathname + location.search,
          { target, swap: "outerHTML", headers: { "HX-Target": target } })?.then(back);
      }, Math.max(0, drawn + frame - Date.now()));
    });
    stream.addEventListener("open", () => lost(false));
    stream.addEventListener("error", () => {
      lost(true);
      if (stream.readyState === EventSource.CLOSED) later = setTimeout(live, 5000); // too many streams are open
    });
  }

  // place returns a function that puts the scrolled part, the focus and what is
  // unfolded back to where they are now.
  function place() {
    const top = document.querySelector("#drawer > .panel")?.scrollTop;
    const open = [...document.querySelectorAll(":is(#drawer, #tree) details[open][id]")].map((d) => d.id);
    const at = document.activeElement?.closest("[id]")?.id;
    const folded = document.activeElement?.matches("summary");
    const asked = document.querySelector(".confirm:popover-open")?.id;
    return () => {
      if (asked) document.getElementById(asked)?.showPopover();
      for (const id of open) document.getElementById(id)?.setAttribute("open", "");
      const panel = document.querySelector("#drawer > .panel");
      if (panel && top) panel.scrollTop = top;
      const again = at && document.getElementById(at);
      if (again?.closest("#drawer")) (folded ? again.querySelector("summary") : again).focus({ preventScroll: true });
    };
  }

  // lost says whether the playground itself can be reached.
  function lost(yes) {
    let note = document.querySelector(".lost");
    if (!yes) return note?.remove();
    if (note) return;
    note = document.createElement("p");
    note.className = "lost";
    note.setAttribute("role", "alert");
    note.textContent = "The connection to the playground is lost. Trying again…";
    document.body.append(note);
    again();
  }

  // again asks every few seconds until the playground answers.
  function again() {
    setTimeout(async () => {
      try {
        await fetch("/healthz", { cache: "no-store" });
        lost(false);
      } catch {
        again();
      }
    }, 2000);
  }
  document.addEventListener("htmx:error", (e) => { if (!e.detail.ctx?.response) lost(true); });

  // clocks shows how long ago [data-since] was and how far away [data-until] is.
  // It returns whether the page has something that changes with time.
  function clocks() {
    let counting = false;
    for (const out of document.querySelectorAll("[data-since]")) {
      const seconds = Math.max(0, (Date.now() - Number(out.dataset.since)) / 1000);
      out.textContent = out.dataset.unit === "seconds" ? Math.floor(seconds) + " s" : seconds.toFixed(1) + " s";
      counting = true;
    }
    for (const out of document.querySelectorAll("[data-elapsed]")) {
      const seconds = Math.max(0, Math.floor((Date.now() - Number(out.dataset.elapsed)) / 1000));
      const words = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} since the start`;
      if (out.textContent !== words) out.textContent = words;
      counting = true;
    }
    for (const out of document.querySelectorAll("[data-until]")) {
      const left = Math.ceil((Number(out.dataset.until) - Date.now()) / 1000);
      const words = out.dataset.unit === "seconds" ? secondsLeft(left) : clockLeft(left);
      if (out.textContent !== words) out.textContent = words;
      counting ||= left > 0;
    }
    return counting;
  }

  function secondsLeft(left) {
    return left > 0 ? `in ${left} s` : "now";
  }

  function clockLeft(left) {
    if (left <= 0) return "expired";
    const hours = Math.floor(left / 3600), minutes = Math.floor((left / 60) % 60);
    if (hours) return `in ${hours} h ${minutes} min`;
    return minutes ? `in ${minutes} min ${left % 60} s` : `in ${left} s`;
  }

  // tick keeps the clocks going while there is something to count.
  let ticking = 0;
  function tick() {
    clearTimeout(ticking);
    if (clocks()) ticking = setTimeout(tick, 100);
  }

  // Of the two views of an answer, fields and JSON, the one edited last counts.
  document.addEventListener("input", (e) => {
    const question = e.target.closest("[data-input-key], form[data-form='call']");
    const raw = question?.querySelector("[data-raw]");
    if (!raw || e.target === raw) return;
    raw.checked = e.target.matches("[data-answer-json], [data-field-json]");
  });

  // travel lets the states in a picture travel along their arrows, once, one
  // after the other.
  let travelled = null; // the page on which they did
  function travel() {
    const picture = [...document.querySelectorAll(".hero .picture, .picture.whole, .picture.below")].find((p) => p.checkVisibility());
    const before = travelled;
    travelled = picture && location.pathname;
    if (!picture || before === travelled || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const rides = [...picture.querySelectorAll(".pic-diamond")].filter((d) => d.checkVisibility());
    rides.forEach((ride, i) => {
      let line = ride;
      while (line && !line.matches(".pic-req, .pic-res")) line = line.previousElementSibling;
      if (!line) return;
      const way = line.getBBox(), at = ride.getBBox(), middle = at.x + at.width / 2;
      const from = (line.matches(".pic-res") ? way.x + way.width : way.x) - middle;
      ride.animate([
        { transform: `translateX(${from}px)`, opacity: 0 },
        { transform: `translateX(${0.85 * from}px)`, opacity: 1, offset: 0.15 },
        { transform: "none", opacity: 1 },
      ], { duration: 900, delay: 400 + 900 * i, fill: "backwards", easing: "ease-in-out" });
    });
  }

  // nearby reports whether the top of an element is on the screen.
  const nearby = (e) => e.getBoundingClientRect().top >= 0 &&
    e.getBoundingClientRect().top < 0.8 * innerHeight;

  // say tells a screen reader what changed, but not what was opened. The region
  // stays on the page: one that came with the change would not be read everywhere,
  // or be read each time.
  let said = null; // what the page says; null before it was loaded
  function say() {
    const now = [...document.querySelectorAll("[data-said]")].map((e) => e.dataset.said);
    const news = now.filter((words) => words && !said?.includes(words));
    if (said?.length === now.length && news.length) document.getElementById("said").textContent = news.join(" ");
    said = now;
  }

  function ready(root, swapped) {
    say();
    copies(root);
    live();
    tick();
    travel();
    const main = document.querySelector("main"), another = main !== shownMain;
    shownMain = main;
    // The focus moves only after a swap that brought another page or removed the focused element.
    if (!swapped || (document.activeElement && document.activeElement !== document.body)) return;
    if (another || focused && focused !== document.body && !focused.isConnected) focusFirst();
  }
  let shownMain, focused;
  document.addEventListener("htmx:before:swap", () => { focused = document.activeElement; });

  // focusFirst moves the focus to what has a problem or must be done first, else to
  // the first field of the question, else to its heading.
  function focusFirst() {
    const first = document.querySelector("main [aria-invalid='true'], [data-signed-out] .first") ||
      document.querySelector("[data-form='answers'] .question :is(input:not([type='hidden']), select, textarea)") ||
      document.querySelector("main [data-focus]");
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: nearby(first) ? "nearest" : "center" });
  }

  // catchUp lets the page follow what was entered before its scripts were there.
  function catchUp() {
    for (const o of document.querySelectorAll("[hx-trigger^='input']")) {
      const controls = o.matches("input, select, textarea") ? [o] : [...o.querySelectorAll("input, select, textarea")];
      if (controls.some(touched)) o.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  // touched reports whether a control has another value than it came with.
  const touched = (c) => c.tagName === "SELECT" ? c.value !== first(c)
    : c.value !== c.defaultValue || c.checked !== c.defaultChecked;
  const first = (c) => ([...c.options].find((o) => o.defaultSelected) ?? c.options[0])?.value;

  document.addEventListener("DOMContentLoaded", () => {
    ready(document, false);
    setTimeout(catchUp); // after htmx
    const framed = window !== window.parent; // a preview leaves the focus to the page around it
    if (document.querySelector(".workbench") && !location.hash && !framed) focusFirst();
  });
  // The browser moves the focus to what a fragment names before this.
  window.addEventListener("load", () => { if (location.hash === "#live") focusFirst(); });
  document.addEventListener("htmx:after:swap", () => ready(document, true));
})();
