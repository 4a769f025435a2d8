// The command palette: a list of everything that the search finds, filtered as
// the user types. It follows the combobox pattern of the ARIA practices guide:
// the focus stays in the field, and the arrow keys move the selection.
const most = 50; // entries shown at once

let dialog, field, list, status, entries = null, options = [], at = 0;

// open shows the palette, and loads its entries the first time.
export async function open(css) {
  dialog ??= await build(css);
  if (dialog.open) return;
  field.value = "";
  draw();
  dialog.showModal();
  entries ??= load();
  try {
    await entries;
    draw();
  } catch {
    entries = null;
    status.textContent = "The list can't be loaded. Enter searches the site.";
  }
}

let known = [];
async function load() {
  const response = await fetch("/palette", { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(response.status);
  known = (await response.json()).map((e) => ({ ...e, words: wordsOf(e.t), lower: e.t.toLowerCase(), about: (e.a || "").toLowerCase() }));
}

function node(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

async function build(css) {
  const style = node("link", { rel: "stylesheet", href: css });
  const styled = new Promise((done) => { style.onload = style.onerror = done; });
  document.head.append(style);
  field = node("input", {
    type: "text", role: "combobox", "aria-label": "Find a page, tool, or call", "aria-expanded": "true",
    "aria-controls": "palette-list", "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false",
    autocapitalize: "none", maxlength: "100", placeholder: "Find a page, tool, or call",
  });
  list = node("ul", { role: "listbox", id: "palette-list", "aria-label": "Results" });
  status = node("p", { role: "status", class: "visually-hidden" });
  const d = node("dialog", { id: "palette", "aria-label": "Find" }, field, list, status);
  field.addEventListener("input", draw);
  field.addEventListener("keydown", key);
  list.addEventListener("mousedown", (e) => e.preventDefault()); // the focus stays in the field
  list.addEventListener("click", (e) => {
    const option = e.target.closest("[role='option']");
    if (option) go(options[[...list.children].indexOf(option)]);
  });
  d.addEventListener("click", (e) => { if (e.target === d) d.close(); }); // beside it
  document.body.append(d);
  await styled;
  return d;
}

function key(e) {
  if (e.isComposing) return;
  const moves = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10 };
  if (e.key in moves) {
    e.preventDefault();
    const n = options.length;
    const to = moves[e.key];
    const one = Math.abs(to - at) === 1;
    select(one ? (to + n) % n : Math.max(0, Math.min(n - 1, to)));
  } else if (e.key === "Escape") {
    e.preventDefault();
    dialog.close(); // gives the focus back
    field.blur(); // where there was none
  } else if (e.key === "Enter" && !e.altKey && !e.shiftKey) {
    e.preventDefault();
    go(options[at]);
  }
}

// go opens the page of an entry.
function go(entry) {
  if (!entry) return;
  dialog.close();
  location.assign(entry.p);
}

// draw lists what matches the words in the field, the best first.
function draw() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  options = words.length ? matches(words) : start();
  if (words.length) {
    options.push({ k: "Search", t: `Search all texts for “${field.value.trim()}”`, p: `/search?q=${encodeURIComponent(field.value.trim())}`, marks: [] });
  }
  list.replaceChildren(...options.map(show));
  list.hidden = options.length === 0;
  select(0);
  const n = options.length - (words.length ? 1 : 0);
  status.textContent = known.length ? `${n} ${n === 1 ? "result" : "results"}` : "";
}

// start is what an empty field lists: saved calls, the newest calls and all pages.
function start() {
  const none = (kind, n) => known.filter((e) => e.k === kind).slice(0, n).map((e) => ({ ...e, marks: [] }));
  return [...none("Saved call", 5), ...none("Call", 5), ...none("Page", most)];
}

function show(entry, i) {
  const title = node("span", { class: "palette-title" });
  const marked = new Set(entry.marks);
  let run = null;
  [...entry.t].reduce((index, letter) => {
    const name = marked.has(index) ? "MARK" : "SPAN";
    if (run?.tagName !== name) title.append(run = document.createElement(name));
    run.textContent += letter;
    return index + letter.length;
  }, 0);
  const option = node("li", { role: "option", id: `palette-${i}`, "aria-selected": "false" },
    title, " ", node("span", { class: "palette-kind" }, entry.k.toLowerCase()));
  if (entry.a) option.append(" ", node("span", { class: "palette-about" }, entry.a));
  return option;
}

function select(i) {
  at = i;
  const option = list.children[i];
  list.querySelector("[aria-selected='true']")?.setAttribute("aria-selected", "false");
  option?.setAttribute("aria-selected", "true");
  option?.scrollIntoView({ block: "nearest" });
  if (option) field.setAttribute("aria-activedescendant", option.id);
  else field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-expanded", String(options.length > 0));
}

// wordsOf returns where the words of a title begin: after anything that is no
// letter or digit, at a capital after a small letter, and at a digit after a
// letter.
function wordsOf(title) {
  const starts = [];
  for (let i = 0; i < title.length; i++) {
    const before = title[i - 1] || " ", c = title[i];
    if (!/[\p{L}\p{N}]/u.test(c)) continue;
    if (!/[\p{L}\p{N}]/u.test(before) || /\p{Ll}/u.test(before) && /\p{Lu}/u.test(c) ||
      /\p{L}/u.test(before) && /\p{N}/u.test(c)) starts.push(i);
  }
  return starts;
}

// matches returns the entries that have every word. The order of the entries
// decides between equals. Only if there are none, letters may be scattered.
function matches(words) {
  let found = best(words, match);
  if (!found.length) found = best(words, scattered);
  return found.sort((a, b) => b.score - a.score).slice(0, most);
}

function best(words, score1) {
  const found = [];
  for (const entry of known) {
    const all = words.map((word) => score1(entry, word));
    if (all.some((one) => !one)) continue;
    const score = all.reduce((sum, one) => sum + one.score, 0);
    found.push({ ...entry, score: score - entry.t.length / 1000, marks: all.flatMap((one) => one.marks) });
  }
  return found;
}

// match scores one word, and returns which letters of the title it matches.
// A whole word counts more than the beginning of one, and a title more than a text.
function match(entry, word) {
  const span = (from) => Array.from(word, (_, i) => from + i);
  const starts = entry.words.filter((i) => entry.lower.startsWith(word, i));
  const full = starts.find((i) => ends(entry.lower, i + word.length));
  if (full !== undefined) return { score: full === 0 ? 110 : 100, marks: span(full) };
  if (starts.length) return { score: starts[0] === 0 ? 90 : 80, marks: span(starts[0]) };
  const parts = chain(entry, word);
  if (parts) return { score: 70, marks: parts };
  if (entry.k.toLowerCase() === word) return { score: 60, marks: [] };
  const text = inText(entry.about, word) || inText(entry.w || "", word);
  if (text) return { score: text, marks: [] };
  if (entry.k.toLowerCase().startsWith(word)) return { score: 20, marks: [] };
  const inside = entry.lower.indexOf(word);
  if (inside >= 0) return { score: 15, marks: span(inside) };
  return entry.about.includes(word) ? { score: 10, marks: [] } : null;
}

// ends reports whether a word of a text ends at i, or is in the plural.
const ends = (text, i) => /^s?(?![\p{L}\p{N}])/u.test(text.slice(i));

// inText scores a word by the words of a text: whole, or the beginning of one.
function inText(text, word) {
  let score = 0;
  for (let i = text.indexOf(word); i >= 0 && score < 50; i = text.indexOf(word, i + 1)) {
    if (i && /[\p{L}\p{N}]/u.test(text[i - 1])) continue;
    score = ends(text, i + word.length) ? 50 : 40;
  }
  return score;
}

// chain matches a word against the beginnings of words that follow each other: "uwi" is
// update_work_item.
function chain(entry, word) {
  for (let w = 0; w < entry.words.length; w++) {
    const found = chainFrom(entry, word, w);
    if (found) return found;
  }
  return null;
}

function chainFrom(entry, word, w) {
  const begin = entry.words[w];
  let n = 0;
  while (n < word.length && entry.lower[begin + n] === word[n]) n++;
  for (; n > 0; n--) {
    const here = Array.from({ length: n }, (_, i) => begin + i);
    if (n === word.length) return here;
    const rest = chainFrom(entry, word.slice(n), w + 1);
    if (rest) return [...here, ...rest];
  }
  return null;
}

// scattered matches the letters of a word of the title in order, anywhere.
function scattered(entry, word) {
  const marks = [];
  let from = 0;
  for (const letter of word) {
    const i = entry.lower.indexOf(letter, from);
    if (i < 0) return null;
    marks.push(i);
    from = i + 1;
  }
  return word.length > 2 ? { score: 10, marks } : null;
}
