// Fields with parts: the focus after a row was added or removed.
(() => {
  "use strict";

  // An edit of the rows is an edit of the fields, so they count, not the JSON.
  document.addEventListener("click", (e) => {
    const raw = e.target.closest("[data-do='add-row'], [data-do='remove-row']")
      ?.closest("[data-input-key], form[data-form='call']")?.querySelector("[data-raw]");
    if (raw) raw.checked = false;
  });

  document.addEventListener("htmx:after:swap", () => {
    const next = document.querySelector("main .arguments [autofocus], main .question [autofocus]");
    if (!next) return;
    next.removeAttribute("autofocus");
    next.focus();
  });
})();
