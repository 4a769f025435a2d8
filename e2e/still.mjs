// What moves on a page, by the layout shifts that the browser measures
// (https://web.dev/articles/cls), and where the primary controls are.
import assert from 'node:assert/strict';

// The most that may move on a page from its load until it is left.
const most = 0.001;

// watch collects the shifts of all pages that v opens from now on. A page gets its scripts
// only after it was drawn once, so that whatever they reveal has to have its room before.
export async function watch(v) {
  v.shifts = [];
  await v.page.exposeBinding('shifted', (_, shift) => { v.shifts.push(shift); });
  await v.page.addInitScript(() => {
    const rect = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => list.getEntries().forEach((s) => globalThis.shifted({
      value: s.value,
      asked: s.hadRecentInput,
      what: s.sources.slice(0, 3).map(({ node, previousRect, currentRect }) => {
        const e = node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement;
        return `${e?.isConnected ? e.outerHTML.slice(0, 80) : 'what is gone'} from ${rect(previousRect)} to ${rect(currentRect)}`;
      }).join(' and '),
    }))).observe({ type: 'layout-shift', buffered: true });
  });
  await v.page.route('**/static/*.js', async (route) => {
    await v.page.evaluate(drawn).catch(() => {}); // the page may have been left
    await route.continue().catch(() => {});
  });
}

// drawn resolves when what is on the page now has been drawn and measured.
const drawn = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))); });

// still fails if more has moved since the last call than may. Any move counts, also one that
// follows a click, because how soon it follows depends on the machine.
export async function still(v, where) {
  const moved = await moves(v);
  assert.deepEqual(moved, [], where);
}

// moves returns in words what has moved since the last call, if it is more than may.
export async function moves(v) {
  await v.page.evaluate(() => document.fonts.ready);
  await v.page.evaluate(drawn);
  const list = v.shifts.splice(0);
  if (list.reduce((sum, s) => sum + s.value, 0) <= most) return [];
  return list.map((s) => `${s.value.toFixed(4)}${s.asked ? ', asked for' : ''}: ${s.what}`);
}

// hidden returns what covers a primary control of the page, once that is on the screen.
export const hidden = () => [...document.querySelectorAll('.button.first, .live-bar a')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }))
  .flatMap((e) => {
    e.scrollIntoView({ block: 'nearest' });
    const { x, y, width, height } = e.getBoundingClientRect();
    const at = document.elementFromPoint(x + width / 2, y + height / 2);
    return at && e.contains(at) ? [] : [`"${e.textContent.trim()}" is covered by ${at?.outerHTML.slice(0, 120) ?? 'the edge of the window'}`];
  });
