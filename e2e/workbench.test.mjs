// The page of an exchange as a workbench: what one does in it, by mouse and by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
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

const send = '[data-form="answers"] [data-do="send"]';

async function firstQuestion(v) {
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.status('waiting');
  await v.round(1);
}

async function secondQuestion(v) {
  await firstQuestion(v);
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click(send);
  await v.round(2);
}

test('the buttons that refuse say what they do', async () => {
  const v = await visit(browser);
  await firstQuestion(v);
  const client = await v.context.newCDPSession(v.page);
  const { root } = await client.send('DOM.getDocument');
  const described = async (selector) => {
    const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { nodes } = await client.send('Accessibility.getPartialAXTree', { nodeId, fetchRelatives: false });
    return nodes[0].description?.value;
  };
  assert.equal(await described('[data-do="decline"]'), 'Says no to the question.');
  assert.equal(await described('[data-do="cancel"]'), 'Gives no answer: neither yes nor no.');
  assert.match(await described('[name="instance"]'), /load balancer chooses/);
  await v.leave();
});

test('a suggested value is entered in place, and Enter in the field sends it', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  const field = v.page.locator('[data-field="duplicateOfId"]'), { documents } = v;
  await v.click('[data-do="enter"]');
  await v.page.locator('[data-field="duplicateOfId"][value="4301"]').waitFor();
  assert.equal(await field.evaluate((e) => document.activeElement === e), true, 'the field has the focus');
  await v.page.locator('#preview', { hasText: '"duplicateOfId":4301' }).waitFor();
  assert.equal(await v.page.locator('[data-do="enter"]').count(), 0);
  assert.equal(await v.page.locator('main').getAttribute('data-status'), 'waiting', 'nothing was sent');
  await field.fill('');
  await field.fill('4301');
  await field.press('Enter');
  await v.status('complete');
  assert.equal(v.documents, documents, 'the page was not loaded again');
  await v.leave();
});

test('Enter in a field with a suggestion sends, and does not enter it', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  const field = v.page.locator('[data-field="duplicateOfId"]');
  await field.fill('99999999');
  await field.press('Enter');
  await v.page.locator('[data-is-error]', { hasText: '#99999999' }).first().waitFor();
  await v.leave();
});

test('only what scrolls and holds nothing else with the focus is a stop of the Tab key', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await firstQuestion(v);
  const stops = () => v.page.$$eval('.workbench [role="group"][tabindex="0"]', (list) => list.filter((e) => e.checkVisibility()).map((e) => ({
    name: e.className, scrolls: e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1,
    holds: e.querySelectorAll('a[href], button, summary').length,
  })));
  assert.deepEqual(await stops(), []);
  const preview = v.page.locator('#preview');
  assert.equal(await preview.getAttribute('tabindex'), '-1');
  await v.page.setViewportSize({ width: 1440, height: 601 });
  await preview.locator('ul').evaluate((e) => { e.style.minHeight = '60rem'; });
  await v.page.setViewportSize({ width: 1440, height: 602 });
  await v.page.locator('#preview[tabindex="0"]').waitFor();
  for (const s of await stops()) assert.ok(s.scrolls && !s.holds, JSON.stringify(s));
  await v.leave();
});

test('an arrow leads to its message, and Escape back to its arrow; a click marks it', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await secondQuestion(v);
  const selected = () => v.page.locator('.stage .pic a[aria-current="true"]').first().getAttribute('data-m');

  await v.click('.stage .pic a[data-m="2.response"]');
  await v.page.locator('.drawer[data-message="2.response"]').waitFor();
  assert.equal(await selected(), '2.response');
  assert.match(v.page.url(), /\?message=response&round=2$/);
  await v.page.waitForFunction(() => document.activeElement.closest('.drawer [data-m="2.response"]'));

  await v.press('Escape');
  await v.page.waitForFunction(() => document.activeElement.closest('.pic [data-m="2.response"]'));

  await v.click('.drawer [data-m="2.request"] h3');
  await v.page.locator('.drawer[data-message="2.request"]').waitFor();
  assert.equal(await selected(), '2.request');
  assert.match(v.page.url(), /\?message=request&round=2$/);

  await v.click('.stage .pic a[data-m="2.request"]');
  await v.page.waitForFunction(() => document.activeElement.closest('.drawer [data-m="2.request"]'));
  await v.press('Escape', 'ArrowUp', 'Enter'); // the answer before it, which the request of round 2 carries
  await v.page.waitForFunction(() => document.activeElement.closest('.drawer [data-m]'));
  await v.page.locator('.stage .pic a[data-m="1.response"]').first().focus();
  await v.press('Enter');
  await v.page.locator('main[data-shown="1"] .drawer[data-message="1.response"]').waitFor();
  await v.leave();
});

for (const javaScriptEnabled of [true, false]) {
  test(`the address restores round, panel and message, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    const v = await visit(browser, { viewport: { width: 1440, height: 900 }, javaScriptEnabled });
    await secondQuestion(v);
    await v.click('.ribbon li[data-round="1"] a');
    await v.page.locator('main[data-shown="1"]').waitFor();
    await v.click('.tabs [data-panel="rules"]');
    await v.page.locator('main[data-shown="1"] .drawer[data-panel="rules"]').waitFor();
    assert.equal(await v.page.locator('main').count(), 1, 'only the drawer was loaded');
    const { pathname, search } = new URL(v.page.url());
    assert.equal(search, '?panel=rules&round=1');
    const other = await visit(browser, { javaScriptEnabled, storageState: await v.context.storageState() });
    await other.open(program.url + pathname + search);
    await other.page.locator('main[data-shown="1"] .drawer[data-panel="rules"] [data-rule]').first().waitFor({ state: 'attached' });
    await other.open(`${program.url}${pathname}?round=2&message=response`);
    await other.page.locator('.drawer [data-m="2.response"]:is([aria-current="true"], :has([aria-current="true"]))').waitFor();
    assert.equal(await other.page.locator('.stage .pic a[aria-current="true"]').first().getAttribute('data-m'), '2.response');
    await other.leave();
    if (javaScriptEnabled) {
      await v.page.goBack();
      await v.page.locator('main[data-shown="1"] .drawer[data-panel="wire"]').waitFor();
    }
    await v.leave();
  });
}

test('sending keeps the open panel', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await firstQuestion(v);
  await v.click('.tabs [data-panel="state"]');
  await v.page.locator('.drawer[data-panel="state"]').waitFor();
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click(send);
  await v.round(2);
  await v.page.locator('main[data-shown="2"] .drawer[data-panel="state"]').waitFor();
  assert.match(v.page.url(), /\?panel=state$/);
  assert.equal(await v.page.locator('main').count(), 1);
  await v.leave();
});

test('typing changes what will be sent before the field is left', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  await v.press(...'43');
  await v.page.locator('#preview', { hasText: '"duplicateOfId":43}' }).waitFor();
  assert.ok(await v.page.evaluate(() => document.activeElement.matches('[data-field="duplicateOfId"]')), 'the focus stays');
  await v.press(...'01');
  await v.page.locator('#preview', { hasText: '"duplicateOfId":4301}' }).waitFor();
  assert.equal(await v.page.locator('[data-answer-json]').inputValue().then((s) => JSON.parse(s).content.duplicateOfId), 4301);
  await v.leave();
});

test('what will be sent has the defaults before anything is typed', async () => {
  const r = new Reader(program.url);
  await r.open('/');
  for (const sample of ['wizard']) {
    await r.open('/test');
    await r.send('data-start', sample);
    await r.settled();
    const preview = r.one('#preview').textContent;
    for (const field of r.all('[data-form="answers"] [data-field]')) {
      if (field.value) assert.ok(preview.includes(field.value), `${field.value} is in ${preview}`);
    }
    assert.doesNotMatch(preview, /your answer/);
  }
});

test('a draft survives a reload and a restart of the program, and is gone once it is sent', async () => {
  const data = await start().then(async (p) => { await p.stop(); return p.data; });
  let own = await start({ data });
  const v = await visit(browser);
  v.expects(/ERR_CONNECTION|Failed to (load|fetch)/);
  await v.open(own.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.round(1);
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.page.locator('#preview', { hasText: 'Duplicate' }).waitFor();
  await v.page.reload();
  await v.page.locator('#preview', { hasText: 'Duplicate' }).waitFor();
  assert.equal(await v.page.locator('select[data-field="resolution"]').inputValue(), 'Duplicate');

  const path = new URL(v.page.url()).pathname, port = new URL(own.url).port;
  await own.stop();
  own = await start({ data, flags: ['-addr', `127.0.0.1:${port}`] });
  await v.open(own.url + path);
  await v.page.locator('#preview', { hasText: 'Duplicate' }).waitFor();
  await v.click(send);
  await v.round(2);
  await v.page.waitForFunction(() => !Object.keys(localStorage).some((k) => k.startsWith('draft ')));
  await own.stop();
  await v.leave();
});

test('an answer that is chosen before the scripts have come has its preview and draft', async () => {
  const v = await visit(browser);
  await firstQuestion(v);
  let go;
  const chosen = new Promise((resolve) => { go = resolve; });
  await v.page.route(/\.js/, async (route) => { await chosen; await route.continue(); });
  await v.page.reload({ waitUntil: 'commit' });
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  go();
  await v.page.locator('#preview', { hasText: 'Duplicate' }).waitFor();
  assert.match(await v.page.evaluate(() => JSON.stringify(localStorage)), /Duplicate/);
  await v.leave();
});

test('Decline and Cancel are buttons that send the answer, whatever is filled in', async () => {
  for (const javaScriptEnabled of [true, false]) {
    for (const action of ['decline', 'cancel']) {
      const v = await visit(browser, { javaScriptEnabled });
      await firstQuestion(v);
      await v.choose('select[data-field="resolution"]', 'Duplicate');
      await v.click(`[data-form="answers"] [data-do="${action}"]`);
      await v.page.locator('main[data-shown="2"]').waitFor();
      await v.open(`${v.page.url().split('?')[0]}?round=2&view=exact`);
      assert.match(await v.page.locator('[data-frame="request"] [data-bytes]').textContent(),
        new RegExp(`"inputResponses":\\{"resolution":\\{"action":"${action}"\\}\\}`));
      await v.leave();
    }
  }
});

test('at most 25 keys from the landing page to the finished call', async (t) => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.walk('form[data-start="azure-devops"] button');
  await v.press('Enter');
  await v.round(1);
  await v.walk('select[data-field="resolution"]');
  await v.press('D');
  await v.walk(send);
  await v.press('Enter');
  await v.round(2);
  await v.walk('[data-field="duplicateOfId"]');
  await v.press(...'4301', 'Enter');
  await v.status('complete');
  t.diagnostic(`${v.keys} keys`);
  assert.ok(v.keys <= 25, `${v.keys} keys`);
  assert.equal(v.clicks, 0);
  await v.leave();
});

test('a page says when the playground cannot be reached, and when it is back', async () => {
  const own = await start();
  const v = await visit(browser);
  v.expects(/ERR_CONNECTION|ERR_EMPTY|Failed to fetch|NetworkError|fetch/);
  await v.open(own.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.round(1);
  const port = new URL(own.url).port;
  await own.stop();
  await v.click('.tabs [data-panel="state"]');
  await v.page.locator('.lost', { hasText: 'The connection to the playground is lost' }).waitFor();
  const again = await start({ data: own.data, flags: ['-addr', `127.0.0.1:${port}`] });
  await v.page.locator('.lost').waitFor({ state: 'detached' });
  await again.stop();
  await v.context.close();
});

test('a problem takes the place of the page, also where only the drawer was asked for', async () => {
  const v = await visit(browser);
  v.expects(/status of 404/);
  await firstQuestion(v);
  await v.page.locator('.tabs [data-panel="state"]').evaluate((a) => a.setAttribute('href', `${location.pathname}?panel=none`));
  await v.click('.tabs [data-panel="state"]');
  await v.page.locator('h1', { hasText: '404' }).or(v.page.locator('main', { hasText: '404' })).first().waitFor();
  assert.equal(await v.page.locator('main').count(), 1);
  assert.equal(await v.page.locator('.drawer').count(), 0);
  await v.leave();
});
