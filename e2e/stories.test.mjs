// Every state of every page, from the storybook of package views, on a desktop and a
// phone, and a page of each kind at two more sizes:
// at most one primary control, which is on the first screen and uncovered; no
// word of a control is broken, no tab is cut, and no page scrolls sideways.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { launch } from './browser.mjs';
import { flaws } from './primary.mjs';
import { started, temporary, tidy } from './program.mjs';

const views = join(import.meta.dirname, '..', 'views');

let browser, book;
before(async () => {
  const program = join(await temporary('stories'), 'stories');
  await promisify(execFile)('go', ['test', '-c', '-o', program, '.'], { cwd: views, maxBuffer: 16 << 20 });
  book = await started(spawn(program, ['-test.run', '^TestStorybook$', '-test.timeout', '0', '-serve', '127.0.0.1:0'],
    { cwd: views, stdio: ['ignore', 'pipe', 'pipe'] }));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

// layoutFlaws says what is out of place: tabs in two rows, a question that comes
// after the preview of its answer, or a card whose first line is scrolled away.
function layoutFlaws() {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  const top = (e) => Math.round(e.getBoundingClientRect().top);
  const list = [], rows = new Set(seen('.tabs a').map(top)).size;
  if (rows > 1) list.push(`the tabs take ${rows} rows`);
  const wide = innerWidth >= 1120, [question] = seen('.answers.one h2'), [preview] = seen('.answers.one > .preview');
  if (wide && question && preview && top(question) > preview.getBoundingClientRect().bottom) list.push('the question comes after the preview');
  for (const e of seen('[data-signed-out] strong')) {
    const r = e.getClientRects()[0], at = document.elementFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2);
    if (!at || !e.contains(at)) list.push('the first line of the card is not on the screen');
  }
  return list;
}

// A whole page of each kind is seen at every size, the parts of others at the ends.
const ends = [[1440, 900], [390, 844]], sizes = [[1280, 720], [768, 1024], ...ends];

test('every story shows its primary control on the first screen, at every size', async (t) => {
  const page = await browser.newPage();
  await page.addInitScript(() => { // nothing changes; a route would keep the browser from its cache
    globalThis.EventSource = class extends EventTarget { close() {} };
  });
  await page.goto(book.url);
  const stories = [...new Set(await page.$$eval('main a[href^="/"]', (links) => links.map((a) => a.pathname)))];
  assert.ok(stories.length > 250, `${stories.length} stories`);
  const found = [];
  let primaries = 0;
  for (const story of stories) {
    await page.goto(book.url + story);
    primaries += await page.locator('.button.first').count();
    for (const [width, height] of story.startsWith('/page/') ? sizes : ends) {
      await page.setViewportSize({ width, height });
      for (const flaw of await flaws(page, layoutFlaws)) found.push(`${story} at ${width}x${height}: ${flaw}`);
    }
  }
  t.diagnostic(`${stories.length} stories, ${primaries} primary controls`);
  assert.ok(primaries > 100, `${primaries} primary controls`);
  assert.deepEqual(found, []);
});
