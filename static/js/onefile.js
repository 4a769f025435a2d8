// The script of a page that is a file of its own: it shows one of the views of the file,
// as the fragment of the address says. Without it all of them are shown.
(() => {
  "use strict";
  const root = document.documentElement, main = document.getElementById("main");
  const views = [...main.querySelectorAll(":scope > section.view:not(.shared)")];
  const firstOf = (x) => views.find((v) => v.dataset.x === x);
  let view, here = new URLSearchParams();
  root.classList.add("scripted");

  // found returns the view that an address names, or what the file opens with.
  const id = (...parts) => document.getElementById(parts.filter(Boolean).sort().join("&"));
  function found(q) {
    const x = q.get("x"), at = (name) => q.has(name) ? `${name}=${q.get(name)}` : "";
    const to = q.has("step") ? id(at("step")) : q.has("round") ? id(at("round"), at("x")) : x ? firstOf(x) : null;
    return views.includes(to) ? to : null;
  }

  // unpack adds a call that the file has packed.
  async function unpack(x) {
    const packed = document.querySelector(`script[data-packed="${CSS.escape(x)}"]`);
    if (!packed) return;
    const bytes = Uint8Array.from(atob(packed.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const part = document.createElement("template");
    part.innerHTML = await new Response(stream).text();
    packed.remove();
    for (const section of part.content.children) add(section);
    main.append(part.content);
  }
  function add(section) {
    if (section.matches(".shared")) drawers.set(section.dataset.of, [...section.children]);
    else if (!views.includes(section)) views.push(section);
    for (const button of section.querySelectorAll("[data-copy]")) copies(button);
  }

  // show shows what the address names. from is what was clicked.
  async function show(from) {
    const text = location.hash.slice(1);
    let q = new URLSearchParams(text);
    if (q.has("x")) await unpack(q.get("x"));
    let next = found(q);
    if (!next && text && text !== "start" && text !== "main") {
      document.getElementById(text)?.scrollIntoView();
      if (view) return;
    }
    if (!next && text === "main" && view) return;
    if (!next) {
      q = new URLSearchParams(main.dataset.start);
      next = document.getElementById(main.dataset.start) ?? found(q) ?? views[0];
      if (!views.includes(next)) next = found(q) ?? views[0];
    }
    const same = next === view;
    here = q;
    view = next;
    for (const v of views) {
      v.classList.toggle("on", v === view);
      if (v.hasAttribute("data-bench")) v.classList.toggle("workbench", v === view);
    }
    if (view.hasAttribute("data-bench")) bench(q, from);
    if (!same) {
      if (from) (view.querySelector("[data-focus]") ?? view.querySelector("h1"))?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }

  // bench shows a panel and a message of the round in view.
  function bench(q, from) {
    const drawer = view.querySelector(".drawer"), round = view.dataset.shown;
    const exact = q.get("view") === "exact";
    const panel = exact ? "exact" : q.get("panel") || "wire";
    share(drawer);
    drawer.dataset.panel = exact ? "wire" : panel;
    const parts = [...drawer.querySelectorAll(":scope > .panel")];
    const open = parts.find((p) => p.dataset.part === panel) ?? parts.find((p) => p.dataset.part === "wire");
    for (const p of parts) p.classList.toggle("on", p === open);
    const list = drawer.querySelector(":scope > .panel-list, .panel > .panel-list");
    if (list && open && ["wire", "exact"].includes(open.dataset.part)) open.prepend(list);
    for (const tab of drawer.querySelectorAll(".tabs a")) mark(tab, tab.dataset.panel === drawer.dataset.panel);
    columns(drawer, round);
    const message = q.get("message") && `${round}.${q.get("message")}`;
    for (const e of view.querySelectorAll(".pic a[data-m], .all tr[data-m], .sides > [data-m]")) mark(e, e.dataset.m === message);
    rove();
    const at = q.get("at") ? document.getElementById(location.hash.slice(1))
      : message && open?.querySelector(`.sides > [data-m="${message}"]`);
    for (let fold = at?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    if (!at) return;
    if (from) (at.matches("details") ? at.querySelector("summary") : at).focus({ preventScroll: true });
    at.scrollIntoView({ block: "nearest" });
  }
  function mark(e, on) {
    if (on) e.setAttribute("aria-current", "true");
    else e.removeAttribute("aria-current");
  }

  // share moves what the rounds of a call share into the drawer of the one in view.
  const drawers = new Map();
  function share(drawer) {
    for (const e of drawers.get(view.dataset.x) ?? []) if (e.matches("[data-part]")) drawer.append(e);
  }

  // columns marks the column of the round in the table of rules.
  function columns(drawer, round) {
    for (const table of drawer.querySelectorAll(".matrix table")) {
      const heads = [...table.tHead.rows[0].cells];
      const at = heads.findIndex((h) => new URLSearchParams(h.querySelector("a")?.hash.slice(1)).get("round") === round);
      for (const row of table.rows) {
        for (const [i, cell] of [...row.cells].entries()) cell.classList.toggle("shown", at > 0 && i === at);
      }
      for (const [i, h] of heads.entries()) if (h.querySelector("a")) mark(h.querySelector("a"), i === at);
    }
  }

  // The picture is one stop of the Tab key; up and down go along its arrows.
  const arrows = () => [...view.querySelectorAll(".stage .pic a[data-m]")].filter((a) => a.checkVisibility());
  function rove() {
    const list = arrows(), stop = list.find((a) => a.getAttribute("aria-current")) ?? list.at(-1);
    for (const a of list) a.setAttribute("tabindex", a === stop ? "0" : "-1");
  }
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const arrow = e.target.closest?.(".stage .pic a[data-m]"), step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (arrow && step) {
      const next = arrows()[arrows().indexOf(arrow) + step];
      if (!next) return;
      e.preventDefault();
      arrow.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
    const way = { ArrowRight: "next", ArrowLeft: "prev" }[e.key];
    const to = way && !e.target.closest?.("pre") && (view.querySelector(`[data-go="${way}"]`) ?? view.querySelector(`.ribbon a[rel="${way}"]`));
    if (to) {
      e.preventDefault();
      to.click();
    }
  });

  // What the mouse or the focus is on lights up on the other side too.
  function near(e) {
    const m = e.target.closest?.("[data-m]")?.dataset.m;
    for (const other of view.querySelectorAll(".pic-near")) if (other.dataset.m !== m) other.classList.remove("pic-near");
    if (m) view.querySelectorAll(`.pic a[data-m="${m}"], .drawer [data-m="${m}"]`).forEach((o) => o.classList.add("pic-near"));
  }
  document.addEventListener("mouseover", near);
  document.addEventListener("focusin", near);

  let clicked = null;
  document.addEventListener("click", (e) => { clicked = e.target.closest("a[href^='#']"); });
  addEventListener("hashchange", () => {
    show(clicked);
    clicked = null;
  });

  // The themes are those of the system, until a button is pressed.
  for (const button of document.querySelectorAll("[data-set-theme]")) {
    button.hidden = false;
    button.addEventListener("click", () => { root.dataset.theme = button.dataset.setTheme; });
  }
  function copies(button) {
    if (!navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const words = button.textContent;
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = words; }, 1600);
    });
  }
  for (const section of main.querySelectorAll(":scope > section.view")) add(section);
  show(null);
})();
