// Forms: the focus after a row was added or removed, and addresses to open.
(() => {
  "use strict";

  // An edit of the rows is an edit of the fields, so they count, not the JSON.
  document.addEventListener("click", (e) => {
    const raw = e.target.closest("[data-do='add-row'], [data-do='remove-row']")
      ?.closest("[data-input-key], form[data-form='call']")?.querySelector("[data-raw]");
    if (raw) raw.checked = false;
  });

  // An address that a question asks to open comes first. Once it was opened, the
  // button that sends does.
  const opened = new Set();
  function offer() {
    for (const form of document.querySelectorAll("form[data-form='answers']")) {
      const links = [...form.querySelectorAll("a[data-do='open']")];
      if (!links.length) continue;
      const next = links.find((a) => !opened.has(a.href));
      for (const a of links) a.classList.toggle("first", a === next);
      form.querySelector("[data-do='send']").classList.toggle("first", !next);
    }
  }
  for (const name of ["click", "auxclick"]) {
    document.addEventListener(name, (e) => {
      const link = e.target.closest("form[data-form='answers'] a[data-do='open']");
      if (!link || e.button > 1) return;
      opened.add(link.href);
      offer();
    });
  }
  document.addEventListener("DOMContentLoaded", offer);

  // What was unfolded stays so when its part of the page is made again.
  const unfolded = new Map();
  document.addEventListener("toggle", (e) => {
    if (e.target.dataset?.keep) unfolded.set(e.target.dataset.keep, e.target.open);
  }, true);
  document.addEventListener("htmx:after:swap", () => {
    for (const o of document.querySelectorAll("details[data-keep]")) o.open = unfolded.get(o.dataset.keep) ?? o.open;
  });

  // Ctrl-Enter or Cmd-Enter saves a flow and runs it, from any field.
  document.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || !e.target.closest(".flow-page")) return;
    e.preventDefault();
    document.querySelector(".flow-bar [data-do='run']").click();
  });

  // A problem of a text leads to its line.
  document.addEventListener("click", (e) => {
    const to = e.target.closest("[data-line]"), text = document.getElementById("flow-source");
    if (!to || !text) return;
    e.preventDefault();
    const lines = text.value.split("\n"), n = Math.min(Number(to.dataset.line), lines.length);
    const start = lines.slice(0, n - 1).join("\n").length + (n > 1 ? 1 : 0);
    text.setSelectionRange(start, start); // the browser scrolls to it with the focus
    text.blur();
    text.focus();
    text.setSelectionRange(start, start + lines[n - 1].length);
  });

  document.addEventListener("htmx:after:swap", () => {
    offer();
    // Questions that ask before something is removed keep theirs for when they open.
    const next = document.querySelector("main :is(.arguments, .question, .flow-outline) [autofocus]:not([popover] *)");
    if (!next) return;
    next.removeAttribute("autofocus");
    next.focus({ preventScroll: true });
    (next.closest(".flow-step, .flow-field") ?? next).scrollIntoView({ block: "nearest" });
  });
})();
