// Measures npx to the first page, with empty caches and through the same registry on loopback:
// this program, and the official Inspector. Run it after make npm-check:
//
//	e2e/node_modules/.bin/node e2e/npm/beside.mjs
//
// The registry has the packages of both before they are measured, so that no time is that of the
// network. Seconds are the median of RUNS; megabytes are what npx puts on the disk.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, tidy } from '../program.mjs';
import { clean, publish, registry } from './registry.mjs';

const run = promisify(execFile);
const runs = Number(process.env.RUNS ?? 3);
const root = join(import.meta.dirname, '../..');
const packages = join(root, 'bin/npm-check/npm');

const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim();
const store = await registry(upstream);
for (const name of (await readdir(packages)).sort()) await publish(store, join(packages, name));

const programs = [
  { name: 'mrtr-playground', words: (port) => ['mrtr-playground', '-addr', `127.0.0.1:${port}`] },
  { name: '@modelcontextprotocol/inspector', words: () => ['@modelcontextprotocol/inspector'],
    env: (port) => ({ CLIENT_PORT: port, MCP_AUTO_OPEN_ENABLED: 'false', BROWSER: 'none' }) },
];

const megabytes = async (dir) => Number((await run('du', ['-sb', dir])).stdout.split('\t')[0]) / 1e6;

// first starts a program with npx, and returns the seconds until its first page, and the
// megabytes of what was installed and of the cache.
async function first({ words, env }) {
  const port = String(await freePort());
  const home = await clean(store);
  const begin = performance.now();
  const child = spawn('npx', ['--yes', ...words(port)],
    { env: { ...home, ...env?.(port) }, cwd: home.HOME, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => log.push(text));
  let page;
  while (!page) {
    if (child.exitCode !== null) throw new Error(`${words(port)[0]} has ended:\n${log.join('')}`);
    page = await fetch(`http://127.0.0.1:${port}/`).then((r) => (r.ok ? r.text() : ''), () => '');
  }
  const seconds = (performance.now() - begin) / 1000;
  process.kill(-child.pid, 'SIGTERM');
  await once(child, 'exit');
  return {
    seconds,
    page: Buffer.byteLength(page),
    installed: await megabytes(join(home.HOME, '.npm/_npx')),
    cache: await megabytes(join(home.HOME, '.npm/_cacache')),
  };
}

for (const one of programs) {
  await first(one); // fills the registry
  const list = [];
  for (let i = 0; i < runs; i++) list.push(await first(one));
  list.sort((a, b) => a.seconds - b.seconds);
  const { seconds, page, installed, cache } = list[Math.floor(runs / 2)];
  console.log(`${one.name}: ${seconds.toFixed(1)} s to the first page (${page} bytes), ` +
    `${installed.toFixed(1)} MB installed, ${cache.toFixed(1)} MB downloaded`);
}
await store.stop();
await tidy();
