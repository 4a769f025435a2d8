// The results board: "Run all" in the check of a call fills every row in place, and
// each row with a verdict opens its branch.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';

let browser, program, original;
before(async () => {
  program = await start();
  browser = await launch();
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  for (const answer of [{ resolution: 'Duplicate' }, { duplicateOfId: '4301' }]) {
    await r.send('data-form', 'answers', answer);
    await r.settled();
  }
  original = program.url + r.url.pathname;
});
after(async () => {
  await browser?.close();
  await tidy();
});

// counts returns what the head of the board says, by kind.
const counts = (v) => v.page.$$eval('.judged [data-count]', (list) =>
  Object.fromEntries(list.map((c) => {
    if (!c.textContent.startsWith(`${c.dataset.n} `)) throw new Error(`the count of ${c.dataset.count} reads "${c.textContent}"`);
    return [c.dataset.count, Number(c.dataset.n)];
  })));

// tally counts elements by their verdicts.
const tally = (v, selector) => v.page.$$eval(selector, (list) => {
  const n = {};
  for (const row of list) n[row.dataset.verdict] = (n[row.dataset.verdict] ?? 0) + 1;
  return n;
});

// rows returns how many experiments have each verdict.
const rows = (v) => tally(v, '.board-row[data-experiment]');

// judged returns how many experiments and rules have each verdict, without what does not apply.
async function judged(v) {
  const { na, ...n } = await tally(v, '.board [data-verdict]');
  return n;
}

test('Run all fills the board in place, and every verdict opens its branch', async () => {
  const v = await visit(browser);
  await v.open(`${original}?panel=lab`);
  assert.deepEqual(await counts(v), await judged(v));
  const before = await rows(v);
  assert.ok(before.unreached > 20 && !before.pass, JSON.stringify(before));
  await v.click('[data-do="run-all"]');
  await v.page.locator('.board[data-board="running"] [data-do="stop"]').waitFor();
  const documents = v.documents;
  await v.page.locator('.board:not([data-board="running"])').waitFor();
  assert.equal(v.documents, documents, 'the board filled without loading the page again');
  const done = await rows(v);
  assert.deepEqual(await counts(v), await judged(v));
  assert.ok(done.pass > 20 && !done.fail, JSON.stringify(done));
  assert.equal(Object.values(done).reduce((a, b) => a + b), Object.values(before).reduce((a, b) => a + b));
  assert.equal(await v.page.locator('main').getAttribute('data-exchange'), original.split('/').at(-1),
    'the page still shows the original');

  const verdicts = await v.page.$$eval('.board-row[data-experiment][data-verdict="pass"]', (list) =>
    list.map((row) => ({ id: row.dataset.experiment, href: row.querySelector('.name a')?.href })));
  for (const { id, href } of verdicts) {
    assert.ok(href, `${id} has no branch`);
    const page = await (await v.page.request.get(href)).text();
    assert.match(page, new RegExp(`class="tried" data-experiment="${id}"`), href);
  }
  await v.leave();
});

test('the board is used with the keyboard alone', async () => {
  const v = await visit(browser);
  await v.open(`${original}?panel=lab`);
  const row = '.board-row[data-experiment="flip-state"]';
  await v.page.locator(row).evaluate((e) => e.closest('details')?.setAttribute('open', '')); // it passed
  await v.page.locator(`${row} summary`).focus();
  await v.press('Enter');
  assert.ok(await v.page.locator(`${row} dl`).isVisible(), 'the row unfolds');
  await v.page.locator(`${row} .name a`).focus();
  await v.press('Enter');
  await v.page.locator('.tried [data-verdict="pass"]').waitFor();
  const tree = v.page.locator('#tree-branches summary');
  await v.page.goBack();
  const { pass, hint = 0, fail = 0, na, unjudged = 0, unreached = 0, ...others } = await rows(v);
  const folded = v.page.locator('#board-na .board-row[data-experiment]'), unfolded = '.board-row[data-experiment]:not(#board-na .board-row)';
  const shown = await v.page.locator(`${unfolded}[data-verdict="unjudged"]`).count(); // was made, and showed nothing
  const unmade = await v.page.locator(`${unfolded}[data-verdict="unreached"] .name a`).count();
  assert.deepEqual([shown, unmade], [unjudged, 0]);
  assert.deepEqual(others, {}, 'every experiment that applies was made');
  assert.equal(await folded.count(), na);
  assert.ok(unreached < 5, 'what was not reached needs what nobody gave');
  assert.ok(!await folded.first().isVisible(), 'what does not apply is folded');
  assert.equal(await v.page.locator('#board-na .name a').count(), 0, 'nothing that has a branch is folded');
  const results = pass + hint + fail + shown;
  assert.equal(await v.page.locator(`${unfolded} .name a`).count(), results, 'each result leads to its branch');
  await v.page.goForward();
  assert.equal(await tree.textContent(), `${results} branches`, 'each result is one branch');
  await tree.focus();
  await v.press('Enter');
  assert.equal(await v.page.locator('.tree [aria-current="page"]').count(), 1);
  for (const [width, height] of [[390, 844], [820, 1180], [1280, 720]]) {
    await v.page.setViewportSize({ width, height });
    const menu = await v.page.locator('#tree-branches > ul').boundingBox();
    assert.ok(menu.x >= 0 && menu.x + menu.width <= width, `at ${width}x${height} the menu is from ${menu.x} to ${menu.x + menu.width}`);
  }
  await v.leave();
});

test('the report is downloaded in three formats', async () => {
  const v = await visit(browser);
  await v.open(`${original}?panel=lab`);
  for (const [suffix, start] of [['xml', '<?xml'], ['json', '{'], ['md', '# Report on']]) {
    const href = await v.page.locator(`.judged-tools a[href$=".${suffix}"]`).getAttribute('href');
    const file = await v.page.request.get(program.url + href);
    assert.ok((await file.text()).startsWith(start), suffix);
  }
  await v.leave();
});

for (const javaScriptEnabled of [true, false]) {
  for (const [width, colorScheme] of [[1440, 'light'], [390, 'dark']]) {
    test(`${colorScheme}, ${width} px, ${javaScriptEnabled ? 'with' : 'without'} script: the board`, async () => {
      const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme, javaScriptEnabled });
      await v.open(`${original}?panel=lab`);
      assert.deepEqual(await counts(v), await judged(v));
      if (javaScriptEnabled) await looks(v, width);
      await v.page.goto(program.url + await v.page.locator('.judged-tools a[href$=".md"]')
        .getAttribute('href').then((href) => href.replace(/\.md$/, '')));
      await v.page.locator('[data-check]').waitFor();
      assert.deepEqual(await counts(v), await judged(v));
      if (javaScriptEnabled) await looks(v, width);
      await v.leave();
    });
  }
}

// looks runs axe and checks the width of the page.
async function looks(v, width) {
  assert.ok(await v.page.evaluate(() => document.documentElement.scrollWidth) <= width,
    'the page scrolls sideways');
  await v.accessible();
}
