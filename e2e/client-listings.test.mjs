// The TypeScript listing of the lesson Build a client runs unchanged on the Node.js
// version of these tests, in a folder made as its install lines say, against the
// client test behind an address. Nothing fails. The listings in Go and Python have
// such a test in playground/capture.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Reader } from './html.mjs';
import { start, temporary, tidy } from './program.mjs';

const run = promisify(execFile);
const here = import.meta.dirname;
const listing = join(here, '../playground/lesson/listings/typescript/client.ts');

let program, dir;
before(async () => {
  program = await start();
  dir = await temporary('client-listing');
  await copyFile(listing, join(dir, 'client.ts'));
  await followInstallLines();
});
after(tidy);

// followInstallLines runs the first command at the top of the listing in its folder.
// In place of npm install, the folder gets the packages of these tests, which have
// the same version.
async function followInstallLines() {
  const lines = (await readFile(listing, 'utf8')).split('\n').filter((line) => line.startsWith('//   '))
    .map((line) => line.slice('//   '.length));
  const { devDependencies } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));
  assert.deepEqual(lines, ['npm init -y && npm pkg set type=module',
    `npm install @modelcontextprotocol/client@${devDependencies['@modelcontextprotocol/client']}`,
    'node client.ts http://127.0.0.1:2322/c/YOUR-TOKEN']);
  await run('bash', ['-c', lines[0]], { cwd: dir, env: { PATH: process.env.PATH, HOME: dir } });
  await symlink(join(here, 'node_modules'), join(dir, 'node_modules'));
}

// observe runs the listing at a new address of the client test. It returns its output
// and the board: verdicts by scenario and check, of what it reached.
async function observe(scenario) {
  const reader = new Reader(program.url);
  await reader.open('/test');
  await reader.send('data-form', 'capture', { server: 'client-test' });
  const page = reader.url.pathname;
  const env = { PATH: process.env.PATH, HOME: dir, MRTR_SERVER_URL: reader.one('[data-address]').textContent };
  if (scenario) env.MRTR_SCENARIO = scenario;
  const { stdout } = await run(join(here, 'node_modules/.bin/node'), ['client.ts'], { cwd: dir, env });
  await reader.open(page);
  const reached = reader.all('[data-tick]').filter((o) => o.dataset.verdict !== 'unreached');
  const board = new Map(reached.map((o) =>
    [o.dataset.tick, `${o.dataset.verdict}: ${o.textContent.replace(/\s+/g, ' ').trim()}`]));
  return { stdout, board, todo: reader.all('#client-next [data-scenario]').map((o) => o.dataset.scenario) };
}

test('nothing of the client test fails', async (t) => {
  const { stdout, board, todo } = await observe();
  t.diagnostic(`${board.size} checks were reached`);
  const seen = [...board.values()].filter((text) => !text.startsWith('unjudged'));
  assert.deepEqual(seen.filter((text) => !/^(pass|stopped)/.test(text)), [], stdout);
  const stopped = [...board].filter(([, text]) => text.startsWith('stopped')).map(([id]) => id);
  assert.deepEqual(stopped, ['extra_envelope/echo'], 'the SDK rejects the message of this scenario');
  assert.ok(seen.length >= 120, `${seen.length} checks were seen:\n${stdout}`);
  assert.deepEqual(todo, ['completion', 'listen'], 'this SDK has neither');
});

test('with MRTR_SCENARIO, only that is called', async () => {
  const { stdout, board } = await observe('five_rounds');
  assert.equal(stdout, 'five_rounds: complete\n');
  assert.match(board.get('five_rounds/echo'), /^pass/);
  assert.ok(!board.has('last_answers/only-asked'));
});
