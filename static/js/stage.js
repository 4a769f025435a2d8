// A demo on a projector: steps without loading a page, so that the browser stays
// in full screen; motion that shows where a message went; and controls that hide
// while the mouse rests. Every step works without this file.
(() => {
  "use strict";

  const main = () => document.querySelector("main[data-story]");
  const onStage = () => document.querySelector("main[data-present]");

  // What serves the speaker alone shows while the mouse moves, or after Tab.
  let resting = 0;
  function wake() {
    document.documentElement.classList.add("awake");
    clearTimeout(resting);
    resting = setTimeout(() => document.documentElement.classList.remove("awake"), 2500);
  }
  document.addEventListener("mousemove", (e) => { if (e.movementX || e.movementY) wake(); });
  document.addEventListener("keydown", (e) => { if (e.key === "Tab") wake(); });

  let moved = false; // the history has steps of this document
  // show replaces the main element by that of another step, or by that of the
  // error page. It returns false if the answer is another page.
  async function show(url, options) {
    const answer = await fetch(url, { ...options, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.querySelector(answer.ok ? "main[data-present]" : "main");
    if (!next) return false;
    main().replaceWith(next);
    document.title = page.title;
    if (answer.ok && answer.url !== location.href) {
      history.pushState({ stage: true }, "", answer.url);
      moved = true;
    }
    next.querySelector("[data-focus]")?.focus({ preventScroll: true });
    scrollTo(0, 0);
    document.dispatchEvent(new CustomEvent("htmx:after:swap"));
    return true;
  }

  // leads returns the link that leads to another page of this demo.
  function leads(target) {
    const link = target.closest("main[data-present] a[href]");
    const to = link && new URL(link.href.baseVal ?? link.href, location.href);
    return to?.pathname.startsWith(`/demos/${onStage().dataset.story}`) && to.searchParams.get("present") ? to.href : "";
  }
  document.addEventListener("click", async (e) => {
    if (e.defaultPrevented || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
    const to = leads(e.target);
    if (!to) return;
    e.preventDefault();
    if (!await show(to).catch(() => false)) location.assign(to);
  });
  document.addEventListener("submit", async (e) => {
    const form = e.target;
    if (e.defaultPrevented || !form.matches("main[data-present] form:is([data-form], [data-start])")) return;
    e.preventDefault();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    const body = new URLSearchParams(new FormData(form, e.submitter));
    if (!await show(form.action, { method: "POST", body }).catch(() => false)) location.reload();
  });
  addEventListener("popstate", async () => {
    if (!moved) return;
    if (!onStage() || !await show(location.href).catch(() => false)) location.reload();
  });

  // Full screen, and the keys that no link or button has.
  const full = () => document.fullscreenElement
    ? document.exitFullscreen() : document.documentElement.requestFullscreen?.().catch(() => {});
  document.addEventListener("click", (e) => { if (e.target.closest("[data-fullscreen]")) full(); });
  document.addEventListener("keydown", (e) => {
    if (!onStage() || e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("dialog, [popover], input, select, textarea")) return;
    const steps = document.querySelectorAll(".dots a");
    const to = { Home: steps[0], End: steps[steps.length - 1],
      Escape: document.fullscreenElement ? null : document.querySelector(".presenter [data-key='p']") }[e.key];
    if (!to) return;
    e.preventDefault();
    to.click();
  });

  // draw draws the arrows that a step added, one after the other. The state
  // rides along, and the name of an instance that went down fades. Nothing moves
  // on the way back.
  const memory = "stage";
  function draw() {
    const step = Number(main()?.dataset.step);
    if (!step) return;
    const rows = [...document.querySelectorAll(".story-lanes [data-row]")];
    const name = (row) => (row.closest(".legacy-lane") ? "before " : "") + row.dataset.row;
    let old = null;
    try {
      old = JSON.parse(sessionStorage.getItem(memory));
      sessionStorage.setItem(memory, JSON.stringify({ path: location.pathname, step, rows: rows.map(name) }));
    } catch { /* private mode */ }
    const same = old?.path === location.pathname;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || (same ? step < old.step : step !== 1)) return;
    const fresh = rows.filter((row) => !same || !old.rows.includes(name(row)));
    const order = [...new Set(fresh.map(name))];
    for (const row of fresh) move(row, 300 * order.indexOf(name(row)));
  }

  // move draws one row after a delay in milliseconds.
  function move(row, delay) {
    const timing = { duration: 300, delay, fill: "backwards", easing: "ease-out" };
    row.animate([{ opacity: 0 }, { opacity: 1 }], { ...timing, duration: 100 });
    if (row.querySelector(".pic-gone")) {
      for (const down of row.closest("svg").querySelectorAll(".pic-down")) {
        down.animate([{ fill: "var(--ink)", textDecoration: "none" }, {}], timing);
      }
    }
    const line = row.querySelector(".pic-req, .pic-res");
    if (!line) return;
    const back = line.matches(".pic-res"), way = line.getBBox();
    line.classList.add("pic-drawn");
    line.classList.toggle("pic-back", back);
    line.style.animationDelay = `${delay}ms`;
    for (const rider of row.querySelectorAll(".pic-diamond, .pic-req-head, .pic-res-head")) {
      const at = rider.getBBox(), from = back ? way.x + way.width : way.x;
      rider.animate([{ transform: `translateX(${from - at.x - at.width / 2}px)` }, { transform: "none" }], timing);
    }
  }

  // A stage on a projector goes on when its presenter does so in another window.
  let stream = null;
  function follow() {
    stream?.close();
    stream = null;
    const stage = onStage();
    if (!stage?.dataset.follows) return;
    stream = new EventSource(stage.dataset.follows);
    stream.addEventListener("changed", () => {
      stream.close();
      if (stage.isConnected && !stage.querySelector("form[aria-busy='true']")) show(stage.dataset.newest).catch(() => {});
    });
  }

  for (const event of ["DOMContentLoaded", "htmx:after:swap"]) {
    document.addEventListener(event, draw);
    document.addEventListener(event, follow);
  }
})();
