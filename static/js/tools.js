// The page of a server: the list of what it offers is filtered while typing, and
// a form opens in place. Without this file the filter is a form and every entry
// is a link.
(() => {
  "use strict";

  const filter = () => document.querySelector("[data-filter] input");
  const links = () => [...document.querySelectorAll("#entries a[data-entry]")];
  const shown = () => links().filter((a) => !a.parentElement.hidden);

  // words and rank are those of Match in playground/server/match.go.
  const words = (text) => text.replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, "$1 $2").toLowerCase()
    .split(/[^\p{L}\p{Nd}]+/u).filter(Boolean);
  const none = 5;
  function rankOf(word, text) {
    const parts = words(text), lower = text.toLowerCase();
    const initials = parts.map((p) => [...p][0]).join("");
    if (lower === word || initials === word) return 0;
    if (lower.startsWith(word)) return 1;
    if (initials.startsWith(word)) return 2;
    if (parts.some((p) => p.startsWith(word))) return 3;
    return lower.includes(word) ? 4 : none;
  }
  const rank = (typed, texts) => Math.max(0, ...typed.toLowerCase().split(/\s+/).filter(Boolean)
    .map((word) => Math.min(...texts.map((text) => rankOf(word, text)))));

  // narrow hides what does not match and marks the best match.
  function narrow() {
    const typed = filter()?.value.trim() ?? "";
    const remote = document.querySelector("[data-filter][data-remote]"); // then the server counts
    let best = null, least = none, count = 0;
    for (const a of links()) {
      const n = rank(typed, [...a.querySelectorAll(".label, code")].map((e) => e.textContent));
      a.parentElement.hidden = n === none;
      delete a.dataset.best;
      if (n < none) count++;
      if (n < least) [best, least] = [a, n];
    }
    for (const group of document.querySelectorAll("#entries [data-group]")) {
      const n = group.querySelectorAll("li:not([hidden])").length;
      group.hidden = !n;
      if (!remote) group.querySelector("h2 span").textContent = n;
    }
    const out = document.querySelector("#entries [data-count]");
    if (out && !remote) out.textContent = typed ? `${count} ${count === 1 ? "match" : "matches"}` : "";
    if (!typed || !best) return;
    best.dataset.best = "";
    best.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("input", (e) => { if (e.target === filter()) narrow(); });

  // open shows the form that a link leads to, and moves the focus to its first
  // field.
  function open(link) {
    const to = new URL(link.href);
    for (const a of links()) a.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    fresh = true;
    globalThis.htmx.ajax("GET", to.pathname + to.search,
      { target: "#chosen", swap: "outerHTML", push: to.pathname + to.search, headers: { "HX-Target": "#chosen" } });
  }
  let fresh = false; // a form is on its way
  document.addEventListener("htmx:after:swap", () => {
    if (document.querySelector("[data-filter][data-remote]")) narrow();
    const chosen = document.getElementById("chosen"), check = document.getElementById("check-server");
    if (chosen && check) check.href = chosen.dataset.check; // it checks what is chosen
    if (!fresh || !chosen) return;
    fresh = false;
    const form = document.querySelector("#chosen form[data-form='call']");
    const first = form?.querySelector(".arguments :is(input:not([type='hidden']), select, textarea)") ??
      form?.querySelector("[data-do='call']");
    first?.focus({ preventScroll: true });
    if (matchMedia("(max-width: 44rem)").matches) chosen.scrollIntoView();
  });

  document.addEventListener("click", (e) => {
    const link = e.target.closest("#entries a[data-entry]");
    if (!link || e.defaultPrevented || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
    e.preventDefault();
    open(link);
  });

  // move moves the focus along the list; up from the first entry is the filter.
  function move(from, step) {
    const list = shown();
    const to = list[from + step];
    if (to) to.focus();
    else if (step < 0) filter()?.focus();
  }

  document.addEventListener("keydown", (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || !filter()) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (e.target === filter()) {
      const best = document.querySelector("#entries a[data-best]");
      if (e.key === "Enter") enter(e, best);
      else if (e.key === "ArrowDown") {
        e.preventDefault();
        move(best ? shown().indexOf(best) : -1, 1);
      }
    } else if (step && e.target.matches("#entries a[data-entry]")) {
      e.preventDefault();
      move(shown().indexOf(e.target), step);
    }
  });

  // enter opens the best match. Where the list is cut the server looks for it: the
  // form is sent.
  function enter(e, best) {
    const remote = e.target.form.matches("[data-remote]");
    if (remote && e.target.value.trim()) {
      e.preventDefault();
      location.assign(`${e.target.form.getAttribute("action")}?q=${encodeURIComponent(e.target.value.trim())}`);
      return;
    }
    e.preventDefault();
    if (best) open(best);
  }

  function ready() {
    const current = document.querySelector("#entries a[aria-current]");
    const list = document.getElementById("entries");
    if (current && list) list.scrollTop = Math.max(0, current.offsetTop - list.offsetTop - list.clientHeight / 2);
    narrow();
  }
  document.addEventListener("DOMContentLoaded", ready);

  // Watch shows what a server sends on the page of the server. Without this file the form
  // leads to a page that goes on loading.
  let watching = null;
  document.addEventListener("submit", async (e) => {
    const form = e.target.closest("form[data-form=watch]");
    const section = document.getElementById("watch");
    if (!form || !section) return;
    e.preventDefault();
    watching?.abort();
    const mine = watching = new AbortController();
    const list = section.querySelector(".watched"), stop = section.querySelector("[data-do=stop-watching]");
    const button = form.querySelector("button");
    list.replaceChildren();
    section.hidden = stop.hidden = false;
    button.disabled = true;
    try {
      const response = await fetch(form.action,
        { method: "POST", headers: { Accept: "text/event-stream" }, signal: mine.signal });
      if (!response.ok) return form.submit(); // the page says why
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ""; ;) {
        const { value, done } = await reader.read();
        if (done) break;
        const events = (rest + value).split("\n\n");
        rest = events.pop();
        for (const event of events) {
          if (!event.startsWith("event: item\n")) continue;
          const html = event.split("\n").slice(1).map((line) => line.replace(/^data: ?/, "")).join("\n");
          list.insertAdjacentHTML("beforeend", html);
          while (list.children.length > 500) list.firstElementChild.remove();
        }
      }
    } catch (wrong) {
      const note = document.createElement("li");
      note.textContent = mine.signal.aborted ? "You stopped watching." : "The connection to the playground is lost.";
      if (watching === mine) list.append(note);
    }
    if (watching !== mine) return;
    stop.hidden = true;
    button.disabled = false;
    // A stream that the server broke is the first sign of a restart.
    const again = document.querySelector("form.fresh");
    if (again && !mine.signal.aborted && list.querySelector("[data-broken]")) connectAgain(again);
  });
  document.addEventListener("click", (e) => {
    if (e.target.closest("[data-do=stop-watching]")) watching?.abort();
  });

  // A server that went away is connected to again after a pause, while its page is visible.
  // The server of the page counts the attempts, and says when they end.
  let pause = 0;
  function comeBack() {
    clearTimeout(pause);
    const form = document.querySelector("form[data-form=away][data-after]");
    const words = document.querySelector("[data-away-words]"); // without this file nothing is tried
    if (words) words.textContent = words.dataset.awayWords;
    if (!form) return;
    pause = setTimeout(() => {
      if (document.hidden) document.addEventListener("visibilitychange", comeBack, { once: true });
      else if (document.activeElement?.matches("main :is(input, textarea, select)")) comeBack(); // let them type
      else if (form.isConnected) connectAgain(form);
    }, Number(form.dataset.after));
  }
  async function connectAgain(form) {
    const words = form.querySelector("[data-away-words]");
    if (words) words.textContent = "Trying again now…";
    const sent = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) }).catch(() => null);
    if (!form.isConnected) return;
    if (!sent?.ok) {
      if (words) words.textContent = sent?.status === 429
        ? "Too many calls in a short time. Try again in a minute." : "The playground did not connect. Try again.";
      return;
    }
    htmx.ajax("GET", location.pathname + location.search,
      { target: "main", swap: "outerHTML", headers: { "HX-Target": "main" } });
  }
  document.addEventListener("DOMContentLoaded", comeBack);
  document.addEventListener("htmx:after:swap", comeBack);
})();
