// The primary control of a page: the one that a page has in ink. Nothing covers
// it, no scrolling is needed to reach it, and it stays where it is while a form is
// filled in. The mouse here goes to the place that was measured; it never scrolls.
import assert from 'node:assert/strict';

// controls returns the primary controls that are shown, each with its place and
// with what covers its center.
const controls = () => [...document.querySelectorAll('.button.first, .live-bar a')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }))
  .filter((e, _, all) => !e.closest('#live') || !all.some((bar) => bar.closest('.live-bar'))) // which leads there
  .map((e) => {
    const { x, y, width, height } = e.getBoundingClientRect();
    const at = document.elementFromPoint(x + width / 2, y + height / 2);
    return {
      words: e.textContent.trim().replace(/\s+/g, ' '), x, y, width, height,
      covered: at && e.contains(at) ? '' : at?.outerHTML.slice(0, 120) ?? 'the edge of the window',
    };
  });

// brokenWords returns the words of controls that are broken across two lines.
const brokenWords = () => {
  const found = [];
  for (const e of document.querySelectorAll('.button, .tools > *, .nav a, .tabs a, .story-actions a')) {
    if (!e.checkVisibility({ visibilityProperty: true })) continue;
    const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const at = walker.currentNode.parentElement;
      if (at.closest('.visually-hidden, code, option') || !at.checkVisibility()) continue; // in a closed menu
      for (const word of walker.currentNode.data.matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, word.index);
        range.setEnd(walker.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map((r) => Math.round(r.top)));
        if (lines.size > 1 && !/[-/]/.test(word[0])) found.push(word[0]);
      }
    }
  }
  return found;
};

// unreachable returns the controls of the header and the tabs on the screen that
// are cut or covered.
const unreachable = () => [...document.querySelectorAll('.top a, .top button, .tools a, .tools button, .tabs a')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }))
  .filter((e) => {
    const r = e.getBoundingClientRect();
    const middle = r.top + r.height / 2;
    if (middle < 0 || middle > innerHeight) return false;
    if (r.left < 0 || r.right > innerWidth) return true;
    return ![[1, 0], [r.width - 1, 0]].every(([dx]) => {
      const at = document.elementFromPoint(r.left + dx, r.top + r.height / 2);
      return at && (e.contains(at) || at.contains(e));
    });
  }).map((e) => e.textContent.trim());

// primary returns the one primary control of the page. It fails if there is none
// or more than one, if something covers it, or if it is not on the screen.
export async function primary(v, words, where) {
  const found = await v.page.evaluate(controls);
  assert.deepEqual(found.map((c) => words.test(c.words)), [true], `${where}: ${JSON.stringify(found)} for ${words}`);
  assert.equal(found[0].covered, '', `${where}: "${found[0].words}" at ${Math.round(found[0].y)} is covered`);
  assert.deepEqual(await v.page.evaluate(brokenWords), [], `${where}: words are broken`);
  if (await v.page.evaluate(() => scrollY) === 0) await uncut(v, where);
  return found[0];
}

// uncut fails if a control of the header or a tab that is on the screen is cut or
// covered.
export async function uncut(v, where) {
  assert.deepEqual(await v.page.evaluate(unreachable), [], `${where}: controls are cut`);
}

// flaws returns what is wrong with the first screen of a page, whatever it is
// about, and what further, a function that runs in the page, returns. All of it is
// read at once. A live bar hides and shows itself in a frame.
export async function flaws(page, further = () => []) {
  const [found, broken, cut, wide, list] = await page.evaluate(`(async () => {
    if (document.querySelector('.live-bar')) {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    }
    return [${[controls, brokenWords, unreachable].map((f) => `(${f})()`)},
      document.documentElement.scrollWidth - innerWidth, (${further})()];
  })()`);
  list.push(...found.filter((c) => c.covered).map((c) => `"${c.words}" at ${Math.round(c.y)} is covered by ${c.covered}`));
  if (found.length > 1) list.push(`${found.length} primary controls: ${found.map((c) => c.words).join(', ')}`);
  if (broken.length) list.push(`broken words: ${broken.join(', ')}`);
  if (cut.length) list.push(`cut: ${cut.join(', ')}`);
  if (wide > 0) list.push(`the page is ${wide} px too wide`);
  return list;
}

// press clicks the primary control at the place where it is.
export async function press(v, words, where) {
  const { x, y, width, height } = await primary(v, words, where);
  v.clicks++;
  await v.page.mouse.click(x + width / 2, y + height / 2);
}

// keeps fails if the primary control moves while fill is done.
export async function keeps(v, words, where, fill) {
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round);
  const before = await primary(v, words, where);
  await fill();
  assert.deepEqual(place(await primary(v, words, where)), place(before), `${where}: "${before.words}" moved`);
}

// hit clicks the center of a control, which nothing may cover.
export async function hit(v, selector, where) {
  const at = await v.page.locator(selector).first().evaluate((e) => {
    const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
    const top = document.elementFromPoint(x, y);
    return { x, y, covered: top && (e.contains(top) || top.closest('label')?.contains(e)) ? '' : top?.outerHTML.slice(0, 120) ?? 'the edge of the window' };
  });
  assert.equal(at.covered, '', `${where}: ${selector} at ${Math.round(at.y)} is covered`);
  v.clicks++;
  await v.page.mouse.click(at.x, at.y);
}

// holdPreviews lets no preview of an answer come back before release is called.
// asked resolves when the first is asked for.
export async function holdPreviews(page) {
  let release, ask;
  const released = new Promise((resolve) => { release = resolve; });
  const asked = new Promise((resolve) => { ask = resolve; });
  await page.route('**/rounds', async (route) => {
    if (/\bpreview\b/.test(route.request().postData() ?? '')) {
      ask();
      await released;
    }
    await route.continue().catch(() => {}); // the page may have given up
  });
  return { release, asked };
}
