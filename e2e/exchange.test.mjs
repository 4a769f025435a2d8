// The page of an exchange in a browser, with script and without.
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

// secondQuestion takes a visitor to round 2 of the Azure DevOps call.
async function secondQuestion(v) {
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.status('waiting');
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click('[data-do="send"]');
  await v.round(2);
}

test('sending replaces the page in place and moves the focus to the new question', async () => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.status('waiting');
  const documents = v.documents;
  await v.page.evaluate(() => { window.sameDocument = true; });
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click('[data-do="send"]');
  await v.round(2);
  assert.equal(v.documents, documents, 'no page was loaded');
  assert.equal(await v.page.evaluate(() => window.sameDocument), true);
  await v.page.waitForFunction(() => document.activeElement?.matches('[data-field="duplicateOfId"]'));
  await v.leave();
});

test('at the end, the focus moves to the result', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  await v.type('[data-field="duplicateOfId"]', '4301');
  await v.click('[data-do="send"]');
  await v.status('complete');
  await v.page.waitForFunction(() => document.activeElement?.closest('[data-result]'));
  await v.leave();
});

test('Enter in a field sends the answer', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  await v.type('[data-field="duplicateOfId"]', '4301');
  await v.page.keyboard.press('Enter');
  await v.status('complete');
  await v.leave();
});

test('each round has a URL, the arrow keys move between rounds, and Back works', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  const address = v.page.url();
  const shown = () => v.page.locator('.ribbon a[aria-current="step"] .disc').innerText()
    .then((text) => text.match(/\d+/)[0]);
  const step = async (key, round) => {
    await v.page.evaluate(() => document.activeElement?.blur());
    await v.press(key);
    await v.page.waitForFunction((n) => document.querySelector('.ribbon a[aria-current="step"] .disc')?.textContent.endsWith(n), String(round));
  };
  assert.equal(await shown(), '2');
  await step('ArrowLeft', 1);
  assert.equal(new URL(v.page.url()).searchParams.get('round'), '1');
  assert.equal(await v.page.locator('form[data-form="answers"]').count(), 0, 'an earlier round has no form');
  assert.match(await v.text('.ask'), /Duplicate/, 'the answer is shown');
  await step('ArrowRight', 2);
  await v.page.goBack();
  await v.page.waitForFunction(() => document.querySelector('.ribbon a[aria-current="step"] .disc')?.textContent.endsWith('1'));
  assert.equal(new URL(v.page.url()).searchParams.get('round'), '1');
  await v.page.goBack();
  await v.page.waitForFunction((path) => location.href === path, address);
  await v.round(2);

  await v.open(`${new URL(address).origin}${new URL(address).pathname}?round=1`);
  assert.equal(await shown(), '1');
  await v.leave();
});

test('a form restored by Back still works and leads to the latest round', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  await v.page.reload();
  await v.round(2);
  await v.type('[data-field="duplicateOfId"]', '4301');
  await v.click('[data-do="send"]');
  await v.status('complete');
  await v.page.goBack();
  await v.page.waitForLoadState();
  await v.page.goForward();
  await v.status('complete');
  await v.leave();
});

test('a request is copied as curl from the menu, without leaving the page', async () => {
  const v = await visit(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.status('waiting');
  const here = v.page.url();
  await v.click('[data-menu="again"] summary');
  await v.click('[data-do="curl"]');
  await v.page.locator('[data-menu="again"] summary', { hasText: 'Copied' }).waitFor();
  assert.equal(v.page.url(), here);
  const copied = await v.page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^curl[^]*update_work_item/);
  await v.leave();
});

test('copy buttons exist only where they work, and copy the exact bytes', async () => {
  const v = await visit(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await secondQuestion(v);
  await v.click(v.page.locator('a', { hasText: 'Exact bytes' }));
  const frame = v.page.locator('[data-m="2.request"]');
  const button = frame.locator('button[data-copy]').first();
  await button.waitFor();
  await v.click(button);
  await v.page.locator('button', { hasText: 'Copied' }).waitFor();
  const copied = await v.page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await frame.locator('[data-bytes]').textContent());
  assert.equal(JSON.parse(copied).method, 'tools/call');
  await v.leave();

  const without = await visit(browser, { javaScriptEnabled: false });
  await without.open(program.url);
  await without.click('form[data-start="azure-devops"] button');
  await without.status('waiting');
  assert.equal(await without.page.locator('button[data-copy]:visible').count(), 0,
    'no copy button without a clipboard');
  await without.leave();
});

test('an invalid answer gets a message at its field, stays in the form, and is not sent', async () => {
  const v = await visit(browser);
  v.expects(/status of 422/); // logged by the browser
  await secondQuestion(v);
  await v.type('[data-field="duplicateOfId"]', 'forty-three');
  // What will be sent is posted too, as a preview.
  const sent = (r) => r.request().method() === 'POST' && !r.request().postData().includes('preview');
  const [response] = await Promise.all([
    v.page.waitForResponse(sent),
    v.click('[data-do="send"]'),
  ]);
  assert.equal(response.status(), 422);
  const control = v.page.locator('[data-field="duplicateOfId"][aria-invalid="true"]');
  await control.waitFor();
  assert.equal(await control.inputValue(), 'forty-three');
  const told = await control.evaluate((node) =>
    node.getAttribute('aria-describedby').split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '').join(' | '));
  assert.match(told, /number/i);
  assert.ok(await control.evaluate((node) => node === document.activeElement), 'the field has the focus');
  assert.equal(await v.page.locator('.ribbon [data-round]').count(), 2, 'no round was added');
  await v.type('[data-field="duplicateOfId"]', '4301');
  await v.click('[data-do="send"]');
  await v.status('complete');
  await v.leave();
});

test('without script, an invalid answer returns a full page with status 422, the typed value and no new round', async () => {
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  await r.send('data-form', 'answers', { resolution: 'Duplicate' });
  await r.settled();
  await r.send('data-form', 'answers', { duplicateOfId: 'forty-three' });
  assert.equal(r.status, 422);
  const control = r.one('[data-field="duplicateOfId"]');
  assert.equal(control.value, 'forty-three');
  assert.equal(control.getAttribute('aria-invalid'), 'true');
  const ids = control.getAttribute('aria-describedby').split(' ');
  assert.ok(ids.some((id) => /number/i.test(r.document.getElementById(id).textContent)),
    'a description names the problem');
  assert.ok(r.html.startsWith('<!'), 'a full page');
  assert.equal(r.rounds.length, 2);
});

test('two posts of the same round create one round', async () => {
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  const { action, body } = r.fill('data-form', 'answers', { resolution: 'Duplicate' });
  const post = () => fetch(new URL(action, r.base), { method: 'POST', body, redirect: 'manual' });
  const answers = await Promise.all([post(), post(), post()]);
  assert.deepEqual(answers.map((a) => a.status), [303, 303, 303]);
  await r.open(r.url.pathname);
  await r.settled();
  assert.deepEqual(r.rounds.map((n) => n.dataset.round), ['1', '2']);
  assert.equal((await r.bodies('request')).length, 2);
});

test('a double click sends once', async () => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.status('waiting');
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.page.locator('[data-do="send"]').dblclick();
  await v.round(2);
  await v.page.reload();
  assert.equal(await v.page.locator('.ribbon [data-round]').count(), 2);
  assert.equal(await v.page.locator('[data-field="duplicateOfId"]').getAttribute('aria-invalid'), null,
    'the second click sent nothing');
  await v.leave();
});

test('the preview follows the form and equals what is sent', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const v = await visit(browser, { javaScriptEnabled });
    await secondQuestion(v);
    await v.type('[data-field="duplicateOfId"]', '4301');
    if (javaScriptEnabled) await v.press('Tab');
    else await v.click('button[value="preview"]');
    const message = v.page.locator('#preview pre', { hasText: '4301' });
    await message.waitFor({ state: 'attached' });
    const preview = await message.textContent();
    assert.equal(await v.page.locator('[data-field="duplicateOfId"]').inputValue(), '4301',
      'the typed value stays');
    assert.equal(await v.page.locator('.ribbon [data-round]').count(), 2, 'the preview sends nothing');
    await v.click('[data-do="send"]');
    await v.status('complete');
    const sent = (await v.bodies('request')).at(-1);
    assert.deepEqual(JSON.parse(preview), JSON.parse(sent));
    await v.leave();
  }
});

test('the preview does not move the focus', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  await v.type('[data-field="duplicateOfId"]', '4301');
  await v.press('Tab');
  await v.page.locator('#preview pre', { hasText: '4301' }).waitFor({ state: 'attached' });
  assert.equal(await v.page.evaluate(() => document.activeElement.tagName), 'SUMMARY',
    'the Tab key moved to the next control');
  await v.leave();
});

test('the theme switch works with and without script', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const v = await visit(browser, { javaScriptEnabled, colorScheme: 'light' });
    await v.open(program.url);
    await v.click('button[name="theme"]');
    await v.page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
    await v.open(`${program.url}/test`);
    assert.equal(await v.page.locator('html').getAttribute('data-theme'), 'dark');
    await v.leave();
  }
});
