// Command lines that do one thing, against the server in MRTR_SERVER_URL: this runs one
// for each tool, prompt and resource that the server offers, or only for what
// MRTR_SCENARIO names.
//
//   node commands.mjs inspector NODE SCRIPT FLAGS…   MCP Inspector, with --cli
//   node commands.mjs call PROGRAM                   call of this program
import { execFile } from 'node:child_process';
import { fill, wanted } from './user.mjs';

const [kind, program, script, ...flags] = process.argv.slice(2);
const url = process.env.MRTR_SERVER_URL;

// Each line lists what a server offers, and does something with it.
const lines = {
  inspector: {
    list: async (noun) => (await run(inspected(`${noun}/list`)))[noun],
    tool: (name, args) => [...inspected('tools/call'), '--tool-name', name, '--tool-args-json', args],
    prompt: (name) => [...inspected('prompts/get'), '--prompt-name', name],
    resource: (uri) => [...inspected('resources/read'), '--uri', uri],
  },
  call: {
    list: async (noun) => (await run(['call', '-json', url]))[noun],
    tool: (name, args) => ['call', '-json', url, name, args],
    prompt: (name) => ['call', '-json', url, '-prompt', name],
    resource: (uri) => ['call', '-json', url, '-resource', uri],
  },
}[kind];

function inspected(method) {
  return [script, '--cli', url, '--transport', 'http', '--format', 'json', ...flags, '--method', method];
}

// patience is when a program is ended that goes on. That of this project gives up by itself, after
// 30 seconds.
const patience = { inspector: 30_000, call: 90_000 }[kind];

// run runs the program and returns the JSON that it prints; {} if it fails.
async function run(line) {
  const { stdout } = await new Promise((ended) => {
    execFile(program, line, { timeout: patience, maxBuffer: 64 << 20 }, (error, out) => ended({ stdout: out }))
      .stdin.end();
  });
  try {
    const printed = JSON.parse(stdout);
    return printed.result ?? printed;
  } catch {
    return {};
  }
}

const nouns = [['tools', 'tool', 'name'], ['prompts', 'prompt', 'name'], ['resources', 'resource', 'uri']];
for (const [noun, does, key] of nouns) {
  for (const { [key]: name, inputSchema } of await lines.list(noun) ?? []) {
    if (!name || !wanted(name)) continue; // a template has no URI
    console.log(name);
    await run(lines[does](name, JSON.stringify(fill(inputSchema, name))));
  }
}
