// What the pages do beyond HTML. Every page works without this file.
(() => {
  "use strict";

  // tabs turns panels into tabs. Without script a link shows its panel
  // (pages.css). A link whose panel is not on the page stays a link.
  function tabs(root) {
    for (const list of root.querySelectorAll("[data-tabs]:not([role])")) {
      const panel = (a) => document.getElementById(a.hash.slice(1));
      const links = [...list.querySelectorAll("a[href^='#']")].filter(panel);
      const panels = links.map(panel);
      if (links.length === 0) continue;
      const show = (n, focus) => {
        links.forEach((a, i) => {
          a.setAttribute("aria-selected", i === n);
          a.tabIndex = i === n ? 0 : -1;
          panels[i].hidden = i !== n;
        });
        if (focus) links[n].focus();
        try { sessionStorage.setItem("tab" + location.pathname, links[n].hash); } catch { /* private mode */ }
      };
      list.setAttribute("role", "tablist");
      list.parentElement.classList.add("tabbed");
      links.forEach((a, i) => {
        a.setAttribute("role", "tab");
        a.setAttribute("aria-controls", panels[i].id);
        panels[i].setAttribute("role", "tabpanel");
        panels[i].setAttribute("aria-label", a.textContent);
        a.addEventListener("click", (e) => { e.preventDefault(); show(i); });
        a.addEventListener("keydown", (e) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
          if (!step) return;
          e.preventDefault();
          e.stopPropagation();
          show((i + step + links.length) % links.length, true);
        });
      });
      let wanted = location.hash;
      try { wanted = wanted || sessionStorage.getItem("tab" + location.pathname);
      } catch { /* private mode */ }
      show(Math.max(0, links.findIndex((a) => a.hash === wanted)));
    }
  }

  // A link to a panel from elsewhere on the page opens the tab.
  addEventListener("hashchange", () => {
    const tab = [...document.querySelectorAll("[data-tabs] a")].find((a) => a.hash === location.hash);
    tab?.click();
    tab?.scrollIntoView();
  });

  // copies shows the copy buttons if the browser can copy.
  function copies(root) {
    for (const button of root.querySelectorAll("button[data-copy]")) {
      button.hidden = !navigator.clipboard;
    }
  }

  document.addEventListener("click", async (e) => {
    const button = e.target.closest("button[data-copy]");
    if (!button) return;
    const source = document.getElementById(button.dataset.copy);
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy it yourself";
    }
    setTimeout(() => { button.textContent = words; }, 1600);
  });

  // While a request is running, the server sends an event when the log changes,
  // and the page loads its main element again: at most once per frame.
  const frame = 400;
  let stream = null, drawn = 0, later = 0;
  function live() {
    clearTimeout(later);
    stream?.close();
    stream = null;
    const main = document.querySelector("main[data-live]");
    if (!main) return;
    stream = new EventSource(main.dataset.live);
    stream.addEventListener("changed", () => {
      stream.close();
      later = setTimeout(() => {
        drawn = Date.now();
        htmx.ajax("GET", location.pathname + location.search, { target: "main", swap: "outerHTML" });
      }, Math.max(0, drawn + frame - Date.now()));
    });
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED) later = setTimeout(live, 5000); // too many streams are open
    });
  }

  // clocks shows how long ago [data-since] was and how far away [data-until] is.
  // It returns whether the page has something that changes with time.
  function clocks() {
    let counting = false;
    for (const out of document.querySelectorAll("[data-since]")) {
      const seconds = Math.max(0, (Date.now() - Number(out.dataset.since)) / 1000);
      out.textContent = seconds.toFixed(1) + " s";
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

  // nearby reports whether the top of an element is on the screen.
  const nearby = (e) => e.getBoundingClientRect().top >= 0 &&
    e.getBoundingClientRect().top < 0.8 * innerHeight;

  function ready(root, swapped) {
    tabs(root);
    copies(root);
    live();
    tick();
    // The focus moves only after a swap that removed the focused element.
    if (!swapped || (document.activeElement && document.activeElement !== document.body)) return;
    const first = document.querySelector("main [aria-invalid='true']") ||
      document.querySelector("main [data-focus]");
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: nearby(first) ? "nearest" : "center" });
  }

  document.addEventListener("DOMContentLoaded", () => ready(document, false));
  document.addEventListener("htmx:after:swap", () => ready(document, true));
})();
