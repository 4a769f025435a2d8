// Servers that run as separate programs, each on a loopback port.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, end, freePort, started } from '../program.mjs';

const here = import.meta.dirname;

// goSDK is the server that go-sdk tests itself with.
export async function goSDK() {
  const port = await freePort();
  return answering(port, await build('github.com/modelcontextprotocol/go-sdk/conformance/everything-server'), ['-http', `127.0.0.1:${port}`]);
}

// serverEverything is the reference server of the authors of the specification. It
// supports 2025-11-25 and asks with its own requests.
export const serverEverything = () => script('server-everything/dist/index.js', 'streamableHttp');

// typescriptV1 is an example of the TypeScript SDK for earlier revisions.
export const typescriptV1 = () => script('sdk/dist/esm/examples/server/elicitationFormExample.js');

// script runs a script of a package of the authors of the specification, on loopback only.
async function script(path, ...args) {
  const port = await freePort();
  const main = join(here, '../node_modules/@modelcontextprotocol', path);
  return answering(port, process.execPath, ['--import', pathToFileURL(join(here, 'loopback.mjs')).href,
    main, ...args], { PORT: String(port) });
}

// mcpGo is our server on mcp-go, in a separate module, so that nothing else depends
// on that library. If only is set, it is the only revision that the server
// supports.
export async function mcpGo(only = '') {
  bakery ??= build('github.com/mrtr-playground/mrtr-playground/e2e/servers/mcp-go', join(here, 'mcp-go'));
  return started(spawn(await bakery, ['-only', only]));
}

let bakery;

// answering starts a program and waits until its port accepts connections.
async function answering(port, program, args, env = {}) {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  process.on('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/mcp`;
  for (;;) {
    assert.equal(child.exitCode, null, `${program} ended`);
    if (await fetch(url).catch(() => null)) return { url, stop: () => end(child, 'SIGKILL') };
    await new Promise((on) => setTimeout(on, 100));
  }
}

// protectedGoSDK is a server on go-sdk that accepts tokens of the authorization
// server issuer.
export async function protectedGoSDK(issuer) {
  guarded ??= build('github.com/mrtr-playground/mrtr-playground/e2e/servers/go-sdk', join(here, 'go-sdk'));
  return started(spawn(await guarded, ['-issuer', issuer]));
}

let guarded;
