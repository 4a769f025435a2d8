// The program keeps no state of an exchange in memory only: after a kill and a
// restart, every exchange continues.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, temporary, tidy } from './program.mjs';
import { listen, text } from './servers/wire.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

test('killed while a question is open: after a restart, the call can be answered and completes', async () => {
  const data = await temporary('data');
  const first = await start({ data });
  const r = new Reader(first.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  await r.send('data-form', 'answers', { resolution: 'Duplicate' });
  assert.equal(await r.settled(), 'waiting');
  const path = r.url.pathname;
  await first.kill();

  const second = await start({ data });
  const v = await visit(browser);
  await v.open(second.url + path);
  await v.status('waiting');
  assert.equal(await v.page.locator('.ribbon [data-round]').count(), 2, 'the recorded rounds are on the page');
  await v.type('[data-field="duplicateOfId"]', '4301');
  await v.click('[data-do="send"]');
  await v.status('complete');
  assert.match(await v.text('[data-result]'), /Duplicate of Bug #4301/);
  await v.leave();
  await second.stop();
});

test('killed while a page is open: the page still works after a restart at the same address', async () => {
  const data = await temporary('data');
  const first = await start({ data });
  const v = await visit(browser);
  // The request for the preview is refused, cut off or never answered.
  v.expects(/ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|Failed to fetch/);
  await v.open(first.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.status('waiting');
  await v.choose('select[data-field="resolution"]', 'Fixed');
  await first.kill();
  const second = await start({ data, flags: ['-addr', new URL(first.url).host] });
  assert.equal(second.url, first.url);
  await v.click('[data-do="send"]');
  await v.status('complete');
  await v.leave();
  await second.stop();
});

test('killed while a request is running: the round is interrupted and can be sent again', async (t) => {
  const server = await listen({
    slow: {
      call: (message, req, res, n) => {
        if (message.params.inputResponses && n === 1) return undefined; // never answered
        return message.params.inputResponses ? text('done at last') : question;
      },
    },
  });
  t.after(server.stop);
  const data = await temporary('data');
  const first = await start({ data });
  const r = new Reader(first.url);
  await r.open('/test');
  await r.send('action', '/servers', { url: server.url });
  assert.equal(await r.settled(), 'connected');
  await r.call('slow');
  assert.equal(await r.settled(), 'waiting');
  await r.send('data-form', 'answers', { go: 'true' });
  assert.equal(r.main.dataset.status, 'running');
  assert.equal(server.times('slow'), 2, 'the retry is running');
  const path = r.url.pathname;
  await first.kill();

  const second = await start({ data });
  const again = new Reader(second.url);
  await again.open(path);
  assert.equal(again.main.dataset.status, 'interrupted');
  assert.equal(again.rounds.at(-1).dataset.outcome, 'interrupted');
  assert.equal(server.times('slow'), 2, 'nothing is sent automatically');

  const v = await visit(browser);
  await v.open(second.url + path);
  await v.status('interrupted');
  await v.click('[data-do="resend"]');
  await v.status('complete');
  assert.match(await v.text('[data-result]'), /done at last/);
  assert.equal(server.times('slow'), 3);
  await v.leave();
  await second.stop();
});

test('SIGTERM ends the program with exit code 0', async () => {
  const program = await start();
  assert.equal(await program.stop(), 0);
});

const question = {
  resultType: 'input_required',
  requestState: 'kept by the client',
  inputRequests: { go: { method: 'elicitation/create',
    params: { message: 'Go on?', requestedSchema: { type: 'object', properties: { go: { type: 'boolean' } },
    required: ['go'] } } } },
};
