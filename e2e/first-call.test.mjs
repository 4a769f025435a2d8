// The first call: from the landing page to a finished call in few steps, in a
// browser, in a browser without script, and by plain HTTP.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';

const done = 'Bug #4522 resolved as Duplicate of Bug #4301. State set to Resolved and duplicate link created.';

let browser, program;
before(async () => {
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

test('by mouse: two clicks to the first question, five clicks to the resolved bug', async (t) => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await asked(v);
  assert.ok(v.clicks <= 2, `${v.clicks} clicks to the first question`);
  assert.equal(v.keys, 0, 'keystrokes to the first question');
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click('[data-do="send"]');
  await v.round(2);
  await v.reach('[data-field="duplicateOfId"]');
  await v.press(...'4301');
  await v.click('[data-do="send"]');
  await resolved(v, t);
});

test('without script: two clicks to the first question, five clicks to the resolved bug', async (t) => {
  const v = await visit(browser, { javaScriptEnabled: false });
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await asked(v);
  assert.ok(v.clicks <= 2, `${v.clicks} clicks to the first question`);
  assert.equal(v.keys, 0, 'keystrokes to the first question');
  await v.click(v.page.getByText('resolution', { exact: true }).and(v.page.locator('label'))); // focuses the list and does not open it
  await v.press('D');
  await v.click('[data-do="send"]');
  await v.round(2);
  await v.click('[data-field="duplicateOfId"]');
  await v.press(...'4301');
  await v.click('[data-do="send"]');
  await resolved(v, t);
});

test('by keyboard: no click to the resolved bug', async (t) => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.walk('form[data-start="azure-devops"] button');
  await v.press('Enter');
  await asked(v);
  await v.walk('select[data-field="resolution"]');
  await v.press('D');
  await v.walk('[data-do="send"]');
  await v.press('Enter');
  await v.round(2);
  await v.walk('[data-field="duplicateOfId"]');
  await v.press(...'4301');
  await v.walk('[data-do="send"]');
  await v.press('Enter');
  await resolved(v, t);
  assert.equal(v.clicks, 0);
});

async function asked(v) {
  await v.status('waiting');
  await v.page.locator('[data-input-key="resolution"]').waitFor();
}

async function resolved(v, t) {
  await v.status('complete');
  assert.ok((await v.text('[data-result]')).includes(done), 'the result is on the page');
  t.diagnostic(`${v.clicks} clicks and ${v.keys} keystrokes`);
  assert.ok(v.clicks <= 5, `${v.clicks} clicks in all`);
  await v.leave();
}

test('by plain HTTP: three forms to the resolved bug', async () => {
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  assert.equal(await r.settled(), 'waiting');
  assert.equal(r.one('[data-input-key]').dataset.inputMethod, 'elicitation/create');
  await r.send('data-form', 'answers', { resolution: 'Duplicate' });
  assert.equal(await r.settled(), 'waiting');
  assert.equal(r.rounds.length, 2);
  await r.send('data-form', 'answers', { duplicateOfId: '4301' });
  assert.equal(await r.settled(), 'complete');
  assert.equal(r.sent, 3);
  assert.equal(r.one('[data-result]').dataset.isError, undefined);
  assert.ok(r.one('[data-result]').textContent.includes(done), 'the result is on the page');
});

test('each retry has a new id, the answers to the latest questions only, and the exact state', async () => {
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  await r.send('data-form', 'answers', { resolution: 'Duplicate' });
  await r.settled();
  await r.send('data-form', 'answers', { duplicateOfId: '4301' });
  await r.settled();
  const sent = (await r.bodies('request')).map((text) => JSON.parse(text));
  const got = (await r.bodies('response')).map((text) => JSON.parse(text));
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map((m) => m.id)).size, 3, 'each request has a new id');
  assert.ok(!('requestState' in sent[1].params), 'no state in a retry unless the result had one');
  assert.deepEqual(Object.keys(sent[2].params.inputResponses), ['duplicate_of']);
  assert.equal(sent[2].params.requestState, got[1].result.requestState);
  for (const m of sent) assert.deepEqual(m.params.arguments, sent[0].params.arguments);
});

test('decline and cancel end the call with an explanation', async () => {
  for (const [action, status] of [['decline', 'declined'], ['cancel', 'cancelled']]) {
    const r = new Reader(program.url);
    await r.open('/');
    await r.send('data-start', 'azure-devops');
    await r.settled();
    await r.send('data-form', 'answers', { 'a0.action': action });
    assert.equal(await r.settled(), status);
    assert.match(r.one('[data-result]').textContent, /was not changed/);
  }
});
