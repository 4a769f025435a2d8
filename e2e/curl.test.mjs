// The curl command on the page repeats the request: pasted into a shell, it gets
// the same kind of response.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';

const run = promisify(execFile);

let program;
before(async () => {
  program = await start();
});
after(tidy);

test('the curl command of each round repeats its request', async () => {
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  await r.send('data-form', 'answers', { resolution: "Won't Fix" });
  await r.settled();
  const pages = await Promise.all(r.rounds.map((e) => r.exact(e.dataset.round)));
  const commands = pages.map((page) => page.querySelector('[data-curl]').textContent);
  const recorded = (await r.bodies('response')).map((text) => JSON.parse(text));
  assert.equal(commands.length, recorded.length);
  for (const [n, command] of commands.entries()) {
    const { stdout } = await run('sh', ['-c', command]);
    assert.match(stdout, /^HTTP\/1\.1 200/);
    const replayed = JSON.parse(stdout.slice(stdout.indexOf('\r\n\r\n') + 4));
    assert.equal(replayed.id, recorded[n].id);
    assert.equal(replayed.result.resultType, recorded[n].result.resultType);
    assert.deepEqual(replayed.result.content, recorded[n].result.content);
    assert.deepEqual(replayed.result.inputRequests, recorded[n].result.inputRequests);
  }
  assert.match(recorded.at(-1).result.content[0].text, /Won't Fix/, 'the shell kept the quote');
});
