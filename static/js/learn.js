// Lessons: the bar that leads back to Live hides while Live is on screen, what
// the text names lights up in the picture and the other way round, and the
// chosen language is remembered. Every page works without this file.
(() => {
  "use strict";

  const lesson = () => document.querySelector("main.lesson-page");

  let watcher = null;
  function watch() {
    watcher?.disconnect();
    const live = lesson()?.querySelector("#live"), bar = lesson()?.querySelector("[data-live-bar]");
    if (!live || !bar || !window.IntersectionObserver) return;
    watcher = new IntersectionObserver((seen) => bar.classList.toggle("away", seen.at(-1).isIntersecting),
      { rootMargin: "0px 0px -70%" }); // its first control is on screen too
    watcher.observe(live);
  }

  // parts returns what a name of the text means in the picture.
  function parts(point) {
    const arrows = [...document.querySelectorAll("#live .pic a[data-m]")];
    if (point.startsWith("instance-")) {
      const name = point.slice("instance-".length);
      return [...document.querySelectorAll("#live .pic .pic-name")]
        .filter((t) => t.textContent === `Instance ${name}` || t.textContent === name);
    }
    switch (point) {
      case "state": return arrows.filter((a) => a.querySelector(".pic-diamond, .pic-state"));
      case "asks": return arrows.filter((a) => a.dataset.m.endsWith(".response") &&
        a.querySelector(".pic-label")?.textContent.startsWith("input_required"));
      case "answers": return arrows.filter((a) => a.dataset.m.endsWith(".request") && !a.dataset.m.startsWith("1."));
    }
    return [];
  }

  // near marks what belongs to what the mouse is on, or else the focus.
  const pointing = ".prose [data-m], .prose [data-point], #live .pic a[data-m], #live .pic .pic-name";
  let marked = [];
  function near(e) {
    for (const o of marked) o.classList.remove("pic-near");
    marked = [];
    const page = lesson();
    const at = page && (e.target.closest?.(pointing) || document.activeElement?.closest(pointing));
    if (!at) return;
    if (at.closest(".prose")) {
      marked = at.dataset.point ? parts(at.dataset.point)
        : [...page.querySelectorAll(`#live .pic a[data-m="${at.dataset.m}"]`)];
      marked.find((o) => o.getClientRects().length)?.closest("#live .picture")?.scrollTo({ top: offset(marked) });
    } else {
      if (at.dataset.m) marked = [...page.querySelectorAll(`.prose [data-m="${at.dataset.m}"]`)];
      for (const name of page.querySelectorAll(".prose [data-point]")) {
        if (parts(name.dataset.point).includes(at)) marked.push(name);
      }
    }
    for (const o of marked) o.classList.add("pic-near");
  }
  // offset returns how far the picture is to be scrolled to show the first part.
  function offset(list) {
    const first = list.find((o) => o.getClientRects().length), pane = first.closest(".picture");
    const room = pane.getBoundingClientRect(), at = first.getBoundingClientRect();
    const hidden = at.top < room.top || at.bottom > room.bottom;
    return hidden ? pane.scrollTop + at.top - room.top - 64 : pane.scrollTop;
  }
  document.addEventListener("mouseover", near);
  document.addEventListener("focusin", near);

  // The picture shows the newest round; each name of the text can be reached by
  // the keyboard once.
  function ready() {
    watch();
    const page = lesson();
    if (!page) return;
    const pane = page.querySelector("#live > .picture"), band = pane?.querySelector(".wide-only .pic-band");
    if (band) {
      const room = pane.getBoundingClientRect(), at = band.getBoundingClientRect();
      const names = pane.querySelector(".wide-only > svg").getBoundingClientRect().height;
      if (at.bottom > room.bottom) {
        pane.scrollTop += Math.min(at.bottom - room.bottom + 8, at.top - room.top - names);
      }
    }
    const named = new Set();
    for (const o of page.querySelectorAll(".prose [data-point]")) {
      if (!named.has(o.dataset.point) && parts(o.dataset.point).length) o.tabIndex = 0;
      named.add(o.dataset.point);
    }
  }

  // The language that was chosen last is open in all listings, on all pages.
  document.addEventListener("change", (e) => {
    if (!e.target.matches("[data-language-choice]")) return;
    const chosen = e.target.value;
    document.cookie = `language=${chosen}; path=/; max-age=31536000; samesite=lax`;
    for (const other of document.querySelectorAll(`[data-language-choice][value="${chosen}"]`)) other.checked = true;
  });

  document.addEventListener("DOMContentLoaded", ready);
  document.addEventListener("htmx:after:swap", ready);
})();
