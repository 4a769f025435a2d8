// The TypeScript listing of the last lesson runs unchanged on the Node.js version
// of these tests and completes a call of the program.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { program, started, temporary, tidy } from './program.mjs';

const run = promisify(execFile);
const here = import.meta.dirname;
const listing = join(here, '../playground/lesson/listings/typescript/server.ts');

let first, second, dir;

// Two processes with the same key: a retry can go to either.
before(async () => {
  dir = await temporary('listing');
  await copyFile(listing, join(dir, 'server.ts'));
  await symlink(join(here, 'node_modules'), join(dir, 'node_modules'));
  const node = join(here, 'node_modules/.bin/node');
  const env = { PATH: process.env.PATH, MCP_KEY: 'a key of the tests, 32 bytes long' };
  const listen = () => started(spawn(node, ['server.ts', '0'],
    { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  [first, second] = [await listen(), await listen()];
});
after(tidy);

// call calls the listing's tool with answers and returns the report.
async function call(answers, url = first.url) {
  const file = join(dir, `answers-${Math.random()}.json`);
  await writeFile(file, JSON.stringify(answers));
  const done = await run(await program(), ['call', '-json', '-answers', file, url, 'deploy',
    '{"app":"shop"}'], { env: { PATH: process.env.PATH, HOME: dir } })
    .catch((failed) => failed);
  return JSON.parse(done.stdout);
}

const text = (report) => report.result.content[0].text;

test('three rounds, with a state from the second question on', async () => {
  const report = await call({ when: { when: 'tonight' }, sure: { sure: true } });
  assert.equal(report.status, 'complete');
  assert.deepEqual(report.rounds.map((r) => r.outcome), ['input_required', 'input_required', 'complete']);
  const results = report.rounds.map((r) => JSON.parse(r.response.body).result);
  assert.ok(!('requestState' in results[0]), 'no state in round 1');
  assert.match(results[1].requestState, /^v1\./);
  assert.equal(text(report), 'Deployed shop tonight.');
});

test('a cleared box, a decline and a cancel deploy nothing', async () => {
  assert.equal(text(await call({ when: { when: 'now' }, sure: { sure: false } })),
    'Nothing was deployed: the box was not ticked.');
  assert.equal(text(await call({ when: { when: 'now' }, sure: { action: 'decline' } })),
    'Nothing was deployed: it was not confirmed.');
  assert.equal(text(await call({ when: { action: 'cancel' } })), 'Nothing was deployed: no time was chosen.');
});

test('the check finds no violation in it', async () => {
  const file = join(dir, 'right.json');
  await writeFile(file, JSON.stringify({ when: { when: 'now' }, sure: { sure: true } }));
  const done = await run(await program(), ['check', '-tool', 'deploy', '-args', '{"app":"shop"}',
    '-answers', file, first.url], { env: { PATH: process.env.PATH, HOME: dir } })
    .catch((failed) => failed);
  assert.equal(done.code ?? 0, 0, done.stdout);
  assert.match(done.stdout, /Control: tools\/call deploy, complete after 3 rounds/);
});

// send posts a recorded request again, with a change.
async function send(url, round, change) {
  const body = JSON.parse(round.request.body);
  change(body);
  const headers = Object.fromEntries(round.request.head.split('\r\n').slice(1).filter((l) => l &&
    !/^(host|content-length|connection)/i.test(l)).map((l) => l.split(/: (.*)/s).slice(0, 2)));
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json();
}

test('another process accepts the state and rejects a changed one', async () => {
  const report = await call({ when: { when: 'now' }, sure: { sure: true } });
  const last = report.rounds[2];
  const elsewhere = await send(second.url, last, (m) => { m.id = 99; });
  assert.equal(elsewhere.result.content[0].text, 'Deployed shop now.');
  // not the last character: the codec ignores some of its bits
  const forged = await send(first.url, last,
    (m) => { m.params.requestState = m.params.requestState.replace(/^(v1\.)(.)/, (all, prefix, c) =>
    prefix + (c === 'A' ? 'B' : 'A')); });
  assert.equal(forged.error.code, -32602);
  const moved = await send(first.url, last, (m) => { m.params.arguments.app = 'blog'; });
  assert.ok(moved.error || moved.result.isError, 'a state of another call is rejected');
});
