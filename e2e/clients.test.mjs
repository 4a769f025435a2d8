// Captures: a foreign client is pointed at an address, and the page shows what it does.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';
import { before2026, connect, stories } from './typescript-client.mjs';

let browser, program;
before(async () => {
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

// capture makes an address in front of a server, by plain HTTP.
async function capture(server) {
  const r = new Reader(program.url);
  await r.open('/test');
  await r.send('data-form', 'capture', { server });
  return { page: r.url.pathname, address: r.one('[data-address]').textContent };
}

// violations returns what the page of a capture says is wrong, with its side.
async function violations(page) {
  const r = new Reader(program.url);
  await r.open(page);
  return r.all('[data-side] [data-verdict="fail"]').map((li) => li.textContent.replace(/\s+/g, ' '));
}

for (const [era, mode, list] of [
  ['2026-07-28', { pin: '2026-07-28' }, stories],
  ['2025-11-25', 'legacy', [...stories, ...before2026]],
  ['whatever the server speaks', 'auto', [...stories, ...before2026]],
]) {
  test(`TypeScript client 2.4.0 through a capture, ${era}: nothing changes, and nothing is wrong`, async (t) => {
    const failures = [];
    for (const [slug, call, ends] of list) {
      const { page, address } = await capture(slug);
      const said = await connect(program.url, address, mode).then(async (client) => {
        const result = JSON.stringify(await call(client));
        await client.close();
        return result;
      }).catch(String);
      const wrong = await violations(page);
      t.diagnostic(`${slug}: ${wrong.length} violations`);
      if (!ends.test(said)) failures.push(`${slug}: ${said.slice(0, 400)}`);
      for (const words of wrong) failures.push(`${slug}: ${words.slice(0, 400)}`);
    }
    assert.deepEqual(failures, []);
  });
}

test('from the landing page to the first verdict: one click, and the page updates by itself', async () => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.click('[data-first="client"] button');
  assert.match(await v.text('h1'), /Waiting for your client/);
  const address = await v.text('[data-address]');
  const client = await connect(program.url, address, { pin: '2026-07-28' });
  await client.callTool({ name: 'echo_unicode', arguments: {} });
  await client.close();
  await v.page.locator('h1', { hasText: 'mrtr-playground-e2e' }).waitFor();
  await v.page.locator('[data-count="pass"]').waitFor();
  assert.match(await v.text('.judged h2'), /No violation by this client/);
  assert.equal(v.clicks, 1);
  assert.equal(await v.page.locator('[data-tick]').count() > 5, true);
  await v.click('#snippets > summary');
  await v.confirm('end');
  await v.page.locator('.client-address', { hasText: 'ended' }).waitFor();
  await v.leave();
});

test('the snippet for curl works as it is', async () => {
  const { page, address } = await capture('azure-devops');
  const r = new Reader(program.url);
  await r.open(page);
  const command = r.one('[data-snippet="curl"]').textContent;
  assert.ok(command.includes(address));
  const { stdout } = await promisify(execFile)('bash', ['-c', command]);
  assert.match(stdout, /update_work_item/);
  assert.deepEqual(await violations(page), []);
});

test('the snippet for TypeScript works as it is, with the client test', async () => {
  const { page } = await capture('client-test');
  const r = new Reader(program.url);
  await r.open(page);
  const script = `${r.one('[data-snippet="typescript"]').textContent}
await client.callTool({ name: 'echo_unicode', arguments: {} }); // which asks`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script],
    { cwd: import.meta.dirname, maxBuffer: 16 << 20 });
  await r.open(page);
  assert.match(r.one('.judged h2').textContent, /No violation by this client in \d+ requests/);
});

test('the client test: the TypeScript client fails nothing', async (t) => {
  const { page, address } = await capture('client-test');
  const client = await connect(program.url, address, { pin: '2026-07-28' });
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const patience = { timeout: 5000 };
  for (const { name } of tools) await client.callTool({ name, arguments: {} }, patience).catch(() => {});
  for (const { name } of prompts) await client.getPrompt({ name }, patience).catch(() => {});
  for (const { uri } of resources) await client.readResource({ uri }, patience).catch(() => {});
  await client.close();
  const r = new Reader(program.url);
  await r.open(page);
  const counts = Object.fromEntries(r.all('[data-count]').map((e) =>
    [e.getAttribute('data-count'), Number(e.getAttribute('data-n'))]));
  const failed = r.all('[data-tick][data-verdict="fail"]').map((li) => li.textContent.replace(/\s+/g, ' '));
  t.diagnostic(JSON.stringify(counts));
  for (const words of r.all('[data-tick][data-verdict="hint"]')) {
    t.diagnostic(words.textContent.replace(/\s+/g, ' '));
  }
  assert.deepEqual(failed, []);
  assert.ok(counts.pass > 90, 'most is seen');
});
