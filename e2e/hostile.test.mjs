// A hostile server cannot break the page, use up memory or affect other pages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';
import { hostile } from './servers/hostile.mjs';

const mayGrow = 60 << 20;

let browser, program, server, memoryBefore;
before(async () => {
  // The limits that hold for strangers: without them it may read 8 MiB of each.
  program = await start({ flags: ['-limit', `answer-body=${1 << 20}`, '-limit', `answer-event=${256 << 10}`] });
  browser = await launch();
  server = await hostile();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await tidy();
});

// safe is visit, except that any request to the addresses in the markup fails the
// test.
async function safe(options) {
  const v = await visit(browser, options);
  v.page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/harm' || url.pathname.endsWith('/x')) v.complaints.push(`asked for ${url}`);
    if (url.origin !== program.url && url.protocol !== 'data:') v.complaints.push(`asked another origin: ${url}`);
  });
  return v;
}

async function connect(v) {
  await v.open(`${program.url}/test?url=${encodeURIComponent(server.url)}`);
  await v.click('form[action="/servers"] button');
  await v.status('connected');
  await whole(v);
}

async function call(v, tool) {
  const form = v.page.locator(`form[data-name="${tool}"]`);
  if (!(await form.isVisible())) await v.click(`#entries a[href$="tool=${tool}"]`);
  await v.click(form.locator('[data-do="call"]'));
}

// whole checks that the page is intact and that nothing from the server ran.
async function whole(v) {
  await v.page.locator('footer.foot').waitFor({ state: 'attached' }); // the end of a long page arrives after its main part
  assert.equal(await v.page.locator('main').count(), 1);
  assert.equal(await v.page.locator('footer.foot').count(), 1);
  assert.equal(await v.page.locator('.harm, [hx-get="/harm"], img[src="x"]').count(), 0,
    'markup became elements');
  assert.equal(await v.page.evaluate(() => window.harmed), undefined, 'a script ran');
  assert.equal(await v.page.locator('a[href^="javascript:"], form[action^="javascript:"]').count(), 0);
}

test('markup in any string is shown as text, from connecting to the result', async () => {
  const v = await safe();
  memoryBefore = await program.memory();
  await connect(v);
  for (const summary of await v.page.locator('main details > summary').all()) await summary.click()
    .catch(() => {});
  await whole(v);

  await connect(v);
  await call(v, 'ask');
  await v.status('waiting');
  await whole(v);
  const property = await v.page.locator('[data-field]').first().getAttribute('data-field');
  assert.match(property, /^property "'>.*<script>/, 'the property has its exact name');
  await v.click('[data-do="send"]');
  await v.status('complete');
  await whole(v);
  assert.match(await v.text('[data-result]'), /the end "'>.*<script>/);
  await v.open(`${program.url}/history`);
  await whole(v);
  await v.leave();
});

test('a tool whose name is markup can be called', async () => {
  const v = await safe();
  await connect(v);
  await v.click('#entries a[href*="tool=markup"]');
  await v.click('form[data-name^="markup"] [data-do="call"]');
  await v.status('complete');
  await whole(v);
  await v.leave();
});

test('an error with markup is shown as text', async () => {
  const v = await safe();
  await connect(v);
  await call(v, 'refuse');
  await v.status('failed');
  await whole(v);
  assert.equal(await v.page.locator('[data-round="1"]').getAttribute('data-outcome'), 'rpc_error');
  await v.leave();
});

for (const [tool, codes] of [
  ['login', ['content_type', 'not_json']],
  ['huge', ['too_large']],
  ['bomb', ['too_large', 'content_type', 'not_json']],
  ['zipped', null],
  ['deep', ['too_deep']],
  ['state', ['too_large', 'violation']],
]) {
  test(`"${tool}" has an error message, and the page stays intact`, async (t) => {
    const v = await safe();
    await connect(v);
    await call(v, tool);
    await v.page.locator('main[data-exchange]:not([data-status="running"])').waitFor();
    await whole(v);
    if (codes) {
      assert.equal(await v.page.locator('main').getAttribute('data-status'), 'failed');
      const code = await v.page.locator('main [data-error]').getAttribute('data-error');
      t.diagnostic(`${tool}: ${code}`);
      assert.ok(codes.includes(code), `${code}, not one of ${codes}`);
    }
    await v.open(`${program.url}/history`);
    await whole(v);
    await v.leave();
  });
}

test('Cancel ends a call to a silent server, with script and without', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const v = await safe({ javaScriptEnabled });
    await connect(v);
    await call(v, 'silence');
    await v.status('running');
    const other = await fetch(program.url);
    assert.equal(other.status, 200, 'other pages work in the meantime');
    await v.click(v.page.getByRole('button', { name: 'Cancel' }));
    await v.page.locator('[data-round="1"][data-outcome="cancelled"]').waitFor();
    await whole(v);
    await v.leave();
  }
});

test('after the hostile calls, the process is small and responsive', async (t) => {
  const grown = (await program.memory()) - memoryBefore;
  t.diagnostic(`memory grew by ${(grown / (1 << 20)).toFixed(1)} MiB`);
  assert.ok(grown < mayGrow, `memory grew by ${grown} bytes`);
  for (const path of ['/', '/servers', '/history', '/healthz', '/readyz']) {
    const response = await fetch(program.url + path);
    assert.equal(response.status, 200, path);
  }
});
