// What moves on a page, by the layout shifts that the browser measures
// (https://web.dev/articles/cls), and where the primary controls are.
import assert from 'node:assert/strict';

// The most that may move on a page from its load until it is left.
const most = 0.001;

// The most that one move may be while a page arrives in pieces: what is good by
// https://web.dev/articles/cls. A line or a table that arrives in part moves less.
const leap = 0.1;

// watch collects the shifts of all pages that v opens from now on. A page gets its style sheets
// only when it is whole, so that what is measured does not depend on how fast it comes, unless
// that is what is tested (pieces), and its scripts only after it was drawn once, so that whatever
// they reveal has to have its room before.
export async function watch(v, { pieces = false } = {}) {
  v.shifts = [];
  await v.page.exposeBinding('shifted', (_, shift) => { v.shifts.push(shift); });
  await v.page.addInitScript(() => {
    const rect = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => list.getEntries().forEach((s) => globalThis.shifted({
      value: s.value,
      what: s.sources.slice(0, 3).map(({ node, previousRect, currentRect }) => {
        const e = node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement;
        return `${e?.isConnected ? e.outerHTML.slice(0, 80) : 'what is gone'} from ${rect(previousRect)} to ${rect(currentRect)}`;
      }).join(' and '),
    }))).observe({ type: 'layout-shift', buffered: true });
  });
  const waits = [['**/static/*.css', parsed], ['**/static/*.js', drawn]];
  for (const [files, ready] of pieces ? waits.slice(1) : waits) {
    await v.page.route(files, async (route) => {
      await v.page.evaluate(ready).catch(() => {}); // the page may have been left
      await route.continue().catch(() => {});
    });
  }
}

// parsed resolves when the page is whole.
const parsed = () => new Promise((done) => {
  if (document.readyState === 'loading') document.addEventListener('readystatechange', done, { once: true });
  else done();
});

// drawn resolves when what is on the page now has been drawn and measured.
export const drawn = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))); });

// still fails if more has moved since the last call than may. Any move counts, also one that
// follows a click, because how soon it follows depends on the machine.
export async function still(v, where) {
  const moved = await moves(v);
  assert.deepEqual(moved, [], where);
}

// asked fails if a control moves while what it asks for is shown, and lets everything else move.
export async function asked(v, control, where, act) {
  const place = () => v.page.locator(control).first().evaluate((e) => {
    const { x, y } = e.getBoundingClientRect();
    return [x, y].map(Math.round);
  });
  const before = await place();
  await act();
  assert.deepEqual(await place(), before, where);
  await moves(v);
}

// moves returns in words what has moved since the last call, if it is more than may.
export async function moves(v) {
  const list = await shifts(v);
  return list.reduce((sum, s) => sum + s.value, 0) <= most ? [] : list.map(inWords);
}

// leaps returns in words what has moved far at once since the last call.
export async function leaps(v) {
  return (await shifts(v)).filter((s) => s.value > leap).map(inWords);
}

async function shifts(v) {
  await v.page.evaluate(() => document.fonts.ready);
  await v.page.evaluate(drawn);
  return v.shifts.splice(0);
}

const inWords = (s) => `${s.value.toFixed(4)}: ${s.what}`;

// covered returns what covers a primary control of a page, once that control is on the screen:
// the bars that stay on the screen leave it room.
export const covered = async () => {
  const found = [];
  for (const e of document.querySelectorAll('.button.first, .live-bar a')) {
    if (!e.checkVisibility({ visibilityProperty: true })) continue;
    e.scrollIntoView({ block: 'nearest' });
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))); // a live bar hides
    if (!e.checkVisibility({ visibilityProperty: true })) continue;
    const { x, y, width, height } = e.getBoundingClientRect();
    const at = document.elementFromPoint(x + width / 2, y + height / 2);
    if (!at || !e.contains(at)) found.push(`"${e.textContent.trim()}" is covered by ${at?.outerHTML.slice(0, 120) ?? 'the edge of the window'}`);
  }
  scrollTo(0, 0);
  return found;
};

// crowded returns what stands closer below a heading, a lead or a control of a page than half a
// step of the grid, or a step for headings and leads.
export const crowded = () => {
  const found = [];
  const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches('.visually-hidden, [hidden]');
  for (const e of document.querySelectorAll('main :is(h1, .lead, .field > label, .button, input, select, textarea)')) {
    if (!shown(e) || e.matches('[type="radio"], [type="checkbox"], [type="hidden"]')) continue;
    const at = e.getBoundingClientRect();
    let block = e, next = null;
    while (!next && block.parentElement && !block.matches('main, .bar, .actions, table, ul.cards > li')) {
      next = block.nextElementSibling;
      while (next && !shown(next)) next = next.nextElementSibling;
      if (!next && Math.abs(block.parentElement.getBoundingClientRect().bottom - at.bottom) > 1) break;
      if (!next) block = block.parentElement;
    }
    if (!next || next.matches('.help')) continue; // a label and its help are one text
    const range = document.createRange();
    range.selectNodeContents(next);
    const below = next.matches('input, select, textarea') ? next.getBoundingClientRect() : range.getBoundingClientRect();
    const gap = Math.round(below.top - at.bottom), least = e.matches('main > h1, .lead') ? 8 : 4;
    if (below.height && gap >= -2 && gap < least && below.left < at.right && below.right > at.left) {
      found.push(`${gap} px below ${e.outerHTML.slice(0, 60)}: ${next.outerHTML.slice(0, 60)}`.replace(/\s+/g, ' '));
    }
  }
  return found;
};
