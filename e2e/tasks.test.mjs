// A task that never ends, with script and without: polling stops at its limit,
// the page says so and offers to go on, and Cancel ends the task.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';
import { listen } from './servers/wire.mjs';

const most = 3; // polls

let browser, program;
before(async () => {
  program = await start({ flags: ['-limit', `poll-count=${most}`] });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

// endless serves a tool whose call becomes a task that works until it is
// cancelled.
async function endless() {
  let status = 'working';
  const task = () => ({ taskId: 'T', status, createdAt: '2026-11-22T10:00:00Z',
    lastUpdatedAt: '2026-11-22T10:00:00Z', ttlMs: null, pollIntervalMs: 1 });
  return listen({ forever: { call: () => ({ ...task(), resultType: 'task' }) } }, {
    extensions: { 'io.modelcontextprotocol/tasks': {} },
    methods: {
      'tasks/get': task,
      'tasks/cancel': () => { status = 'cancelled'; return {}; },
    },
  });
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';
  test(`polling stops at its limit, goes on and is cancelled, ${how} script`, async (t) => {
    const server = await endless();
    t.after(() => server.stop());
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(`${program.url}/test?url=${encodeURIComponent(server.url)}`);
    await v.click('form[action="/servers"] button');
    await v.status('connected');
    await v.click('form[data-form="call"] [data-do="call"]');

    for (let round = 2; round <= 3; round++) {
      await v.page.locator(`main[data-status="waiting"] [data-round="${round}"]`).first()
        .waitFor({ state: 'attached' });
      assert.match(await v.text('.narration'), /stopped polling, because it has polled as often as its limit allows/);
      assert.match(await v.text('.drawer [data-repeats]'),
        new RegExp(`^Asked ${most} times with the same answer, last at `));
      assert.equal(server.times('tasks/get'), most * (round - 1));
      if (round === 2) await v.click('form[data-form="resend"] [data-do="resend"]');
    }

    await v.click('form[data-form="cancel"] [data-do="cancel"]');
    await v.status('cancelled');
    assert.equal(server.times('tasks/cancel'), 1);
    assert.equal(server.times('tasks/get'), most * 2 + 1);
    assert.equal(await v.page.locator('form[data-form="resend"], form[data-form="cancel"]').count(), 0);
    await v.leave();
  });
}

// asking serves a tool whose task asks two questions and gives their answers.
async function asking() {
  const answers = {};
  const question = (message) => ({ method: 'elicitation/create', params: { mode: 'form', message,
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } } });
  const task = () => {
    const questions = { first: question('First name?'), last: question('Last name?') };
    const open = Object.fromEntries(Object.entries(questions)
      .filter(([key]) => !answers[key]));
    const asks = Object.keys(open).length > 0;
    return { taskId: 'T', status: asks ? 'input_required' : 'completed', createdAt: '2026-11-22T10:00:00Z',
      lastUpdatedAt: '2026-11-22T10:00:00Z', ttlMs: null, pollIntervalMs: 1,
      ...(asks ? { inputRequests: open } : { result: { content: [{ type: 'text',
        text: `Hello, ${answers.first.content.name} ${answers.last.content.name}!` }] } }) };
  };
  const updates = [];
  const server = await listen({ greet: { call: () => ({ taskId: 'T', status: 'working',
    createdAt: '2026-11-22T10:00:00Z', lastUpdatedAt: '2026-11-22T10:00:00Z', ttlMs: null, pollIntervalMs: 1,
    resultType: 'task' }) } }, {
    extensions: { 'io.modelcontextprotocol/tasks': {} },
    methods: {
      'tasks/get': task,
      'tasks/update': (message) => {
        updates.push(message.params.inputResponses);
        Object.assign(answers, message.params.inputResponses);
        return {};
      },
    },
  });
  return { ...server, updates };
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';
  test(`one of two questions of a task is left for later, ${how} script`, async (t) => {
    const server = await asking();
    t.after(() => server.stop());
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(`${program.url}/test?url=${encodeURIComponent(server.url)}`);
    await v.click('form[action="/servers"] button');
    await v.status('connected');
    await v.click('form[data-form="call"] [data-do="call"]');

    await v.click('#a0-later');
    await v.type('#a1-f0', 'Lovelace');
    if (javaScriptEnabled) {
      const preview = v.page.locator('#preview');
      await preview.getByText('first is left open').waitFor();
      await preview.getByText('"inputResponses": {"last":{"action":"accept","content":{"name":"Lovelace"}}}')
        .waitFor();
    }
    await v.click('form[data-form="answers"] [data-do="send"]');

    await v.round(4); // round 3 is the update
    assert.equal(await v.page.locator('[data-input-key="first"]').count(), 1);
    assert.equal(await v.page.locator('[data-input-key="last"]').count(), 0);
    await v.type('#a0-f0', 'Ada');
    await v.click('form[data-form="answers"] [data-do="send"]');
    await v.status('complete');
    assert.match(await v.text('[data-result]'), /Hello, Ada Lovelace!/);
    assert.deepEqual(server.updates, [
      { last: { action: 'accept', content: { name: 'Lovelace' } } },
      { first: { action: 'accept', content: { name: 'Ada' } } },
    ]);
    await v.leave();
  });
}
