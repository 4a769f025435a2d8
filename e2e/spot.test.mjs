// Spot the fault, with script and without.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';

let browser, program;
before(async () => {
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

const items = 10;

// judge chooses option n of the exchange that is shown.
async function judge(v, n) {
  await v.page.locator(`input[name="answer"][value="${n}"]`).check();
  await v.page.locator('[data-form="spot"] [data-do="check"]').click();
  await v.page.locator(`.choice:has(input[value="${n}"]) #judged`).waitFor();
}

// solve tries the options until one is right, and returns how many it took.
async function solve(v) {
  for (let n = 1; n <= 4; n++) {
    await judge(v, n);
    if (await v.page.locator('#judged[data-right="true"]').count()) return n;
  }
  throw new Error('no option is right');
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';
  test(`${how} script: ten exchanges are judged one by one, and the result says what was missed`, async () => {
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(`${program.url}/learn`);
    await v.page.getByRole('link', { name: 'Spot the fault' }).click();
    await v.page.getByRole('link', { name: 'Read the first exchange' }).click();
    await judge(v, 1);
    assert.equal(await v.page.locator('[data-right]').count(), 1, 'a wrong answer explains itself only');
    assert.equal(await v.page.locator('[data-sentence]').count(), 0);
    const places = new Set();
    for (let n = 2; n <= items; n++) {
      await v.page.locator('[data-do="next"]').click();
      await v.page.locator(`main[data-question="${n}"]`).waitFor();
      assert.match(v.page.url(), new RegExp(`/learn/spot-the-fault/${n}$`));
      places.add(await solve(v));
      assert.equal(await v.page.locator('[data-right]').count(), 4);
      assert.equal(await v.page.locator('#judged [data-sentence]').count(), 1);
    }
    assert.ok(places.size > 2, 'the right option is not always in the same place');
    await v.page.locator('[data-do="next"]').click();
    await v.page.locator('h1[data-score="9"]', { hasText: '9 of 10 right' }).waitFor();
    assert.equal(await v.page.locator('[data-answer="wrong"]').count(), 1);
    await v.page.locator('[data-answer="wrong"]').getByText('The right answer:').waitFor();
    const sentence = await v.page.locator('[data-sentence]').getAttribute('data-sentence');
    await v.page.locator('[data-sentence]').click();
    await v.page.locator(`[id="${sentence}"]`).waitFor();
    await v.open(`${program.url}/learn/spot-the-fault/result`);
    await v.page.getByRole('link', { name: 'Exchange 1', exact: true }).click();
    await solve(v);
    await v.open(`${program.url}/learn/spot-the-fault`);
    await v.page.getByText('10 right of 10 judged').waitFor();
    await v.confirm('restart');
    await v.page.getByRole('link', { name: 'Read the first exchange' }).waitFor();
    await v.leave();
  });
}

test('an exchange is judged with the keyboard alone', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/learn/spot-the-fault/4`);
  await v.page.locator('input[name="answer"]').first().focus();
  await v.page.keyboard.press('ArrowDown');
  await v.page.keyboard.press('ArrowDown');
  await v.page.keyboard.press('Enter');
  await v.page.locator('#judged[data-right="true"]').waitFor();
  await v.page.waitForFunction(() => document.activeElement.id === 'judged');
  const { y, height } = await v.page.locator('#judged').boundingBox();
  assert.ok(y >= 0 && y + height <= v.page.viewportSize().height, `the verdict is at y = ${y}`);
  await v.leave();
});

for (const [width, colorScheme] of [[1280, 'light'], [390, 'dark']]) {
  test(`at ${width} px, ${colorScheme}: no axe violation, no horizontal scrolling`, async () => {
    const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme });
    const base = `${program.url}/learn/spot-the-fault`;
    for (const path of ['', '/1', '/7', '/8', '/result']) {
      await v.open(base + path);
      await clean(v, path);
    }
    await v.open(`${base}/4`);
    await judge(v, 1);
    await clean(v, '/4, wrong');
    await solve(v);
    await clean(v, '/4, right');
    await v.open(`${base}/result`);
    await clean(v, '/result with answers');
    await v.leave();
  });
}

async function clean(v, where) {
  const wide = await v.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${where}: ${wide} px too wide`);
  await v.accessible();
}

test('text can be enlarged to 200 %', async () => {
  const v = await visit(browser, { viewport: { width: 640, height: 800 } });
  for (const path of ['', '/2', '/7', '/result']) {
    await v.open(`${program.url}/learn/spot-the-fault${path}`);
    await v.page.evaluate(() => { document.documentElement.style.setProperty('font-size', '200%'); });
    const wide = await v.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${path}: ${wide} px too wide`);
  }
  await v.leave();
});
