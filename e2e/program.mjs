// Builds and starts the program, each time on a free port with a new data
// directory, and ends it by its process id.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

// patience is an hour for each time that a test may meet by accident, on a machine that is
// slow or busy. A test that is about a limit sets it with a flag.
const patience = ['answer-dns', 'answer-connect', 'answer-tls', 'answer-first-byte', 'answer-total', 'answer-idle',
  'check-time', 'check-answer', 'experiment-time', 'rerun-time', 'agent-round', 'command-exit', 'command-kill',
  'drain', 'request-head-time', 'request-time', 'request-idle', 'request-stall'].map((name) => `${name}=1h`).join(' ');
const root = join(import.meta.dirname, '..');

let built;

// program returns the path of the program that make built, or builds it. Either
// way, it is the code of this working tree.
export function program() {
  built ??= process.env.MRTR_PROGRAM ? Promise.resolve(process.env.MRTR_PROGRAM)
    : build('./cmd/mrtr-playground');
  return built;
}

// build compiles a main package with the dependency versions of the module at
// cwd, by default the program's own. The binary is removed when the process ends.
export async function build(pkg, cwd = root) {
  const dir = await temporary('bin');
  const path = join(dir, pkg.split('/').at(-1));
  await run('go', ['build', '-o', path, pkg], { cwd, maxBuffer: 16 << 20 });
  return path;
}

const leftovers = [];

// temporary creates a directory that is removed when the process ends.
export async function temporary(name) {
  const dir = await mkdtemp(join(tmpdir(), `mrtr-e2e-${name}-`));
  leftovers.push(dir);
  return dir;
}

const children = new Set();

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

// tidy ends the programs and removes the directories of this process. Test files
// call it at their end.
export async function tidy() {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(leftovers.splice(0).map((dir) => rm(dir, { recursive: true, force: true })));
}

// start runs the program and waits until it prints its URL. Pass data to reuse a
// data directory.
export async function start({ data, flags = [] } = {}) {
  data ??= await temporary('data');
  const child = spawn(await program(), ['serve', '-addr', '127.0.0.1:0', '-data', data, ...flags], {
    env: { PATH: process.env.PATH, HOME: data, MRTR_LIMITS: patience },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { url, log } = await listening(child);
  return {
    url,
    data,
    pid: child.pid,
    log,
    memory: () => residentBytes(child.pid),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

// started waits for a program that the test has started itself.
export async function started(child) {
  const { url, log } = await listening(child);
  return { url, log, pid: child.pid, stop: () => end(child, 'SIGTERM') };
}

async function listening(child) {
  children.add(child);
  child.on('exit', () => children.delete(child));
  const log = [];
  child.stderr.setEncoding('utf8').on('data', (text) => log.push(text));
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`ended with ${code ?? signal} before it was listening:\n${log.join('')}`);
  });
  ended.catch(() => {}); // from now on, the test handles the end
  const line = (async () => {
    for await (const text of createInterface({ input: child.stdout })) {
      const found = /listening on (http:\/\/\S+)/.exec(text);
      if (found) return found[1];
    }
    return ended;
  })();
  const url = await Promise.race([line, ended]);
  child.stdout.resume();
  return { url, log };
}

// end sends a signal and waits until the process has ended.
export async function end(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const done = once(child, 'exit');
  child.kill(signal);
  const [code] = await done;
  return code;
}

// residentBytes returns the resident memory of a process. Linux only.
async function residentBytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) * 1024;
}

// freePort returns a free port, below those that the system gives to others meanwhile.
export async function freePort() {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer();
    const free = await new Promise((on) => {
      server.once('error', () => on(false)).listen(port, '127.0.0.1', () => on(true));
    });
    if (!free) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}
