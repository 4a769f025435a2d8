// The page of a server in a browser: connecting, stored secrets, and the form of a
// call, whose fields and raw JSON stay in sync.
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

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';
  test(`${how} script: one click to the report of a server, four to the verdicts of its check`, async (t) => {
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(program.url);
    await v.type('main input[name="url"]', `${program.url}/mcp/confirm`);
    const typed = v.keys;
    await v.press('Enter');
    await v.status('connected');
    assert.match(await v.text('.connection > summary'), /checks passed/);
    assert.equal(v.clicks, 1, 'clicks to the report');
    await v.click('#check-server');
    await v.click('input[name="mine"]');
    await v.click('[data-do="check"]');
    await v.page.locator('[data-experiment][data-verdict]').first().waitFor({ state: 'attached' });
    t.diagnostic(`${v.clicks} clicks, ${v.keys - typed} keys besides the URL`);
    assert.equal(v.clicks, 4, 'clicks to the verdicts');
    assert.equal(v.keys - typed, 1, 'keys besides the URL');
    await v.leave();
  });
}

test('fields and raw JSON stay in sync, and the one edited last is sent', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/servers/azure-devops?tool=update_work_item`);
  const form = v.page.locator('form[data-name="update_work_item"]');
  const json = form.locator('[data-field-json]');
  await form.locator('[data-field="workItemId"]').fill('4523');
  await v.page.waitForFunction(() => document.querySelector('form[data-name="update_work_item"] [data-field-json]').value.includes('4523'));
  assert.equal(await form.locator('[data-raw]').isChecked(), false);
  await form.locator('.as-json summary').click();
  await json.fill('{"workItemId": 4522, "fields": {"System.State": "Resolved"}}');
  await v.page.waitForFunction(() => document.querySelector('form[data-name="update_work_item"] [data-field="workItemId"]').value === '4522');
  assert.equal(await form.locator('[data-raw]').isChecked(), true);
  await form.locator('[data-do="call"]').click();
  await v.status('waiting');
  const [sent] = await v.bodies('request');
  assert.ok(sent.includes('"arguments":{"workItemId": 4522, "fields": {"System.State": "Resolved"}}'), sent);
  await v.leave();
});

test('a token is available only to the browser that entered it', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/test`);
  await v.page.fill('#url', `${program.url}/mcp/naughty`); // the other samples refuse unknown tokens
  await v.click('details.settings summary');
  await v.page.fill('#token', 'planted-token-kept');
  await v.click('form[data-form="connect"] button.first');
  await v.status('connected');
  assert.equal(await v.page.locator('[data-given]').count(), 1);
  assert.ok(!(await v.page.content()).includes('planted-token-kept'));
  const other = new Reader(program.url);
  await other.open(new URL(v.page.url()).pathname);
  assert.ok(other.one('[data-error="secret_lost"]'));
  await v.confirm('forget-secrets');
  await v.page.locator('[data-given]').waitFor({ state: 'detached' });
  await v.leave();
});

test('without script, one click adds a missing scheme', async () => {
  const v = await visit(browser, { javaScriptEnabled: false });
  v.expects(/422/);
  await v.open(`${program.url}/test`);
  await v.page.fill('#url', `${new URL(program.url).host}/mcp/confirm`);
  await v.click('form[data-form="connect"] button.first');
  assert.equal(await v.page.locator('[data-error="bad_url"]').count(), 1);
  await v.click(`form[data-guess="${program.url}/mcp/confirm"] button`);
  await v.status('connected');
  await v.leave();
});
