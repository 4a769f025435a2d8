// Accessibility: axe finds no violation on any page, and no page is
// wider than a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { everyPage } from './pages.mjs';
import { start, tidy } from './program.mjs';

let browser, program, pages, close;
before(async () => {
  program = await start();
  browser = await launch();
  ({ pages, close } = await everyPage(program.url));
});
after(async () => {
  await browser?.close();
  await close?.();
  await tidy();
});

// The panels of the others have the same parts.
const withPanels = ['exchange waiting with a state', 'exchange complete', 'exchange failed', 'every kind of question'];

// own is what a page has that the same page without its fragment has not shown.
const own = (path) => /#/.test(path) ? `.clause:has([id="${path.split('#')[1]}"])` : 'html';

for (const width of [1280, 768, 390]) {
  test(`at ${width} px: no axe violation, no horizontal scrolling`, async (t) => {
    const v = await visit(browser, { viewport: { width, height: 844 } });
    v.expects(/status of (404|500|422)/);
    for (const [name, path] of Object.entries(pages)) {
      await t.test(name, async () => {
        await v.open(program.url + path);
        for (const panel of ['wire', 'state', 'rules', 'timing']) {
          const tab = v.page.locator(`.tabs [data-panel="${panel}"]`);
          if (panel !== 'wire' && !withPanels.includes(name)) break;
          if (await tab.count()) {
            await tab.click();
            await v.page.locator(`.drawer[data-panel="${panel}"]`).waitFor();
          }
          await narrow(v, width);
          if (panel !== 'wire' && !(await tab.count())) continue;
          // A panel changes the tabs and itself. On a phone the whole page is asked
          // with each, for the rules that compare its parts.
          const changed = panel === 'wire' ? own(path) : '.tabs, .drawer';
          await v.accessible(width === 390 && panel !== 'wire' ? 'html' : changed);
          if (width === 768) continue;
          await v.inTheDark(() => v.accessible(changed, ['color-contrast'])); // nothing else differs
        }
      });
    }
    await v.leave();
  });
}

async function narrow(v, width) {
  const wide = await v.page.evaluate(() => document.documentElement.scrollWidth);
  if (wide <= width) return;
  const culprits = await v.page.evaluate((limit) =>
    [...document.querySelectorAll('main *, header *, footer *')]
    .filter((e) => e.getBoundingClientRect().right > limit + 1).slice(0, 5)
      .map((e) => e.outerHTML.slice(0, 160)), width);
  assert.fail(`the page is ${wide} px wide at ${width}: ${culprits.join('\n')}`);
}

// hear collects what a screen reader is told without moving the focus: each text
// of a region that was on the page before.
async function hear(v) {
  await v.page.evaluate(() => {
    globalThis.heard = [];
    for (const region of document.querySelectorAll('[role="status"], [aria-live]')) {
      new MutationObserver(() => globalThis.heard.push(region.textContent.trim()))
        .observe(region, { childList: true, characterData: true, subtree: true });
    }
  });
  return async () => {
    assert.deepEqual(await v.page.$$eval('main :is([role="status"], [aria-live])', (list) => list.map((e) => e.outerHTML)), [],
      'no region is swapped with the page');
    return v.page.evaluate(() => globalThis.heard.splice(0));
  };
}

test('a screen reader hears once how each round stands', async () => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.round(1);
  const heard = await hear(v);
  await v.page.selectOption('select[data-field="resolution"]', 'Duplicate');
  await v.page.locator('#preview', { hasText: 'Duplicate' }).waitFor();
  assert.deepEqual(await heard(), [], 'typing is not announced');
  await v.click('[data-do="send"]');
  await v.round(2);
  assert.deepEqual(await heard(), ['Round 2: asks for duplicate_of, waiting for you.']);
  await v.click('.ribbon li[data-round="1"] a');
  await v.page.locator('main[data-shown="1"]').waitFor();
  await v.click('.tabs [data-panel="lab"]');
  await v.page.locator('.drawer[data-panel="lab"] [data-experiment]').first().waitFor();
  assert.equal(await v.page.locator('.drawer > .panel').getAttribute('aria-label'), 'Check', 'as on its tab');
  assert.deepEqual(await heard(), [], 'what was opened is not announced');
  await v.click('.ribbon li[data-round="2"] a');
  await v.round(2);
  await v.page.locator('[data-field="duplicateOfId"]').fill('4301');
  await v.click('[data-do="send"]');
  await v.status('complete');
  assert.deepEqual(await heard(), ['Round 3: complete.']);
  await v.leave();
});

test('a screen reader hears of a task when its state changes, and not at each poll', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/test`);
  const start = v.page.locator('form[data-start="tasks"] button').first();
  await start.evaluate((b) => b.closest('details')?.setAttribute('open', ''));
  await start.click();
  await v.round(1);
  const heard = await hear(v);
  await v.page.selectOption('[data-form="answers"] select[data-field]', { index: 1 });
  await v.click('[data-do="send"]');
  await v.page.locator('main[data-status="waiting"]:not([data-shown="1"])').waitFor();
  const list = await heard();
  assert.ok(list.length > 0 && list.every((words) => /^Round \d: .+\.$/.test(words)), list.join(' | '));
  assert.deepEqual(list, [...new Set(list)], 'nothing is said twice');
  assert.match(list.at(-1), /waiting for you\.$/);
  await v.leave();
});

test('a screen reader hears the verdict of a check', async (t) => {
  const v = await visit(browser);
  await v.open(`${program.url}/servers/confirm/check`);
  await v.click('[data-do="check"]');
  await v.page.locator('main[data-check]').waitFor();
  const running = await v.page.locator('main[data-check][data-status="running"]').count();
  const heard = await hear(v), end = 'The check has ended. No violation by this server in ';
  await v.page.locator(`main[data-check][data-said^="${end}"]`).waitFor();
  assert.deepEqual((await heard()).filter((words) => !words.startsWith(end)), [], 'how far it is, is not announced');
  t.diagnostic(running ? 'seen running' : 'ended before the page came');
  await v.leave();
});

test('text can be enlarged to 200 %', async () => {
  const v = await visit(browser, { viewport: { width: 640, height: 800 } });
  v.expects(/status of 404/);
  for (const path of Object.values(pages)) {
    await v.open(program.url + path);
    await v.page.evaluate(() => { document.documentElement.style.setProperty('font-size', '200%'); });
    await narrow(v, 640);
  }
  await v.leave();
});

test('on a phone, the history cuts neither the name of a server nor the arguments', async () => {
  const v = await visit(browser, { viewport: { width: 390, height: 844 } });
  await v.open(`${program.url}/history`);
  const cut = await v.page.locator('.calls .what, .calls .arguments').evaluateAll((list) =>
    list.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent.trim()));
  assert.ok(await v.page.locator('.calls .what').count() > 5);
  assert.ok(await v.page.locator('.calls .arguments').count() > 1, 'calls of one tool that differ');
  assert.deepEqual(cut, []);
  await v.leave();
});
