// What people have: a recording becomes a flow, a HAR file a recording, the settings of a
// client servers; and a server that is watched and restarts is connected again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { freePort, start, tidy } from './program.mjs';

let browser, program;
before(async () => {
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

// recorded makes a call of a sample that asks twice, and returns its address.
async function recorded(v) {
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.page.locator('[data-form="answers"] select[data-field]').selectOption('Duplicate');
  await v.click('[data-do="send"]');
  await v.page.locator('[data-input-key="duplicate_of"] input[data-field]').fill('4301');
  await v.click('[data-do="send"]');
  await v.page.locator('[data-result]').waitFor();
  return v.page.url().replace(/\?.*/, '');
}

test('a recording becomes a flow that asks the same, and names what was not seen', async () => {
  const v = await visit(browser);
  await recorded(v);
  await v.click('[data-menu="again"] summary');
  await v.click('[data-do="make-flow"]');
  await v.page.locator('[data-unseen] li').filter({ hasText: 'declined or dismissed' }).waitFor();
  await v.accessible();
  await v.click('[data-do="run"]');
  await v.page.locator('[data-input-key="resolution"]').waitFor();
  assert.deepEqual(v.complaints, []);
});

test('a HAR file becomes a recording that is only read', async () => {
  const v = await visit(browser);
  const har = await (await v.page.request.get(`${await recorded(v)}.har`)).body();
  await v.open(`${program.url}/history`);
  await v.click('#import summary');
  await v.page.locator('#file').setInputFiles({ name: 'x.har', mimeType: 'application/json', buffer: har });
  await v.click('#import button');
  await v.page.locator('[data-imported]').waitFor();
  assert.equal(await v.page.locator('#address').count(), 0);
  await v.accessible();
  assert.deepEqual(v.complaints, []);
});

test('a server of a settings file is watched, restarts, and is connected again by itself', async () => {
  const port = await freePort();
  const serve = () => start({ flags: ['-addr', `127.0.0.1:${port}`] });
  let other = await serve();
  const v = await visit(browser);
  await v.open(`${program.url}/test/import`);
  await v.page.locator('#setup-text').fill(JSON.stringify({ mcpServers: {
    mine: { url: `http://127.0.0.1:${port}/mcp/conformance`, headers: { 'X-Key': '${NOT_SET}' } },
    command: { command: 'sh', args: ['-c', 'exit 1'] },
  } }));
  await v.click('[data-do="read-setup"]');
  await v.page.locator('[data-command="command"] pre').filter({ hasText: '-stdio' }).waitFor();
  assert.equal(await v.page.locator('input:checked').count(), 0, 'nothing is ticked beforehand');
  await v.accessible();
  await v.page.locator('[data-server="mine"] input[type="checkbox"]').check();
  await v.click('[data-do="add-setup"]');
  await v.page.locator('[data-results]').filter({ hasText: 'Without X-Key' }).waitFor();
  await v.click('[data-results] a');
  await v.page.locator('main[data-status="connected"]').waitFor();
  await v.click('[data-do="watch"]');
  await v.page.locator('.watched').filter({ hasText: 'The server has agreed to send' }).waitFor();
  await v.accessible();
  await other.kill(); // the stream breaks off
  await v.page.locator('[data-form="away"]').filter({ hasText: 'attempt' }).waitFor();
  await v.accessible();
  other = await serve();
  await v.page.locator('main[data-status="connected"]').waitFor();
  await v.click('[data-do="watch"]');
  await v.page.locator('.watched').filter({ hasText: 'The server has agreed to send' }).waitFor();
  await v.click('[data-do="stop-watching"]');
  await v.page.locator('.watched').filter({ hasText: 'You stopped watching.' }).waitFor();
  assert.deepEqual(v.complaints, []);
});
