// The page of an exchange: panels and rounds open in place, picture and messages
// point at each other, drafts are kept. Every link here is a page of its own.
(() => {
  "use strict";

  const bench = () => document.querySelector("main.workbench");
  const drawer = () => document.getElementById("drawer");
  const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private mode */ } };
  const kept = (name) => { try { return localStorage.getItem(name); } catch { return null; } };

  // "Copy as curl" copies the command of the page that it leads to. It leads there if
  // that fails.
  document.addEventListener("click", async (e) => {
    const link = e.target.closest("a[data-do='curl']");
    if (!link || !globalThis.ClipboardItem || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    const menu = link.closest("details").querySelector("summary"), words = menu.textContent;
    try {
      const command = fetch(link.href).then((r) => r.text()).then((page) =>
        new DOMParser().parseFromString(page, "text/html").querySelector("[data-curl]").textContent);
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": command })]);
      menu.textContent = "Copied";
      setTimeout(() => { menu.textContent = words; }, 1600);
    } catch {
      location.assign(link.href);
    }
  });

  // A link to another round, panel or message of the same page loads only that.
  document.addEventListener("click", (e) => {
    const link = e.target.closest("a[href]");
    if (!link || !bench()?.contains(link) || e.defaultPrevented) return;
    if (e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey || link.hasAttribute("download")) return;
    const to = new URL(link.getAttribute("href"), location.href);
    if (to.pathname !== location.pathname || to.origin !== location.origin) return;
    if (to.hash && !/^#(drawer$|m-|also-|request-|response-)/.test(to.hash) || to.searchParams.get("x") !== here().get("x")) return;
    e.preventDefault();
    open(to, link);
  });
  const here = () => new URL(location.href).searchParams;

  let came = null; // what the focus comes from: a tab, an arrow, the folded picture, a row of the list
  let leads = ""; // id of what a row leads to
  function open(to, link) {
    if (drawer().dataset.fold && link.closest(".ribbon, .brief")) { // which know the panel that the page came with
      to.searchParams.set("stage", "open");
      if (drawer().dataset.panel !== "wire") to.searchParams.set("panel", drawer().dataset.panel);
      to.searchParams.sort();
    }
    const round = to.searchParams.get("round") || bench().dataset.newest || bench().dataset.shown;
    const part = round === bench().dataset.shown;
    came = link.dataset.panel ? "tab" : link.closest(".brief") ? "brief" : link.closest(".all") ? "row" : link.closest(".pic") ? "arrow" : null;
    leads = to.hash.slice(1);
    const target = part ? "#drawer" : "main";
    globalThis.htmx.ajax("GET", to.pathname + to.search,
      { target, swap: "outerHTML", push: to.pathname + to.search, headers: { "HX-Target": target } });
  }

  // The only round of a ribbon is no link. It too opens a folded stage.
  document.addEventListener("click", (e) => {
    if (e.target.closest(".ribbon .at") && drawer()?.dataset.fold) document.querySelector(".brief").click();
  });

  // mark shows in the picture which message is selected.
  function mark() {
    const selected = drawer()?.dataset.message;
    for (const arrow of document.querySelectorAll(".pic a[data-m], .all tr[data-m]")) {
      if (arrow.dataset.m === selected) arrow.setAttribute("aria-current", "true");
      else arrow.removeAttribute("aria-current");
    }
  }

  // place moves the focus to where the eye is: to a selected message after an
  // arrow, back to a tab.
  function place() {
    const from = came;
    came = null;
    if (from === "tab") drawer()?.querySelector(".tabs [aria-current]")?.focus({ preventScroll: true });
    if (from === "brief") document.querySelector('.stage .pic a[tabindex="0"]')?.focus({ preventScroll: true });
    if (from === "row") return reach(document.getElementById(leads));
    if (from !== "arrow") return;
    const at = drawer()?.querySelector(".sides > [aria-current]");
    at?.focus({ preventScroll: true });
    at?.scrollIntoView({ block: "nearest" });
  }

  // reach shows a message, or a place in one, and moves the focus there.
  function reach(at) {
    for (let fold = at?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    const stop = at?.matches("details") ? at.querySelector("summary") : at;
    stop?.focus({ preventScroll: true });
    stop?.scrollIntoView({ block: at.matches("mark") ? "center" : "start" });
  }

  // What is clicked in a message, or has the focus there, selects it: the picture
  // marks its arrow.
  function select(e) {
    const side = e.target.closest?.(".sides > [data-m]"), m = side?.dataset.m;
    if (!side || drawer().dataset.message === m) return;
    for (const place of [drawer(), bench()]) place.dataset.message = m;
    for (const other of drawer().querySelectorAll(".sides > [data-m]")) other.removeAttribute("aria-current");
    side.setAttribute("aria-current", "true");
    const [round, message] = m.split("."), here = new URL(location.href);
    here.searchParams.set("round", round);
    for (const to of [here, ...drawer().querySelectorAll(".wire-bar a")]) {
      const search = new URLSearchParams(to.search);
      search.set("message", message);
      search.sort();
      to.search = search;
    }
    history.replaceState(history.state, "", here.pathname + here.search);
    mark();
    rove();
    document.querySelector(`.stage .pic a[data-m="${m}"]`)?.scrollIntoView({ block: "nearest" });
  }
  document.addEventListener("click", select);
  document.addEventListener("focusin", select);

  // From a message, Escape leads back to its arrow.
  document.addEventListener("keydown", (e) => {
    const m = e.key === "Escape" && !document.querySelector("details.menu[open]") &&
      e.target.closest?.(".sides > [data-m]")?.dataset.m;
    if (m) (arrowsInView().find((a) => a.dataset.m === m) ?? document.querySelector(".brief"))?.focus();
  });

  // What the mouse or the focus is on lights up on the other side too.
  function near(e) {
    const m = e.target.closest?.("[data-m]")?.dataset.m;
    for (const other of document.querySelectorAll(".pic-near")) {
      if (other.dataset.m !== m) other.classList.remove("pic-near");
    }
    if (m) document.querySelectorAll(`.pic a[data-m="${m}"], .drawer [data-m="${m}"]`).forEach((o) => o.classList.add("pic-near"));
  }
  document.addEventListener("mouseover", near);
  document.addEventListener("focusin", near);

  // The picture is one stop of the Tab key; up and down go along its arrows.
  const arrowsInView = () =>
    [...document.querySelectorAll(".stage .pic a[data-m]")].filter((a) => a.checkVisibility());
  function rove() {
    const arrows = arrowsInView();
    const stop = arrows.find((a) => a.getAttribute("aria-current")) || arrows.at(-1);
    for (const a of arrows) a.setAttribute("tabindex", a === stop ? "0" : "-1");
  }
  document.addEventListener("keydown", (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    const at = e.target.closest?.(".stage .pic a[data-m]");
    if (!step || !at) return;
    const arrows = arrowsInView();
    const next = arrows[arrows.indexOf(at) + step];
    if (!next) return;
    e.preventDefault();
    at.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });

  // The picture shows the round that the page shows.
  function scroll() {
    const pane = document.querySelector(".stage > .picture");
    const band = pane?.querySelector(".pic-band");
    if (!band) return;
    const room = pane.getBoundingClientRect(), at = band.getBoundingClientRect();
    if (at.bottom > room.bottom) pane.scrollTop += Math.min(at.bottom - room.bottom + 8, at.top - room.top);
  }

  // draw draws the arrows that a new round added, with the state riding on them.
  let drawn = null; // how many arrows of which exchange were drawn
  const line = ".pic-req, .pic-res, .pic-notice";
  function draw() {
    const main = bench();
    const arrows = [...document.querySelectorAll(".stage .pic a[data-m] > path")].filter((e) => e.matches(line));
    const before = drawn;
    drawn = main ? { id: location.pathname, arrows: arrows.length } : null;
    if (document.querySelector(".picture.whole")) return; // its states travel
    if (!before || before.id !== drawn?.id || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    arrows.slice(before.arrows).forEach((arrow, i) => {
      const back = !arrow.matches(".pic-req");
      arrow.classList.add("pic-drawn");
      arrow.classList.toggle("pic-back", back);
      arrow.style.animationDelay = `${150 * i}ms`;
      const way = arrow.getBBox().width * (back ? 0.5 : -0.5);
      for (let ride = arrow.nextElementSibling; ride && !ride.matches(line); ride = ride.nextElementSibling) {
        if (!ride.matches(".pic-diamond")) continue;
        ride.animate([{ transform: `translateX(${way}px)` }, { transform: "none" }],
          { duration: 300, delay: 150 * i, fill: "backwards", easing: "ease-out" });
      }
    });
  }

  // The height of the drawer can be dragged, or changed by the arrow keys. Each
  // panel has its own, which is remembered. Whatever it is, the style sheet leaves
  // room for a field and the buttons.
  const least = 96;
  const heightOf = () => `drawer ${drawer().dataset.panel}`;
  function size(px) {
    bench().style.setProperty("--drawer", `${Math.max(least, Math.round(px))}px`);
    unfold();
    keep(heightOf(), Math.round(drawer().getBoundingClientRect().height));
    report();
    fit();
    stops();
  }
  // report tells a screen reader the height and its limit.
  function report() {
    const handle = document.querySelector("[data-grip]"), stage = document.querySelector(".stage");
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const room = stage.offsetHeight - rem * parseFloat(getComputedStyle(stage).getPropertyValue("--stage"));
    const height = Math.round(drawer().getBoundingClientRect().height);
    handle.setAttribute("aria-valuemax", Math.round(height + Math.max(0, room || 0)));
    handle.setAttribute("aria-valuenow", height);
  }
  // unfold opens a folded stage if the drawer was dragged to leave room for it.
  function unfold() {
    const height = parseFloat(bench().style.getPropertyValue("--drawer"));
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const most = bench().getBoundingClientRect().bottom - document.querySelector(".stage").getBoundingClientRect().top;
    bench().classList.toggle("roomy", most - height >= rem * parseFloat(getComputedStyle(bench()).getPropertyValue("--roomy")));
  }
  // fit keeps the field that is being filled in, or else the first, on the screen.
  function fit() {
    const f = form();
    if (!f) return;
    const at = f.contains(document.activeElement) ? document.activeElement : f.closest(".ask").scrollTop === 0 && field(f);
    at && at.scrollIntoView({ block: "nearest" });
  }
  function grip() {
    const handle = document.querySelector("[data-grip]"), style = bench()?.style;
    if (!handle || !style) return;
    handle.hidden = false;
    const height = Number(kept(heightOf())), want = height ? `${height}px` : "";
    if (style.getPropertyValue("--drawer") !== want) {
      style.setProperty("--drawer", want);
      fit();
    }
    unfold();
    report();
  }
  addEventListener("resize", () => bench() && drawer() && fit());
  document.addEventListener("pointerdown", (e) => {
    const handle = e.target.closest("[data-grip]");
    if (!handle) return;
    handle.setPointerCapture(e.pointerId);
    const move = (m) => size(innerHeight - m.clientY);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", () => handle.removeEventListener("pointermove", move), { once: true });
  });
  document.addEventListener("keydown", (e) => {
    const step = { ArrowUp: 24, ArrowDown: -24 }[e.key];
    if (!step || !e.target.closest("[data-grip]")) return;
    e.preventDefault();
    size(drawer().getBoundingClientRect().height + step);
  });

  // Only what scrolls, and has nothing in it that takes the focus, is a stop of the
  // Tab key. Without a script everything that may scroll is.
  function stops() {
    for (const e of document.querySelectorAll(".workbench :is(.preview, .panel, .json, pre)[role='group']")) {
      const scrolls = e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;
      const holds = e.querySelector("a[href], button, summary, input, select, textarea");
      e.setAttribute("tabindex", scrolls && !holds ? "0" : "-1");
    }
  }
  addEventListener("resize", stops);
  document.addEventListener("toggle", stops, true);

  // The steps of several questions lead to the first field of each, show which one
  // has the focus, and which ones are answered.
  const field = (part) => part.querySelector("input:not([type='hidden']), select, textarea");
  document.addEventListener("click", (e) => {
    const step = e.target.closest(".steps a");
    if (!step || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    const question = document.querySelector(step.getAttribute("href")).closest(".question");
    question.scrollIntoView({ block: "start" });
    (field(question) ?? question.querySelector("h2")).focus({ preventScroll: true });
  });
  document.addEventListener("focusin", (e) => {
    const question = e.target.closest(".question");
    if (!question) return;
    for (const step of document.querySelectorAll(".steps a")) {
      if (question.querySelector(step.getAttribute("href"))) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    }
  });
  function answered() {
    const done = document.getElementById("preview")?.dataset.answered?.split(" ") ?? [];
    document.querySelectorAll(".steps a [data-answered]").forEach((mark, i) => { mark.hidden = !done.includes(String(i)); });
  }

  // Drafts: what is typed into the form of a round is kept in this browser until
  // it is sent, for at most 30 days.
  const month = 30 * 24 * 3600 * 1000;
  const form = () => document.querySelector("form[data-form='answers']");
  const draftName = (f) => `draft ${bench()?.dataset.exchange || f.getAttribute("action")} ${f.elements.round.value}`;
  const controls = (f) => [...f.elements].filter((c) => c.name && c.type !== "hidden" && c.type !== "submit" && c.name !== "back");
  document.addEventListener("input", (e) => {
    const f = e.target.closest("form[data-form='answers']");
    if (!f) return;
    const values = controls(f).map((c) => [c.name, c.value, c.matches("[type='checkbox'], [type='radio']") ? c.checked : null]);
    keep(draftName(f), JSON.stringify({ at: Date.now(), values }));
  });
  document.addEventListener("submit", (e) => {
    if (e.target.matches("form[data-form='answers']")) sent = draftName(e.target);
  });
  let sent = null; // the draft of the form that was sent last
  function restore() {
    const f = form();
    if (sent && (!f || draftName(f) !== sent)) {
      try { localStorage.removeItem(sent); } catch { /* private mode */ }
      sent = null;
    }
    if (!f || f.dataset.restored || f.querySelector("[aria-invalid='true']")) return;
    f.dataset.restored = "yes";
    const draft = JSON.parse(kept(draftName(f)) || "null");
    if (!draft) return;
    const left = controls(f);
    for (const [name, value, checked] of draft.values) {
      const at = left.findIndex((c) => c.name === name && (checked === null || c.value === value));
      if (at < 0) continue;
      const [c] = left.splice(at, 1);
      if (checked === null) c.value = value;
      else c.checked = checked;
    }
    setTimeout(() => f.querySelector(".questions")?.dispatchEvent(new Event("input", { bubbles: true }))); // after htmx
  }
  function forget() {
    try {
      for (const name of Object.keys(localStorage)) {
        if (name.startsWith("draft ") && !(JSON.parse(localStorage.getItem(name)).at > Date.now() - month)) {
          localStorage.removeItem(name);
        }
      }
    } catch { /* private mode */ }
  }

  // Share offers what is on screen, also after another panel was opened in place.
  document.addEventListener("click", (e) => {
    const link = e.target.closest("a[data-share-link]");
    if (!link || !drawer()) return;
    const to = new URL(link.href);
    const panel = drawer().dataset.panel;
    to.searchParams.set("round", bench().dataset.shown);
    if (panel !== "lab") to.searchParams.set("panel", panel);
    link.href = to.href;
  });

  // A form of the page comes back with the panel that is open.
  document.addEventListener("formdata", (e) => {
    if (bench()?.contains(e.target) && drawer()) e.formData.set("panel", drawer().dataset.panel);
  });

  // A menu closes when something else is clicked, and by Escape.
  document.addEventListener("click", (e) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(e.target) || e.target.closest("a")) menu.open = false;
  });
  document.addEventListener("keydown", (e) => {
    const menu = e.key === "Escape" && document.querySelector("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  // Ctrl-Enter or Cmd-Enter sends the form from any field.
  document.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
    const f = e.target.closest("form[data-form='answers']");
    if (!f) return;
    e.preventDefault();
    f.querySelector("[data-do='send']")?.click();
  });

  function ready() {
    mark();
    rove();
    grip();
    scroll();
    draw();
    answered();
    restore();
    stops();
  }
  document.addEventListener("DOMContentLoaded", () => { forget(); ready(); });
  document.addEventListener("htmx:after:swap", () => { ready(); place(); });
})();
