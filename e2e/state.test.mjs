// The requestState workbench: paste a token, make one and break it, take one
// from a call, forge it and send it. With and without scripts.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdGVwIjoyfQ.aP8lR8jHQKwXWlgYF-qBpUCjugsopbLH7saaVxYkCdw';

let browser, program;
before(async () => {
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

const token = (v) => v.page.locator('#state-token').inputValue();

// verdict returns whether a server accepts the token, and the check that failed.
async function verdict(v, server) {
  const failed = v.page.locator(`[data-verification="${server}"] [data-result="failed"]`);
  const check = (await failed.count()) ? await failed.getAttribute('data-check') : '';
  const accepted = await v.page.locator(`[data-verified="${server}"]`).getAttribute('data-accepted');
  assert.equal(accepted, String(check === ''));
  return check || 'accepted';
}

// press presses a button and waits for the page that it leads to, whose address
// restores the workbench.
async function press(v, button) {
  const before = v.page.url();
  await v.click(`form[data-form="state"] [data-do="${button}"]`);
  await v.page.waitForURL((url) => String(url) !== before);
  const url = new URL(v.page.url());
  assert.match(url.pathname + url.search, /^\/state\?w=[\w-]+$/, 'the address has an id and nothing else');
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';

  test(`${how} script: make a token, break it, come back to it`, async () => {
    const v = await visit(browser, { javaScriptEnabled, viewport: { width: 1440, height: 900 } });
    v.expects(/status of 404/);
    await v.open(`${program.url}/state`);
    await v.choose('#state-mode', 'signed');
    await press(v, 'make');
    assert.equal(await verdict(v, 'own'), 'accepted');
    const made = await token(v), address = v.page.url();
    assert.match(made, /^mrtr1\.signed\./);
    await press(v, 'flip');
    assert.equal(await verdict(v, 'own'), 'tag');
    await v.open(address);
    assert.equal(await token(v), made, 'the address restores the token');
    await press(v, 'expire');
    assert.equal(await verdict(v, 'own'), 'expires');
    await v.open(address);
    await v.choose('#state-retry', 'user');
    await press(v, 'verify');
    assert.equal(await verdict(v, 'own'), 'principal');
    await v.page.locator('#state-token').fill(jwt);
    await press(v, 'look');
    assert.equal(await verdict(v, 'own'), 'format');
    assert.equal(await v.page.locator('[data-format]').getAttribute('data-format'), 'jwt');
    assert.match(await v.page.locator('#state-claims').inputValue(), /"work": \{\s*"step": 2/);
    await v.leave();
  });

  for (const [mode, reaction, failed] of [['plain', 'accepted', 'accepted'], ['sealed', 'rejected', 'tag']]) {
    test(`${how} script: forge the ${mode} state of a call and send it`, async () => {
      const first = await visit(browser);
      await first.open(program.url);
      await first.click('form[data-start="azure-devops"] button');
      await first.round(1);
      await first.click('.tabs [data-panel="lab"]');
      await first.choose('#lab-state', mode);
      await first.click('[data-do="rerun"]');
      await first.page.waitForFunction(() => document.querySelector('main[data-status="waiting"]'));
      await first.choose('select[data-field="resolution"]', 'Duplicate');
      await first.click('[data-form="answers"] [data-do="send"]');
      await first.round(2);
      await first.type('[data-field="duplicateOfId"]', '4301');
      await first.click('[data-form="answers"] [data-do="send"]');
      await first.status('complete');
      const url = first.page.url().split('?')[0];
      const v = await visit(browser, { javaScriptEnabled, viewport: { width: 1440, height: 900 },
        storageState: await first.context.storageState() });
      await v.open(`${url}?panel=state&round=2`);
      await v.click('[data-do="workbench"]');
      await v.page.locator('[data-from]').waitFor();
      assert.equal(await verdict(v, 'sample'), 'accepted');
      const claims = v.page.locator('#state-claims');
      await claims.fill((await claims.inputValue()).replace('"Duplicate"', '"Fixed"'));
      await press(v, 'make');
      assert.equal(await verdict(v, 'sample'), failed);
      await v.click('form[data-form="send-state"] [data-do="send"]');
      await v.page.locator('[data-branch] [data-experiment="edited"]').waitFor();
      assert.equal(await v.page.locator('.tried [data-reaction]').getAttribute('data-reaction'), reaction);
      if (mode === 'plain') assert.match(await v.text('[data-result]'), /Fixed/);
      await v.leave();
      await first.leave();
    });
  }
}

for (const width of [1440, 390]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`${width} px, ${colorScheme}: a made token fits and is accessible`, async () => {
      const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme });
      await v.open(`${program.url}/state`);
      await press(v, 'make');
      await press(v, 'flip');
      const wide = await v.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `the page is ${wide} px wide`);
      await v.page.evaluate(axe);
      const { violations } = await v.page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
      assert.deepEqual(violations.map((x) => `${x.id}: ${x.nodes[0].html.slice(0, 120)}`), []);
      if (process.env.SHOTS) await v.page.screenshot({ path: `${process.env.SHOTS}/state-${width}-${colorScheme}.png`, fullPage: true });
      await v.leave();
    });
  }
}

test('by keyboard alone: make a token and change a byte', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/state`);
  await v.walk('[data-do="make"]');
  await v.press('Enter');
  await v.page.locator('[data-verified="own"][data-accepted="true"]').waitFor();
  await v.walk('[data-do="flip"]');
  await v.press('Enter');
  await v.page.locator('[data-verified="own"][data-accepted="false"]').waitFor();
  await v.leave();
});
