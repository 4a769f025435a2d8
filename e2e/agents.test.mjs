// The playground as an MCP server: what it demands of others, it keeps.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connect, connectTo, use } from './agent-client.mjs';
import { program as built, start, temporary, tidy } from './program.mjs';
import { table } from './servers/table.mjs';

let program, server, url;
before(async () => {
  [program, server] = await Promise.all([start(), table()]);
  url = `${program.url}/mcp/playground`;
});
after(async () => {
  await server?.stop();
  await tidy();
});

const resolve = { workItemId: 4522, fields: { 'System.State': 'Resolved' } };

// run returns what the program prints, and its exit code.
async function run(args, env = {}) {
  const path = await built();
  return new Promise((on) => {
    execFile(path, args, { env: { ...process.env, ...env }, maxBuffer: 64 << 20 },
      (err, stdout, stderr) => on({ code: err?.code ?? 0, stdout, stderr }));
  });
}

test('a capture shows the round trips of a check and of a call, without a finding', async () => {
  const client = [process.execPath, join(import.meta.dirname, 'agent-client.mjs')];
  const { code, stdout, stderr } = await run(['client', '-proxy', url, '-format', 'json', '--', ...client],
    { AGENT_SERVER: server.url, AGENT_BASE: program.url });
  assert.equal(code, 0, stdout.slice(0, 2000) + stderr);
  assert.match(stdout, /round-2-1/, 'the second question is in the recording');
  const { summary } = JSON.parse(stdout);
  assert.deepEqual([summary.fail, summary.hint], [0, 0]);
});

for (const mode of [{ pin: '2026-07-28' }, 'legacy']) {
  test(`over standard input, ${mode.pin ?? mode}`, async () => {
    const transport = new StdioClientTransport({ command: await built(), args: ['mcp'], stderr: 'ignore' });
    const client = await connectTo(program.url, transport, mode);
    await use(client, server.url, program.url);
    await client.close();
  });
}

test('a legacy client over HTTP', async () => {
  const client = await connect(program.url, url, 'legacy');
  await use(client, server.url, program.url);
  await client.close();
});

for (const [tool, args, answers] of [
  ['call_tool', { url: 'BASE/mcp/azure-devops', tool: 'update_work_item', arguments: resolve }, {}],
  ['check_server', { url: 'TABLE', tool: 'book_table' }, { mine: { mine: false } }],
]) {
  test(`the check of ${tool} is clean`, async () => {
    const text = JSON.stringify(args).replace('BASE', program.url).replace('TABLE', server.url);
    const file = join(await temporary('answers'), 'answers.json');
    await writeFile(file, JSON.stringify(answers));
    const { code, stdout, stderr } = await run(['check', url, '-tool', tool, '-args', text, '-answers', file]);
    assert.equal(code, 0, stdout + stderr);
    assert.doesNotMatch(stdout, /^  \S (advisory|failed)/m);
  });
}

// The other scenarios of the suite need tools of its own, which /mcp/conformance has.
for (const scenario of ['tools-list', 'prompts-list', 'resources-list', 'caching', 'dns-rebinding-protection',
  'http-header-validation', 'sep-2164-resource-not-found', 'server-sse-multiple-streams']) {
  test(`conformance: ${scenario}`, async () => {
    const suite = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const failed = await new Promise((on) => {
      execFile(process.execPath, [suite, 'server', '--url', url, '--scenario', scenario], { maxBuffer: 64 << 20 },
        (err, stdout, stderr) => on(err && stdout + stderr));
    });
    assert.equal(failed, null);
  });
}
