// The client that the official conformance suite runs. It lists the tools of the
// server whose URL is the last argument, and calls each of them with the
// program's command `call` and its default answers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { program, temporary, tidy } from './program.mjs';

const url = process.argv.at(-1);
const path = await program();

// Some scenarios specify the calls to make, or what the client is registered as.
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const { toolCalls } = context;
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const options = await signIn();

try {
  const { tools = [] } = JSON.parse(await call());
  if (toolCalls) for (const wanted of toolCalls) await call(wanted.name, JSON.stringify(wanted.arguments));
  else for (const tool of tools) await call(tool.name, JSON.stringify(least(tool.inputSchema)));
} finally {
  await tidy();
}

// call runs the command. Where it asks for a browser, it gets one: a request that
// follows the redirects back.
async function call(...args) {
  const env = { ...process.env, MRTR_CLIENT_SECRET: context.client_secret ?? '' };
  const child = spawn(path, ['call', '-json', ...options, url, ...args], { env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text; });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
    process.stderr.write(text);
    for (let at; (at = /^Sign in with your browser at\n(.*)\n/m.exec(stderr)); stderr = stderr.slice(at.index + at[0].length)) {
      fetch(at[1]).catch((error) => process.stderr.write(`browser: ${error}\n`));
    }
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`call ended with ${code}`);
  return stdout;
}

// signIn returns the options with which the command signs in.
async function signIn() {
  if (!scenario.startsWith('auth/')) return [];
  const kept = await temporary('tokens');
  return ['-keep', join(kept, 'tokens.json'), ...(await client(kept))];
}

// client returns the options that say who the client is.
async function client(kept) {
  if (context.private_key_pem) {
    const file = join(kept, 'key.pem');
    await writeFile(file, context.private_key_pem, { mode: 0o600 });
    return ['-client-id', context.client_id, '-client-key', file];
  }
  if (scenario.startsWith('auth/client-credentials')) return ['-client-id', context.client_id];
  if (context.client_id) return ['-sign-in', '-client-id', context.client_id];
  if (scenario === 'auth/basic-cimd') return ['-sign-in', '-client-id', 'https://conformance-test.local/client-metadata.json'];
  return ['-sign-in'];
}

// least returns an object with a value for every required property.
function least({ properties = {}, required = [] }) {
  return Object.fromEntries(required.map((name) =>
    [name, { number: 2, integer: 2, boolean: true, array: [], object: {} }[properties[name]?.type] ?? 'x']));
}
