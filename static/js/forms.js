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

  document.addEventListener("htmx:after:swap", () => {
    offer();
    const next = document.querySelector("main .arguments [autofocus], main .question [autofocus]");
    if (!next) return;
    next.removeAttribute("autofocus");
    next.focus();
  });
})();
