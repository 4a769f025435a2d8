// The TypeScript listing of the lesson Build your own runs unchanged on the Node.js version
// of these tests, in a folder made as its install lines say, and completes a call
// of the program. It seals its states by default, and signs them with SIGN.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { program, started, temporary, tidy } from './program.mjs';
import { typescript } from './servers/typescript.mjs';

const run = promisify(execFile);
const here = import.meta.dirname;
const listing = join(here, '../playground/lesson/listings/typescript/server.ts');
const node = join(here, 'node_modules/.bin/node');

let first, second, signing, signedIn, dir;

// Two processes with the same key: a retry can go to either.
before(async () => {
  dir = await temporary('listing');
  await copyFile(listing, join(dir, 'server.ts'));
  const env = { PATH: process.env.PATH, HOME: dir, MCP_KEY: await followInstallLines() };
  const listen = (more) => started(spawn(node, ['server.ts', '0'],
    { cwd: dir, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] }));
  [first, second] = [await listen(), await listen()];
  signing = await listen({ SIGN: '1' });
  signedIn = await listen({ USERS: 'a-1=ada,a-2=ada,b-1=bob' });
});
after(tidy);

// followInstallLines runs the commands at the top of the listing in its folder and
// returns the key that they make. In place of npm install, the folder gets the
// packages of these tests, which have the same version.
async function followInstallLines() {
  const lines = (await readFile(listing, 'utf8')).split('\n').filter((line) => line.startsWith('//   '))
    .map((line) => line.slice('//   '.length));
  const { devDependencies } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));
  const version = devDependencies['@modelcontextprotocol/server'];
  assert.deepEqual(lines, ['npm init -y && npm pkg set type=module',
    `npm install @modelcontextprotocol/server@${version}`,
    'MCP_KEY=$(openssl rand -hex 32) node server.ts 8080']);
  const bash = (line) => run('bash', ['-c', line], { cwd: dir, env: { PATH: process.env.PATH, HOME: dir } });
  await bash(lines[0]);
  await symlink(join(here, 'node_modules'), join(dir, 'node_modules'));
  return (await bash(lines[2].replace(/ node .*/, '; echo $MCP_KEY'))).stdout.trim();
}

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
  assert.ok(!Buffer.from(results[1].requestState, 'base64url').includes('tonight'), 'the state is sealed');
  assert.equal(text(report), 'Deployed shop tonight.');
});

test('a cleared box, a decline and a cancel deploy nothing', async () => {
  assert.equal(text(await call({ when: { when: 'now' }, sure: { sure: false } })),
    'Nothing was deployed: the box was not ticked.');
  assert.equal(text(await call({ when: { when: 'now' }, sure: { action: 'decline' } })),
    'Nothing was deployed: it was not confirmed.');
  assert.equal(text(await call({ when: { action: 'cancel' } })), 'Nothing was deployed: no time was chosen.');
});

// check returns what the program says of a server with a tool deploy, and its exit code.
async function check(url, args, answers, ...flags) {
  const file = join(dir, `answers-${Math.random()}.json`);
  await writeFile(file, JSON.stringify(answers));
  const done = await run(await program(), ['check', '-tool', 'deploy', '-args', JSON.stringify(args),
    '-answers', file, ...flags, url], { env: { PATH: process.env.PATH, HOME: dir } })
    .catch((failed) => failed);
  return { code: done.code ?? 0, text: done.stdout };
}

for (const [name, url, ...flags] of [
  ['sealed', () => first.url], ['signed', () => signing.url],
  ['of users', () => signedIn.url, '-header', 'Authorization: Bearer a-1', '-person', 'Authorization: Bearer b-1'],
]) {
  test(`a check finds nothing in it; its states are ${name}`, async () => {
    const { code, text } = await check(url(), { app: 'shop' }, { when: { when: 'now' }, sure: { sure: true } }, ...flags);
    assert.equal(code, 0, text);
    assert.match(text, /Baseline: the correct call, tools\/call deploy, (made \d+ times, )?completed in 3 rounds/);
    assert.match(text, /^complete: \d+ passed/m, text);
    assert.match(text, /^rules: \d+ passed/m, text);
  });
}

test('what the SDK does in a server without this code is named, with what mends it', async () => {
  const server = await typescript();
  const { text } = await check(server.url, { env: 'staging' }, { confirm: { ok: true } }).finally(server.stop);
  assert.match(text, /looks like one of @modelcontextprotocol\/server 2\.4\.0\. It drops a malformed answer; .*droppedInputResponseKeys has its key/);
  assert.match(text, /createRequestStateCodec of @modelcontextprotocol\/server \(2\.4\.0\) decodes so/);
});

// send posts a recorded request again, with a change and a token.
async function send(url, round, change, token) {
  const body = JSON.parse(round.request.body);
  change(body);
  const headers = Object.fromEntries(round.request.head.split('\r\n').slice(1).filter((l) => l &&
    !/^(host|content-length|connection)/i.test(l)).map((l) => l.split(/: (.*)/s).slice(0, 2)));
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json();
}

// flipped returns a state with another character at a place.
function flipped(state, at) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return state.slice(0, at) + letters[letters.indexOf(state[at]) ^ 1] + state.slice(at + 1);
}

for (const [name, url] of [['sealed', () => first.url], ['signed', () => signing.url]]) {
  test(`a ${name} state is valid for its call, unchanged`, async () => {
    const last = (await call({ when: { when: 'now' }, sure: { sure: true } }, url())).rounds[2];
    // not the last character: the codec of the SDK ignores some of its bits
    const forged = await send(url(), last, ({ params }) => { params.requestState = flipped(params.requestState, 20); });
    assert.equal(forged.error.code, -32602);
    const moved = await send(url(), last, ({ params }) => { params.arguments.app = 'blog'; });
    assert.ok(moved.error || moved.result.isError, 'a state of another call is rejected');
  });
}

test('another process accepts a sealed state, and rejects it with other unused bits', async () => {
  const last = (await call({ when: { when: 'now' }, sure: { sure: true } })).rounds[2];
  const elsewhere = await send(second.url, last, (m) => { m.id = 99; });
  assert.equal(elsewhere.result.content[0].text, 'Deployed shop now.');
  const { requestState } = JSON.parse(last.request.body).params;
  assert.notEqual(requestState.length % 4, 0, 'the last character has unused bits');
  const spare = await send(first.url, last, ({ params }) => { params.requestState = flipped(requestState, requestState.length - 1); });
  assert.equal(spare.error.code, -32602);
});

test('a state belongs to the user, not to the token', async () => {
  const rounds = (await call({ when: { when: 'now' }, sure: { sure: true } })).rounds;
  const asked = await send(signedIn.url, rounds[1], () => {}, 'a-1');
  const answer = (token) => send(signedIn.url, rounds[2], ({ params }) => {
    params.requestState = asked.result.requestState;
  }, token);
  assert.equal((await answer('a-2')).result.content[0].text, 'Deployed shop now.');
  assert.equal((await answer('b-1')).error.code, -32602);
  assert.equal((await answer('none')).error, 'invalid_token');
});
