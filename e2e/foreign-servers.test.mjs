// Third-party servers, called through the pages only: go-sdk's conformance server
// and a server on the TypeScript SDK.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';
import { goSDK } from './servers/programs.mjs';
import { typescript } from './servers/typescript.mjs';

let browser, program, go, ts;
before(async () => {
  program = await start();
  browser = await launch();
  go = await goSDK();
  ts = await typescript();
});
after(async () => {
  await browser?.close();
  await ts?.stop();
  await go?.stop();
  await tidy();
});

// connect takes a visitor from the landing page to the open form of a tool.
async function connect(v, url, tool) {
  await v.open(program.url);
  await v.type('input[name="url"]', url);
  await v.click(v.page.locator('form[action="/servers"] button'));
  await v.status('connected');
  const form = v.page.locator(`form[data-form="call"][data-name="${tool}"]`);
  if (!(await form.isVisible())) await v.click(v.page.locator(`#entries a[href$="tool=${tool}"]`));
  return form;
}

test('go-sdk: one question, "Hello, Ada!"', async () => {
  const v = await visit(browser);
  const form = await connect(v, go.url, 'test_input_required_result_elicitation');
  await v.click(form.locator('[data-do="call"]'));
  await v.status('waiting');
  await v.type('[data-field="name"]', 'Ada');
  await v.click('[data-do="send"]');
  await v.status('complete');
  assert.match(await v.text('[data-result]'), /Hello, Ada!/);
  await v.leave();
});

test('go-sdk: two questions in three rounds, with a new state echoed each time', async () => {
  const v = await visit(browser);
  const form = await connect(v, go.url, 'test_input_required_result_multi_round');
  await v.click(form.locator('[data-do="call"]'));
  await v.round(1);
  await v.type('[data-field="name"]', 'Ada');
  await v.click('[data-do="send"]');
  await v.round(2);
  await v.type('[data-field="color"]', 'violet');
  await v.click('[data-do="send"]');
  await v.status('complete');
  const bodies = async (side) => (await v.bodies(side)).map(message);
  const sent = await bodies('request');
  const got = await bodies('response');
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map((m) => m.id)).size, 3);
  assert.equal(sent[1].params.requestState, got[0].result.requestState);
  assert.equal(sent[2].params.requestState, got[1].result.requestState);
  assert.notEqual(got[0].result.requestState, got[1].result.requestState);
  await v.leave();
});

test('TypeScript SDK: two rounds with its signed state', async () => {
  const v = await visit(browser);
  const form = await connect(v, ts.url, 'deploy');
  await v.choose(form.locator('[data-field="env"]'), 'staging');
  await v.click(form.locator('[data-do="call"]'));
  await v.round(1);
  await v.click('[data-field="ok"]');
  await v.click('[data-do="send"]');
  await v.status('complete');
  assert.match(await v.text('[data-result]'), /deployed to staging/);
  const bodies = async (side) => (await v.bodies(side)).map(message);
  const [, retry] = await bodies('request');
  const [first] = await bodies('response');
  assert.match(first.result.requestState, /^v1\.[\w-]+\.[\w-]{43}$/);
  assert.equal(retry.params.requestState, first.result.requestState);
  assert.deepEqual(retry.params.inputResponses, { confirm: { action: 'accept', content: { ok: true } } });
  await v.leave();
});

test('TypeScript SDK by plain HTTP, with the arguments as raw JSON', async () => {
  const r = new Reader(program.url);
  await r.open('/test');
  await r.send('action', '/servers', { url: ts.url });
  assert.equal(await r.settled(), 'connected');
  await r.call('deploy', { json: '{"env":"prod"}', raw: 'true' });
  assert.equal(await r.settled(), 'waiting');
  await r.send('data-form', 'answers', { ok: 'true' });
  assert.equal(await r.settled(), 'complete');
  assert.match(r.one('[data-result]').textContent, /deployed to prod/);
});

test('invalid arguments get a message at their field, and nothing is called', async () => {
  const r = new Reader(program.url);
  await r.open('/test');
  await r.send('action', '/servers', { url: ts.url });
  await r.settled();
  await r.call('deploy', {});
  assert.equal(r.status, 422);
  assert.equal(r.main.dataset.exchange, undefined);
});

test('a deep link fills in the form and calls nothing', async () => {
  const r = new Reader(program.url);
  await r.open(`/test?url=${encodeURIComponent(ts.url)}&tool=deploy&args=${encodeURIComponent('{"env":"prod"}')}`);
  assert.equal(r.main.dataset.status, undefined, 'the link made no connection');
  await r.send('action', '/servers');
  assert.equal(await r.settled(), 'connected');
  await r.send('data-name', 'deploy');
  assert.equal(await r.settled(), 'waiting');
  assert.match(r.one('[data-input-key]').textContent, /Deploy to prod\?/);
});

// message returns the JSON-RPC message of a body, which can be an event stream.
function message(body) {
  if (body.startsWith('{')) return JSON.parse(body);
  const events = body.split(/\r?\n/).filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim()).filter(Boolean);
  return JSON.parse(events.at(-1));
}
