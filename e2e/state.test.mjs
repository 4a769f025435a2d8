// The requestState workbench: paste a token, make one and break it, take one
// from a call, forge it and send it. With and without scripts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';

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
  if (button === 'make' || button === 'expire') await v.confirm(button); // there is a token already
  else await v.click(`form[data-form="state"] [data-do="${button}"]`);
  await v.page.waitForURL((url) => String(url) !== before);
  const url = new URL(v.page.url());
  assert.match(url.pathname + url.search, /^\/state\?w=[\w-]+$/, 'the address has an id and nothing else');
}

// retry chooses the retry that a token comes back with. Without script a button
// verifies the token.
async function retry(v, value, javaScriptEnabled) {
  await v.choose('#state-retry', value);
  if (!javaScriptEnabled) await press(v, 'verify');
}

// enter replaces what a field has. Without script a button shows what follows.
async function enter(v, field, text, button, javaScriptEnabled) {
  await v.page.locator(field).fill(text);
  if (!javaScriptEnabled) await press(v, button);
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';

  test(`${how} script: make a token, break it, come back to it`, async () => {
    const v = await visit(browser, { javaScriptEnabled, viewport: { width: 1440, height: 900 } });
    v.expects(/status of 404/);
    await v.open(`${program.url}/state`);
    assert.equal(await verdict(v, 'own'), 'accepted', 'the page opens with a token');
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
    await retry(v, 'user', javaScriptEnabled);
    await v.page.locator('[data-check="principal"][data-result="failed"]').waitFor();
    assert.equal(await verdict(v, 'own'), 'principal');
    await enter(v, '#state-token', jwt, 'look', javaScriptEnabled);
    await v.page.locator('[data-format="jwt"]').waitFor();
    assert.equal(await verdict(v, 'own'), 'format');
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
      await enter(v, '#state-claims', (await claims.inputValue()).replace('"Duplicate"', '"Fixed"'), 'make',
        javaScriptEnabled);
      await v.page.locator('#state-source').filter({ hasText: 'No longer the one' }).waitFor();
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

const inputs = ['#state-token', '#state-claims', '#state-mode', '#state-key', '#state-retry', '[data-do="flip"]', '[data-asks="make"]'];

for (const [width, height] of [[1440, 900], [1280, 720], [390, 844]]) {
  test(`${width} px: each side follows the other while it is edited, and no input moves`, async () => {
    const v = await visit(browser, { viewport: { width, height } });
    await v.open(`${program.url}/state`);
    const places = () => v.page.evaluate((list) => list.map((s) => {
      const control = document.querySelector(s), { x, y, width, height } = control.getBoundingClientRect();
      return [s, x, control.closest('.stay') ? y : y + scrollY, width, height].join(' ');
    }), inputs);
    const before = await places();
    const claims = v.page.locator('#state-claims'), field = v.page.locator('#state-token');
    const steady = async (step) => assert.deepEqual(await places(), before, step);
    const first = await token(v), original = await claims.inputValue();

    await claims.press('Control+Home');
    await v.page.evaluate(() => {
      const at = document.querySelector('#state-claims');
      const i = at.value.indexOf('"alice"') + 1;
      at.setSelectionRange(i, i + 'alice'.length);
    });
    await claims.pressSequentially('bob', { delay: 0 });
    await v.page.locator('[data-check="principal"][data-result="failed"]').waitFor();
    await steady('claims of another user');
    assert.notEqual(await token(v), first, 'the token follows the claims');
    assert.equal(await claims.evaluate((at) => document.activeElement === at), true, 'the focus stays');
    const edited = await claims.inputValue(), forBob = await token(v);

    await claims.fill('{');
    await v.page.locator('[data-error="bad_claims"]').waitFor();
    await steady('claims that are not JSON');
    assert.equal(await token(v), forBob, 'the token stays');

    await field.fill(first);
    await v.page.locator('[data-verified="own"][data-accepted="true"]').waitFor();
    assert.equal(await claims.inputValue(), original, 'the claims follow the token');
    await steady('another token');

    await field.press('Control+End');
    await field.press('Backspace');
    await v.page.locator('[data-check="format"][data-result="failed"]').waitFor();
    assert.equal(await claims.inputValue(), original, 'the claims stay if the token says nothing');
    await steady('a token that does not open');

    await claims.fill(edited);
    await v.page.locator('[data-check="principal"][data-result="failed"]').waitFor();
    await v.choose('#state-mode', 'plain');
    await v.page.locator('.token-marks').filter({ hasText: 'mrtr1.plain.' }).waitFor();
    await v.choose('#state-retry', 'late');
    await v.page.locator('[data-check="expires"][data-result="failed"]').waitFor();
    await steady('another protection and another retry');
    await field.fill(jwt);
    await v.page.locator('[data-format="jwt"]').waitFor();
    await steady('a JWT');
    assert.equal(new URL(v.page.url()).search, '', 'typing has no address');
    await v.leave();
  });
}

for (const [width, colorScheme] of [[1440, 'light'], [390, 'dark']]) {
  test(`${width} px, ${colorScheme}: a made token fits and is accessible`, async () => {
    const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme });
    await v.open(`${program.url}/state`);
    await press(v, 'make');
    await press(v, 'flip');
    const wide = await v.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `the page is ${wide} px wide`);
    await v.accessible();
    await v.leave();
  });
}

test('by keyboard alone: make a token and change a byte', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/state`);
  const before = await token(v);
  await v.walk('[data-asks="make"]');
  await v.press('Enter', 'Escape'); // the question gives the focus back
  assert.equal(await v.page.evaluate(() => document.activeElement.dataset.asks), 'make');
  assert.equal(await token(v), before);
  await v.press('Enter', 'Enter');
  await v.page.waitForURL(/\?w=/);
  assert.notEqual(await token(v), before);
  await v.page.locator('[data-verified="own"][data-accepted="true"]').waitFor();
  await v.walk('[data-do="flip"]');
  await v.press('Enter');
  await v.page.locator('[data-verified="own"][data-accepted="false"]').waitFor();
  await v.leave();
});

test('what is entered before the scripts are there is followed', async () => {
  const v = await visit(browser);
  let release;
  const entered = new Promise((resolve) => { release = resolve; });
  await v.page.route(/\/static\/.*\.js$/, async (route) => { await entered; await route.continue(); });
  const opened = v.open(`${program.url}/state`);
  await v.page.locator('#state-token').fill(jwt);
  release();
  await opened;
  await v.page.locator('[data-format="jwt"]').waitFor();
  await v.leave();
});
