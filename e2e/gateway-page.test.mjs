// The page that tests a gateway: real proxies are configured with its snippets, as they are.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { end, freePort, start, temporary, tidy } from './program.mjs';

process.env.PATH += ':/usr/sbin'; // nginx and haproxy of Debian

let browser, program;
const proxies = [];
before(async () => {
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await Promise.all(proxies.map((child) => end(child, 'SIGTERM')));
  await tidy();
});

// What a proxy needs around a snippet, and how it is started.
const commands = {
  nginx: async (dir, snippet) => {
    for (const name of ['body', 'proxy']) await mkdir(join(dir, name));
    await writeFile(join(dir, 'conf'), `${process.getuid() ? '' : 'user root;'} daemon off; pid ${dir}/pid; events {}
      http { access_log off; client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; ${snippet} }`);
    return ['nginx', '-p', dir, '-c', join(dir, 'conf'), '-e', join(dir, 'log')];
  },
  caddy: async (dir, snippet) => {
    await writeFile(join(dir, 'conf'), `{\n  admin off\n}\n${snippet}\n`);
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(dir, 'conf')];
  },
  haproxy: async (dir, snippet) => {
    await writeFile(join(dir, 'conf'), `defaults\n  timeout connect 10s\n  timeout client 1m\n  timeout server 1m\n${snippet}\n`);
    return ['haproxy', '-db', '-f', join(dir, 'conf')];
  },
};

// proxy starts a proxy with a snippet at a free port, and returns its address.
async function proxy(name, snippet) {
  const port = await freePort();
  const dir = await temporary(name);
  const [file, ...args] = await commands[name](dir, snippet.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`));
  const child = spawn(file, args, { stdio: 'ignore', env: { ...process.env, HOME: dir } });
  proxies.push(child);
  await new Promise((on, failed) => child.on('spawn', on).on('error', failed));
  while (!await fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false)) {
    assert.equal(child.exitCode, null, `${name} ended`);
    await new Promise((on) => setTimeout(on, 50));
  }
  return `http://127.0.0.1:${port}/mcp`;
}

const failed = (v) => v.page.locator('[data-line][data-verdict="fail"]')
  .evaluateAll((rows) => rows.map((row) => row.dataset.line));

test('from the page Test to the first report: two buttons and the address of the gateway', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/test`);
  await v.click('[data-do="upstream"]');
  const snippet = await v.page.locator('[data-snippet="nginx"]').textContent();
  const address = await proxy('nginx', snippet);
  await v.accessible();
  await v.type('#url', address);
  await v.click('[data-do="test"]');
  await v.page.locator('[data-headline="pass"] [data-count="pass"]').waitFor();
  assert.equal(v.clicks, 3); // two buttons and the field
  assert.deepEqual(await failed(v), []);
  await v.click('#requests tr[data-request="4"] a');
  await v.page.locator('#both[data-request="4"]').waitFor();
  assert.equal(await v.page.locator('#both .frame').count(), 4);
  await v.accessible();
  await v.click('[data-do="again"]');
  await v.page.locator('[data-headline="pass"]', { has: v.page.locator('[data-do="again"]') }).waitFor();
  assert.match(await v.text('[data-compared]'), /Nothing has changed since/);
  await v.leave();
});

test('a proxy that drops a header and holds streams back: both lines fail, with both recordings', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/test`);
  await v.click('[data-do="upstream"]');
  const snippet = await v.page.locator('[data-snippet="nginx"]').textContent();
  const address = await proxy('nginx', snippet.replace('proxy_pass',
    'proxy_set_header Mcp-Name "";\n    proxy_ignore_headers X-Accel-Buffering;\n    proxy_pass'));
  await v.type('#url', address);
  await v.click('[data-do="test"]');
  await v.page.locator('[data-headline="fail"] [data-do="again"]').waitFor();
  assert.deepEqual(await failed(v), ['streams', 'header-name']);
  await v.click('[data-line="header-name"] a[href*="request="]');
  await v.page.locator('#both tr', { hasText: 'Mcp-Name' }).waitFor();
  await v.leave();
});

for (const name of ['caddy', 'haproxy']) {
  test(`the snippet for ${name} works as it is, without script`, async (t) => {
    const r = new Reader(program.url);
    await r.open('/test');
    await r.send('data-form', 'upstream');
    let address;
    try {
      address = await proxy(name, r.one(`[data-snippet="${name}"]`).textContent);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      return t.skip(`${name} is not installed`);
    }
    await r.send('data-form', 'gateway', { url: address });
    while (r.one('main').dataset.live) await r.open(r.url.pathname);
    const wrong = r.all('[data-line][data-verdict="fail"]').map((row) => row.textContent.replace(/\s+/g, ' '));
    t.diagnostic(wrong.join('\n') || 'nothing failed');
    assert.ok(Number(r.one('[data-count="pass"]').dataset.n) > 25);
    assert.deepEqual(wrong, []);
  });
}

test('a test that is stopped says so', async () => {
  const r = new Reader(program.url);
  await r.open('/test');
  await r.send('data-form', 'upstream');
  await r.send('data-form', 'gateway', { url: 'http://127.0.0.1:9/mcp' });
  if (r.all('[data-form="stop"]').length) await r.send('data-form', 'stop');
  assert.equal(r.one('[data-headline]').dataset.headline, 'unjudged');
  assert.match(r.one('.judged-counts').textContent, /The test ended early|does not answer|not list/);
});
