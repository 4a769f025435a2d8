// Recordings that serve: each sample and a foreign server are called through a capture, and the
// same client then calls what was recorded, which ends as the call did.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { program as path, start, temporary, tidy } from './program.mjs';
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
