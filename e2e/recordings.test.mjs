// Recordings that serve: each sample and a foreign server are called through a capture, and the
// same client then calls what was recorded, which ends as the call did.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Reader } from './html.mjs';
import { program as path, start, started, temporary, tidy } from './program.mjs';
import { goSDK, serverEverything } from './servers/programs.mjs';
import { typescript } from './servers/typescript.mjs';
import { before2026, connect, connectTo, stories } from './typescript-client.mjs';

let program;
before(async () => {
  program = await start();
});
after(tidy);

// post sends a form and returns where it leads.
async function post(to, form) {
  const response = await fetch(program.url + to, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form),
    headers: { Origin: program.url } });
  assert.equal(response.status, 303, await response.text());
  return new URL(response.headers.get('location'), program.url).href;
}

// address returns the address that a page shows.
async function address(page) {
  const html = await (await fetch(page)).text();
  return /data-address[^>]*>([^<]+)</.exec(html)[1];
}

// capture makes an address in front of a sample.
async function capture(slug) {
  const page = await post('/clients', { server: slug });
  return { id: page.split('/').at(-1), page, url: await address(page) };
}

// tell makes a call and returns its result, without what only says when and by whom it was made.
async function tell(url, call, mode) {
  const client = await connect(program.url, url, mode);
  try {
    return await call(client);
  } finally {
    await client.close();
  }
}

for (const [era, mode, list] of [
  ['2026-07-28', { pin: '2026-07-28' }, stories],
  ['2025-11-25', 'legacy', [...stories, ...before2026]],
  ['whatever the server speaks', 'auto', [...stories, ...before2026]],
]) {
  test(`TypeScript client, ${era}: each sample is served again, and ends as it did`, async (t) => {
    const wrong = [];
    for (const [slug, call, ends] of list) {
      const before = await capture(slug);
      const was = await tell(before.url, call, mode);
      assert.match(JSON.stringify(was), ends);
      const served = await address(await post('/recordings', { session: before.id }));
      for (const time of ['first', 'second']) {
        const is = await tell(served, call, mode).catch((err) => ({ failed: String(err) }));
        const same = JSON.stringify(is) === JSON.stringify(was);
        t.diagnostic(`${same ? 'same  ' : 'DIFFERS'} ${slug}, ${time} time`);
        if (!same) wrong.push(`${slug}, ${time} time: ${JSON.stringify(is).slice(0, 600)}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
}

// old connects a client of the first TypeScript SDK, which speaks 2025-11-25.
async function old(url) {
  const client = new OldClient({ name: 'old', version: '1' }, { capabilities: { elicitation: {}, sampling: {}, roots: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: 'accept',
    content: Object.fromEntries(Object.entries(params.requestedSchema.properties).map(([name, field]) => [name, fill(field)])) }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({ role: 'assistant', model: 'test',
    content: { type: 'text', text: 'The castle.' } }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home/ada', name: 'home' }] }));
  await client.connect(new OldTransport(new URL(url)));
  return client;
}

function fill(field) {
  if (field.enum) return field.enum[0];
  if (field.oneOf) return field.oneOf[0].const;
  return { boolean: true, integer: 1, number: 1, array: [] }[field.type] ?? 'Ada';
}

// ask calls a tool with a client that connect makes.
async function ask(connecting, url, name, args = {}) {
  const client = await connecting(url);
  try {
    return JSON.stringify([await client.listTools(), await client.callTool({ name, arguments: args })]);
  } finally {
    await client.close();
  }
}

const pinned = (url) => connect(program.url, url, { pin: '2026-07-28' });
const legacy = (url) => connect(program.url, url, 'legacy');

test('the first TypeScript SDK, 2025-11-25: each sample is served again, and ends as it did', async () => {
  const wrong = [];
  for (const [slug, call] of [...stories, ...before2026]) {
    const told = async (url) => {
      const client = await old(url);
      try {
        return JSON.stringify(await call(client).catch((err) => String(err)));
      } finally {
        await client.close();
      }
    };
    const before = await capture(slug);
    const was = await told(before.url);
    const served = await address(await post('/recordings', { session: before.id }));
    const is = await told(served);
    if (is !== was) wrong.push(`${slug}: was ${was.slice(0, 300)} is ${is.slice(0, 300)}`);
  }
  assert.deepEqual(wrong, []);
});

// foreign are servers of other authors, with a tool that asks, and clients that can answer it.
const foreign = [
  ['TypeScript SDK', typescript, 'deploy', { env: 'prod' }, [pinned]],
  ['go-sdk', goSDK, 'test_input_required_result_multi_round', {}, [pinned]],
  ['server-everything', serverEverything, 'trigger-elicitation-request', {}, [old, legacy]],
  ['server-everything', serverEverything, 'echo', { message: 'x' }, [old, legacy]],
];

for (const [name, serve, tool, args, clients] of foreign) {
  test(`a server on ${name} is recorded, ends, and is served again: ${tool}`, async () => {
    for (const client of clients) {
      const server = await serve();
      await post('/servers', { url: server.url });
      const id = (await (await fetch(`${program.url}/test`)).text()).match(/href="\/servers\/([A-Z0-9]{20,})"/)[1];
      const page = await post('/clients', { server: id });
      const was = await ask(client, await address(page), tool, args);
      const served = await address(await post('/recordings', { session: page.split('/').at(-1) }));
      await server.stop();
      for (let n = 0; n < 2; n++) assert.equal(await ask(client, served, tool, args), was);
      await post(`/servers/${id}/forget`, {});
    }
  });
}

test('a call is kept in a file, and the command serves it over lines and over HTTP', async () => {
  const slug = 'azure-devops';
  const call = (client) => client.callTool({ name: 'update_work_item',
    arguments: { workItemId: 4522, fields: { 'System.State': 'Resolved' } } });
  const made = await capture(slug);
  const was = await tell(made.url, call, { pin: '2026-07-28' });
  const html = await (await fetch(made.page)).text();
  const file = join(await temporary('recording'), 'call.json');
  await writeFile(file, await (await fetch(`${program.url}/x/${/href="\/x\/([A-Z0-9]+)"/.exec(html)[1]}.json`)).text());

  const lines = await connectTo(program.url, new StdioClientTransport({ command: await path(), args: ['mock', file, '-lines'] }),
    { pin: '2026-07-28' });
  assert.deepEqual((await lines.listTools()).tools.map((t) => t.name), ['update_work_item'], 'as the call has it');
  assert.deepEqual(await call(lines), was);
  await assert.rejects(lines.callTool({ name: 'list_work_items', arguments: {} }), /no tools\/call of "list_work_items", only of update_work_item/);
  await lines.close();

  const served = await started(spawn(await path(), ['mock', file]));
  assert.deepEqual(await tell(served.url, call, { pin: '2026-07-28' }), was);
  await served.stop();
});

test('on the page of a recording, the snippet of the call works as it is, to the recorded end', async () => {
  const made = await capture('azure-devops');
  const was = await tell(made.url, (client) => client.callTool({ name: 'update_work_item',
    arguments: { workItemId: 4522, fields: { 'System.State': 'Resolved' } } }), { pin: '2026-07-28' });
  const r = new Reader(program.url);
  await r.open(new URL(await post('/recordings', { session: made.id })).pathname);
  const script = r.one('[data-snippet="call"]').textContent;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname });
  assert.match(stdout, new RegExp(was.content[0].text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
});
