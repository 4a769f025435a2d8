// The clients of the page The field, each through an address in front of a sample, of
// a server of the user's own, and of the client test. clients.test.mjs drives the
// TypeScript client through all samples and the whole client test.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Reader } from './html.mjs';
import { build, program as built, start, tidy } from './program.mjs';
import { mcpGo } from './servers/programs.mjs';
import { connect } from './typescript-client.mjs';

const here = join(import.meta.dirname, 'clients');
const node = process.execPath;
const launcher = join(here, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

let program, bakery, reader, own, goClients;
before(async () => {
  program = await start();
  [bakery, goClients] = await Promise.all([mcpGo(),
    build('github.com/mrtr-playground/mrtr-playground/e2e/clients/go', join(here, 'go'))]);
  reader = new Reader(program.url);
  await reader.open('/test');
  await reader.send('action', '/servers', { url: bakery.url });
  own = reader.url.pathname.split('/').at(-1);
  await reader.settled();
});
after(async () => {
  await bakery?.stop();
  await tidy();
});

// capture makes an address in front of a server.
async function capture(server) {
  await reader.open('/test');
  await reader.send('data-form', 'capture', { server });
  return { page: reader.url.pathname, address: reader.one('[data-address]').textContent };
}

// seen returns what the page of a capture shows: its calls by name, with their
// rounds and status, what the client does wrong, and the verdicts of the client
// test by scenario.
async function seen(page) {
  await reader.open(page);
  const text = (e) => e.textContent.replace(/\s+/g, ' ').trim();
  return {
    requests: Number(reader.one('main[data-requests]').dataset.requests),
    calls: reader.all('[data-call]').map((row) => [...row.cells].slice(0, 3).map(text).join(' ')),
    wrong: [...reader.all('[data-side="client"] [data-verdict="fail"]'),
      ...reader.all('[data-tick][data-verdict="fail"]')].map(text),
    passed: new Set(reader.all('[data-tick][data-verdict="pass"]').map((row) => row.dataset.tick)),
  };
}

// run runs a command with an address, and with the name of what it is to call.
function run(command, address, name) {
  const [file, ...args] = command;
  return promisify(execFile)(file, args, { cwd: here, env: { ...process.env, MRTR_SERVER_URL: address,
    MRTR_SCENARIO: name } });
}

const commands = {
  'go-sdk': async () => [goClients, '-library', 'go-sdk'],
  'mcp-go': async () => [goClients, '-library', 'mcp-go'],
  'AI SDK': async () => [node, 'ai-sdk.mjs'],
  call: async () => [node, 'commands.mjs', 'call', await built()],
  Inspector: async () => [node, 'commands.mjs', 'inspector', node, launcher, '--protocol-era', 'modern'],
};

for (const [name, command] of Object.entries(commands)) {
  const answers = name !== 'Inspector'; // its command line declares no elicitation
  test(`${name} through a capture: a sample, the user's own server, the client test`, async () => {
    for (const [server, tool, call] of [
      answers ? ['confirm', 'delete_records', /delete_records tools\/call 2 ✓ complete/]
        : ['azure-devops', 'list_work_items', /list_work_items tools\/call 1 ✓ complete/],
      [own, ...(answers ? ['order', /order tools\/call 2 ✓ complete/]
        : ['price', /price tools\/call 1 ✓ complete/])],
      ['client-test', 'echo_quotes', answers ? /echo_quotes tools\/call 2 ✓ complete/
        : /echo_quotes tools\/call 1/],
    ]) {
      const { page, address } = await capture(server);
      await run(await command(), address, tool);
      const { calls, wrong, passed } = await seen(page);
      assert.equal(calls.length, 1, calls.join());
      assert.match(calls[0], call);
      // The Go clients list everything first, and go-sdk takes an empty cursor for the end.
      assert.deepEqual(wrong.filter((words) => !words.includes('empty cursor')), []);
      if (server === 'client-test') assert.equal(passed.has('echo_quotes/echo'), answers);
    }
  });
}

for (const mode of [{ pin: '2026-07-28' }, 'auto', 'legacy']) {
  test(`TypeScript client, ${JSON.stringify(mode)}, through a capture of the user's own server`, async () => {
    const { page, address } = await capture(own);
    const client = await connect(program.url, address, mode);
    const result = await client.callTool({ name: 'order', arguments: { bread: 'rye' } });
    await client.close();
    assert.match(JSON.stringify(result), /ordered 1 of rye/);
    const { requests, wrong } = await seen(page);
    assert.ok(requests >= 2);
    assert.deepEqual(wrong, []);
  });
}

test('TypeScript client, legacy: the client test refuses it, and finds nothing wrong', async () => {
  const { page, address } = await capture('client-test');
  await assert.rejects(connect(program.url, address, 'legacy'));
  const { requests, wrong, passed } = await seen(page);
  assert.equal(requests, 1);
  assert.deepEqual(wrong, []);
  assert.ok(passed.has('requests/jsonrpc'));
});
