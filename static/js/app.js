// What the pages do beyond HTML. Every page works without this file.
(() => {
  "use strict";

  // Panels become tabs; without script a link shows its panel (pages.css).
  function tabs(root) {
    for (const list of root.querySelectorAll("[data-tabs]:not([role])")) {
      const links = [...list.querySelectorAll("a[href^='#']")];
      const panels = links.map((a) => document.getElementById(a.hash.slice(1)));
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
      try { wanted = wanted || sessionStorage.getItem("tab" + location.pathname); } catch { /* private mode */ }
      show(Math.max(0, links.findIndex((a) => a.hash === wanted)));
    }
  }

  // A link to a panel from elsewhere on the page opens its tab.
  addEventListener("hashchange", () => {
    const tab = [...document.querySelectorAll("[data-tabs] a")].find((a) => a.hash === location.hash);
    tab?.click();
    tab?.scrollIntoView();
  });

  // Copy buttons appear only where they can work.
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

  // While a request is under way the server says when there is news. A page is
  // drawn anew a few times a second at most, however much the server says.
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
      if (stream.readyState === EventSource.CLOSED) later = setTimeout(live, 5000); // there is no room just now
    });
  }

  function elapsed() {
    for (const out of document.querySelectorAll("[data-since]")) {
      const seconds = Math.max(0, (Date.now() - Number(out.dataset.since)) / 1000);
      out.textContent = seconds.toFixed(1) + " s";
    }
    for (const out of document.querySelectorAll("[data-until]")) {
      const left = Math.round((Number(out.dataset.until) - Date.now()) / 1000);
      const clock = [left / 3600, (left / 60) % 60, left % 60].map((n) => String(Math.floor(n)).padStart(2, "0")).join(":");
      const words = left > 0 ? clock + " to go" : "expired";
      if (out.textContent !== words) out.textContent = words;
    }
  }
  setInterval(elapsed, 100);

  // Of the two views of an answer the one touched last counts.
  document.addEventListener("input", (e) => {
    const question = e.target.closest("[data-input-key], form[data-form='call']");
    const raw = question?.querySelector("[data-raw]");
    if (!raw || e.target === raw) return;
    raw.checked = e.target.matches("[data-answer-json], [data-field-json]");
  });

  // A state-only round can retry by itself; the wait is visible and can be stopped.
  let countdown = 0;
  function autoRetry() {
    clearInterval(countdown);
    const box = document.querySelector("[data-auto]");
    if (!box) return;
    box.hidden = false;
    const key = "auto" + location.pathname;
    const check = box.querySelector("input");
    const words = box.querySelector("[data-countdown]");
    const wait = () => {
      clearInterval(countdown);
      words.textContent = "";
      if (!check.checked) return;
      const end = Date.now() + Number(box.dataset.auto);
      countdown = setInterval(() => {
        const left = end - Date.now();
        words.textContent = "in " + Math.max(0, left / 1000).toFixed(1) + " s";
        if (left > 0) return;
        clearInterval(countdown);
        box.closest("form").querySelector("[data-do='send']").click();
      }, 100);
    };
    check.checked = sessionStorage.getItem(key) === "on";
    check.addEventListener("change", () => {
      sessionStorage.setItem(key, check.checked ? "on" : "off");
      wait();
    });
    wait();
  }

  // Whoever sees the top of something needs no scrolling.
  const nearby = (e) => e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().top < 0.8 * innerHeight;

  function ready(root, swapped) {
    autoRetry();
    tabs(root);
    copies(root);
    live();
    elapsed();
    // Whoever is typing keeps the focus; only a swap that took it away gives it anew.
    if (!swapped || (document.activeElement && document.activeElement !== document.body)) return;
    const first = document.querySelector("main [aria-invalid='true']") || document.querySelector("main [data-focus]");
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: nearby(first) ? "nearest" : "center" });
  }

  document.addEventListener("DOMContentLoaded", () => ready(document, false));
  document.addEventListener("htmx:after:swap", () => ready(document, true));
})();
