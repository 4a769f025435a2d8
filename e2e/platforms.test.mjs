// Runs the program on each platform that this machine can run: this one, arm64 under qemu,
// and Windows under wine. From its start, over the first call and a server that is a
// command, to its end, with which its child processes end. `make release` builds the
// programs of other platforms; the workflow runs this test on machines of their own.
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { end, program, started, temporary, tidy } from './program.mjs';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const released = (name) => join(root, 'bin/release', `mrtr-playground-${name}`);
const which = (...names) => names.find((name) => existsSync(name));

after(tidy);

const qemu = which('/usr/bin/qemu-aarch64-static', '/usr/bin/qemu-aarch64');
test('linux-arm64 under qemu', { skip: missing(qemu, 'qemu-user-static', 'linux-arm64') }, () =>
  check({ path: released('linux-arm64'), words: [qemu] }));

const wine = which('/usr/lib/wine/wine64', '/usr/bin/wine64');
test('windows-amd64 under wine', { skip: missing(wine, 'wine64', 'windows-amd64.exe') }, async () => {
  const prefix = await temporary('wine');
  const env = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: '-all', DISPLAY: '' };
  await run(wine, ['wineboot', '-i'], { env });
  try {
    await addRandom(prefix);
    await check({ path: released('windows-amd64.exe'), words: [wine], windows: true, console: false, env });
  } finally {
    await run(which('/usr/lib/wine/wineserver64', '/usr/lib/wine/wineserver'), ['-k'], { env }).catch(() => {});
  }
});

test('this platform', async () =>
  check({ path: await program(), words: [], windows: process.platform === 'win32' }));

// missing returns why a test is skipped, or false.
function missing(command, pkg, name) {
  if (!command) return `${pkg} is not installed`;
  return !existsSync(released(name)) && `make release has not built ${name}`;
}

// addRandom gives a Windows of wine what Go needs and wine 8 lacks: ProcessPrng. Only this
// test uses it.
async function addRandom(prefix) {
  const source = join(prefix, 'random.c');
  await writeFile(source, `
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
  return SystemFunction036(data, size);
}
`);
  await run('x86_64-w64-mingw32-gcc', ['-shared', '-o',
    join(prefix, 'drive_c/windows/system32/bcryptprimitives.dll'), source, '-ladvapi32']);
}

// check plays the program at path on a platform, whose commands begin with words. A Windows
// without a console, as wine has it here, cannot ask a program to end: there it is killed twice.
async function check({ path, words, windows = false, console = true, env = process.env }) {
  const dir = join(await temporary('platform'), 'my programs');
  await mkdir(dir);
  const own = (name) => (windows && process.platform !== 'win32' ? `Z:${name.replaceAll('/', '\\')}` : name);
  const binary = join(dir, `mrtr-playground${windows ? '.exe' : ''}`);
  await copyFile(path, binary);
  const helper = join(dir, `platform${windows ? '.exe' : ''}`);
  execFileSync('go', ['build', '-o', helper, './e2e/platform'],
    { cwd: root, env: { ...process.env, CGO_ENABLED: '0', ...(windows && { GOOS: 'windows', GOARCH: windowsArch() }) } });
  const [command, ...before] = [...words, binary];
  const ask = (...args) => run(command, [...before, ...args], { env });
  assert.match((await ask('version')).stdout, /^mrtr-playground \S+\r?\n$/);

  const server = `"${own(helper)}" be-the-server modern`;
  const serve = ['serve', '-addr', '127.0.0.1:0', '-data', own(join(dir, 'my data')), '-stdio', server,
    '-limit', 'command-exit=1h'];

  // Asked to end, it ends with code 0, and the server with it.
  const [first, ...rest] = !console ? [command, ...before, ...serve]
    : windows ? [...words, helper, 'stop', own(binary), ...serve] : [helper, 'stop', ...words, binary, ...serve];
  let child = spawn(first, rest, { env, stdio: 'pipe' });
  let playground = await started(child);
  const page = await (await fetch(`${playground.url}/`)).text();
  assert.match(page, /data-start="azure-devops"/);
  const { stdout } = await ask('call', `${playground.url}/mcp/azure-devops`, 'update_work_item',
    '{"workItemId":4522,"fields":{"System.State":"Resolved"}}');
  assert.match(stdout, /complete/);
  let held = await hold(playground.url, 'fork');
  if (console) {
    child.stdin.end();
    const [code] = await once(child, 'exit');
    assert.equal(code, 0, playground.log.join(''));
  } else {
    await end(child, 'SIGKILL');
  }
  await held.ended;

  // It is killed: its server ends all the same, although it ignores the end of its input.
  child = spawn(command, [...before, ...serve], { env, stdio: 'pipe' });
  playground = await started(child);
  held = await hold(playground.url, 'stubborn');
  await end(child, 'SIGKILL');
  await held.ended;

  // In the terminal: the words of the command come as they were typed.
  const answer = await ask('call', '-stdio', server, 'pid');
  assert.match(answer.stdout, /\d+/);
}

// windowsArch returns the architecture of programs for Windows that run here.
function windowsArch() {
  return process.platform === 'win32' && process.arch === 'arm64' ? 'arm64' : 'amd64';
}

// hold calls a tool of the server that is a command: a process of it holds a connection
// until it ends.
async function hold(url, tool) {
  const listener = createServer();
  await new Promise((done) => { listener.listen(0, '127.0.0.1', done); });
  const came = once(listener, 'connection');
  const text = async (path) => (await fetch(`${url}${path}`)).text();
  let target;
  for (; !target;) target = /href="\/servers\/([A-Z0-9]{20,})"/.exec(await text('/test'))?.[1];
  for (; !/data-status="connected"/.test(await text(`/servers/${target}`));) await setTimeout(20);
  const form = new URLSearchParams({
    target, tool, raw: 'true', json: JSON.stringify({ address: `127.0.0.1:${listener.address().port}` }),
  });
  const response = await fetch(`${url}/exchanges`, { method: 'POST', body: form, redirect: 'manual' });
  assert.equal(response.status, 303, await response.text());
  const [socket] = await came;
  listener.close();
  return { ended: new Promise((done) => { socket.on('error', () => {}).on('close', done).resume(); }) };
}
