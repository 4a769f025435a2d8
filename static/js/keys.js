// Keys, swipes and playing by itself. Nothing here is needed: whatever a key
// does, a link or a button on the page does too.
(() => {
  "use strict";

  let leaving = false; // a page on its way makes further keys meaningless
  addEventListener("pageshow", () => { leaving = false; });
  document.addEventListener("htmx:after:swap", () => { leaving = false; });

  // go follows the link, or sends the form, that leads in a direction: of a
  // demo's step, else of a round.
  function go(direction) {
    const to = document.querySelector(`[data-go="${direction}"]`) ||
      document.querySelector(`.ribbon a[rel="${direction}"]`);
    if (!to || leaving) return false;
    leaving = Boolean(to.dataset.go);
    setTimeout(() => { leaving = false; }, 4000); // unless the page never came
    if (to.hasAttribute("hx-get")) globalThis.htmx?.process(to); // a key may be quicker than the swap before it
    to.click();
    return true;
  }

  const typing = (target) => target.closest("input, select, textarea, [contenteditable], [role='tab'], dialog, [popover]");
  const onStage = () => document.querySelector("main:is([data-present], [data-presenter])");

  // A clicker sends PageDown and PageUp; only a stage has nothing to scroll.
  function direction(e) {
    if (e.key === "ArrowRight") return "next";
    if (e.key === "ArrowLeft") return "prev";
    if (!onStage()) return "";
    if (e.key === "PageDown" || e.key === " " && !e.target.closest("button, a, summary")) return "next";
    return e.key === "PageUp" ? "prev" : "";
  }

  // shown returns the first visible match of a selector.
  const shown = (selector) => [...document.querySelectorAll(selector)].find((e) => e.getClientRects().length);

  // help lists the keys that do something on this page.
  function help() {
    const list = document.getElementById("keys");
    for (const row of list?.querySelectorAll("[data-when]") || []) row.hidden = !shown(row.dataset.when);
    list?.showModal();
  }

  let prefix = false; // g was pressed just before; it waits for slow fingers too
  document.addEventListener("pointerdown", () => { prefix = false; });
  function letter(key) {
    const afterG = prefix;
    prefix = false;
    if (afterG) {
      const link = document.querySelector(`.nav a[data-g="${CSS.escape(key)}"]`);
      link?.click();
      return Boolean(link);
    }
    if (key === "g") prefix = true;
    else if (key === "?") help();
    else if ("]j[k".includes(key)) return document.querySelector(".ribbon a[rel]") !== null && go("]j".includes(key) ? "next" : "prev");
    else if (key === "e" && shown("#drawer[data-edit]")) location.assign(shown("#drawer[data-edit]").dataset.edit);
    else if (key === "l" && shown(".tabs [data-panel='lab']")) shown(".tabs [data-panel='lab']").click();
    else return press(shown(`[data-key="${CSS.escape(key)}"]`));
    return true;
  }

  // press does what a click on an element does, or moves the focus into a field, to
  // type over what it holds.
  function press(to) {
    if (to?.matches("input")) {
      to.focus();
      to.select();
    } else to?.click();
    return Boolean(to);
  }

  // Single keys can be turned off in the settings, for people who speak to their
  // computer (WCAG 2.1.4).
  const singleKeys = () => document.documentElement.dataset.keys !== "off";

  document.addEventListener("keydown", (e) => {
    if (e.key.length > 1) prefix = false;
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || typing(e.target)) return;
    const way = direction(e);
    if (way && !(e.target.closest("pre") && !onStage())) {
      pause();
      if (go(way) || onStage()) e.preventDefault();
    } else if (e.key.length === 1 && singleKeys() && letter(e.key)) {
      e.preventDefault();
    }
  });

  // The command palette is a file of its own, loaded when it is first opened.
  // Without it, the search page does.
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  async function find() {
    try {
      const { paletteCss, palette } = document.body.dataset;
      (await import(palette)).open(paletteCss);
    } catch {
      location.assign("/search");
    }
  }
  document.addEventListener("keydown", (e) => {
    if (e.key.toLowerCase() !== "k" || !(mac ? e.metaKey : e.ctrlKey) || e.shiftKey || e.altKey) return;
    e.preventDefault();
    find();
  });
  document.addEventListener("click", (e) => {
    if (!e.target.closest("[data-find]") || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    find();
  });

  // A swipe is quick, and far more sideways than not. What scrolls sideways
  // keeps its own swipes.
  let start = null;
  const scrolls = (node) => {
    for (let e = node; e && e !== document.body; e = e.parentElement) {
      if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible" &&
        getComputedStyle(e).overflowX !== "hidden") return true;
    }
    return false;
  };
  document.addEventListener("touchstart", (e) => {
    const t = e.touches[0];
    start = e.touches.length === 1 && !typing(e.target) &&
      !scrolls(e.target) ? { x: t.clientX, y: t.clientY, at: e.timeStamp } : null;
  }, { passive: true });
  document.addEventListener("touchend", (e) => {
    if (!start) return;
    const dx = e.changedTouches[0].clientX - start.x, dy = e.changedTouches[0].clientY - start.y;
    const quick = e.timeStamp - start.at < 800;
    start = null;
    if (!quick || Math.abs(dx) < 60 || Math.abs(dx) < 2 * Math.abs(dy)) return;
    pause();
    go(dx < 0 ? "next" : "prev");
  }, { passive: true });

  // Autoplay continues across pages. It stops at the end, or when the user takes
  // over.
  const pace = 9000;
  let timer = 0;
  const playing = () => { try { return sessionStorage.getItem("play") === "1"; } catch { return false; } };
  function play(on) {
    try { sessionStorage.setItem("play", on ? "1" : ""); } catch { /* private mode */ }
    autoplay();
  }
  const pause = () => { if (playing()) play(false); };
  function autoplay() {
    clearTimeout(timer);
    const button = document.querySelector("[data-autoplay]");
    if (!button) return;
    button.hidden = false;
    for (const other of document.querySelectorAll("[data-keys], [data-fullscreen]")) other.hidden = false;
    button.setAttribute("aria-pressed", playing());
    button.textContent = playing() ? "Pause" : "Play automatically";
    if (!playing()) return;
    if (document.querySelector('[data-go="next"]')) timer = setTimeout(() => go("next"), pace);
    else if (!document.querySelector("main[data-live]")) play(false);
  }
  document.addEventListener("click", (e) => {
    if (e.target.closest("[data-autoplay]")) play(!playing());
  });

  // On a stage a screen reader reads the words of the step first.
  function ready() {
    autoplay();
    for (const kbd of document.querySelectorAll("[data-find] kbd")) {
      kbd.hidden = false;
      if (mac) kbd.textContent = "⌘K";
    }
    const main = document.querySelector("main[data-step], main[data-present]");
    if (main && document.activeElement === document.body) main.querySelector("[data-focus]")?.focus({ preventScroll: true });
  }
  document.addEventListener("DOMContentLoaded", ready);
  document.addEventListener("htmx:after:swap", autoplay);
})();
