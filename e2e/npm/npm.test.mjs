// Publishes the npm packages of a release to a registry on loopback, and starts the program
// from there with npx and empty caches. `make npm-check` builds the packages and runs this.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { end, started, temporary, tidy } from '../program.mjs';
import { clean, publish, registry } from './registry.mjs';

const run = promisify(execFile);
const packages = process.env.MRTR_PACKAGES;
const skip = !packages && 'MRTR_PACKAGES names no folder of packages: run make npm-check';

let store;
before(async () => {
  if (skip) return;
  store = await registry();
  for (const name of (await readdir(packages)).sort()) await publish(store, join(packages, name));
});
after(async () => {
  await store?.stop();
  await tidy();
});

test('the packages have the program and its licenses, and no script', { skip }, async () => {
  for (const name of await readdir(packages)) {
    const files = await readdir(join(packages, name));
    const manifest = JSON.parse(await readFile(join(packages, name, 'package.json'), 'utf8'));
    assert.equal(manifest.scripts, undefined);
    assert.ok(files.includes('LICENSE'));
    if (name === 'mrtr-playground') {
      assert.deepEqual(manifest.dependencies, undefined);
      continue;
    }
    assert.ok(files.includes('THIRD_PARTY_LICENSES'));
    assert.equal(`${manifest.os}-${manifest.cpu}`, name);
  }
});

test('npx starts the program, which ends with Ctrl-C', { skip }, async () => {
  const env = await clean(store);
  // A terminal sends the signal to its whole group.
  const child = spawn('npx', ['--yes', 'mrtr-playground', '-addr', '127.0.0.1:0'],
    { env, cwd: env.HOME, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const program = await started(child);
  const page = await (await fetch(`${program.url}/learn/your-turn`)).text();
  assert.match(page, /npx mrtr-playground check http/, 'pages show the command that started it');
  const closed = once(child, 'close'); // of its output, which the program holds open
  process.kill(-child.pid, 'SIGINT');
  await closed;
  await assert.rejects(fetch(program.url));
});

test('exit codes, standard input and SIGTERM are passed on', { skip }, async () => {
  const env = await clean(store);
  await run('npm', ['install', '--prefix', env.HOME, 'mrtr-playground'], { env });
  const bin = join(env.HOME, 'node_modules/.bin/mrtr-playground');
  assert.equal((await stat(bin)).mode & 0o111, 0o111);
  const wrong = await run(bin, ['call'], { env }).catch((error) => error);
  assert.equal(wrong.code, 2);

  const agent = spawn(bin, ['mcp', '-data', join(env.HOME, 'data')], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  agent.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",' +
    '"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\n');
  const [answer] = await once(agent.stdout, 'data');
  assert.equal(JSON.parse(answer).id, 1);
  agent.stdin.end();
  assert.deepEqual(await once(agent, 'exit'), [0, null]);

  const program = spawn(bin, ['-addr', '127.0.0.1:0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { url } = await started(program);
  assert.equal(await end(program, 'SIGTERM'), 0);
  await assert.rejects(fetch(url));
});

test('without the package of the platform, the command says what to do', { skip }, async () => {
  const env = await clean(store);
  await run('npm', ['install', '--prefix', env.HOME, '--omit=optional', 'mrtr-playground'], { env });
  const { code, stderr } = await run(join(env.HOME, 'node_modules/.bin/mrtr-playground'), [], { env })
    .catch((error) => error);
  assert.equal(code, 1);
  assert.match(stderr, /is missing\. Install again without --omit=optional/);
});
