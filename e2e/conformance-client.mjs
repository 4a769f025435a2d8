// The client that the official conformance suite runs. It lists the tools of the
// server whose URL is the last argument, and calls each of them with the
// program's command `call` and its default answers.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { program } from './program.mjs';

const run = promisify(execFile);

const url = process.argv.at(-1);
const path = await program();

const { tools = [] } = JSON.parse(await call());
// Some scenarios specify the calls to make.
const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
if (toolCalls) for (const wanted of toolCalls) await call(wanted.name, JSON.stringify(wanted.arguments));
else for (const tool of tools) await call(tool.name, JSON.stringify(least(tool.inputSchema)));

async function call(...args) {
  const { stdout } = await run(path, ['call', '-json', url, ...args], { maxBuffer: 16 << 20 });
  return stdout;
}

// least returns an object with a value for every required property.
function least({ properties = {}, required = [] }) {
  return Object.fromEntries(required.map((name) =>
    [name, { number: 2, integer: 2, boolean: true, array: [], object: {} }[properties[name]?.type] ?? 'x']));
}
