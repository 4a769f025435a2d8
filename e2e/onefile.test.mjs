// A page that is one file works from file://, without a network: what can be opened on
// the page of a link can be opened there.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';

let browser, program, dir;
before(async () => {
  program = await start();
  browser = await launch();
  dir = await mkdtemp(join(tmpdir(), 'mrtr-page-'));
});
after(async () => {
  await browser?.close();
  await rm(dir, { recursive: true, force: true });
  await tidy();
});

// call makes the call of the Azure DevOps sample to its end, by plain HTTP.
async function call() {
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  for (const answer of [{ resolution: 'Duplicate' }, { duplicateOfId: '4301' }]) {
    await r.send('data-form', 'answers', answer);
    await r.settled();
  }
  return r;
}

// save stores a page of the program as a file, and returns its address.
async function save(name, path) {
  const response = await fetch(program.url + path);
  assert.equal(response.status, 200, path);
  const file = join(dir, `${name}.html`);
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  return pathToFileURL(file).href;
}

// offline opens a file in a browser without a network, which may ask for nothing else.
async function offline(url, options = {}) {
  const v = await visit(browser, { offline: true, ...options });
  const asked = [];
  v.page.on('request', (request) => asked.push(request.url()));
  await v.open(url);
  v.asked = () => asked.filter((one) => !one.startsWith('file:') && !one.startsWith('data:'));
  return v;
}

// shown returns the number of views on the screen.
const shown = (v) => v.page.locator('.view').evaluateAll((list) => list.filter((e) => e.checkVisibility()).length);

// closed ends a visit in which nothing was asked for and no error was reported.
async function closed(v) {
  assert.deepEqual(v.asked(), []);
  await v.leave();
}

test('a call: every round, panel and arrow opens', async () => {
  const r = await call();
  const page = await save('call', `${r.url.pathname}.html`);
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    for (const colorScheme of ['light', 'dark']) {
      const v = await offline(page, { viewport, colorScheme });
      const on = v.page.locator('.view.on');
      for (let round = 1; round <= 3; round++) {
        await v.click(on.locator(`.ribbon [data-round="${round}"] a`));
        await v.page.locator(`.view.on[data-shown="${round}"]`).waitFor();
        assert.equal(await shown(v), 1);
        for (const panel of ['state', 'rules', 'timing', 'wire']) {
          await v.click(on.locator(`.tabs [data-panel="${panel}"]`));
          await on.locator(`.tabs [data-panel="${panel}"][aria-current]`).waitFor();
          assert.equal(await on.locator('.panel:visible').getAttribute('data-part'), panel);
        }
        await v.click(on.locator('.panel.on .wire-bar a'));
        await on.locator('.panel.on[data-part="exact"] [data-bytes]').first().waitFor();
        await v.click(on.locator('.panel.on .wire-bar a'));
        await on.locator('.panel.on[data-part="wire"]').waitFor();
      }
      await v.click(on.locator('.panel-list > summary'));
      await v.click(on.locator('.panel-list tr[data-m="2.response"] a'));
      await v.page.locator('.view.on[data-shown="2"] .panel.on .sides > [data-m="2.response"][aria-current]').waitFor();
      if (viewport.width > 1000) {
        await v.click(on.locator('.stage .pic a[data-m="3.request"]:visible').first());
        await v.page.locator('.view.on[data-shown="3"] .panel.on .sides > [data-m="3.request"][aria-current]').waitFor();
        await v.page.goBack();
        await v.page.locator('.view.on[data-shown="2"]').waitFor();
        await v.press('ArrowLeft');
        await v.page.locator('.view.on[data-shown="1"]').waitFor();
      }
      await v.accessible();
      await closed(v);
    }
  }
});

test('a fragment opens what the query of a link opens, and the theme can be switched', async () => {
  const r = await call();
  const page = await save('fragment', `${r.url.pathname}.html`);
  const v = await offline(`${page}#message=response&round=2`, { colorScheme: 'light' });
  await v.page.locator('.view.on[data-shown="2"] .panel.on .sides > [data-m="2.response"][aria-current]').waitFor();
  const paper = () => v.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await v.click('[data-set-theme="dark"]');
  assert.notEqual(await paper(), light);
  await v.click('[data-set-theme="light"]');
  assert.equal(await paper(), light);
  await closed(v);
});

test('without script, and on paper, every round can be read', async () => {
  const r = await call();
  const page = await save('plain', `${r.url.pathname}.html`);
  const v = await offline(page, { javaScriptEnabled: false });
  assert.equal(await v.page.locator('[data-bench]:visible').count(), 3);
  for (const part of ['wire', 'exact', 'state', 'timing']) {
    assert.equal(await v.page.locator(`[data-part="${part}"]:visible`).count(), 3, part);
  }
  assert.equal(await v.page.locator('[data-part="rules"]:visible').count(), 1);
  await closed(v);
  const paper = await offline(page);
  await paper.page.emulateMedia({ media: 'print' });
  assert.equal(await paper.page.locator('[data-bench]:visible').count(), 3);
  assert.equal(await paper.page.locator('[data-part="wire"]:visible').count(), 3);
  assert.equal(await paper.page.locator('[data-part="rules"]:visible').count(), 1);
  await closed(paper);
});

test('a board, a compare and a demo: every row, call and step opens', async () => {
  const r = await call(), exchange = r.url.pathname;
  const session = r.one('a[data-share-link]').getAttribute('href').replace(/\/share\?.*/, '');
  const share = async (path) => {
    await r.open(path);
    await r.send('data-form', 'share', { do: 'create' });
    return `/s/${r.url.searchParams.get('made')}.html`;
  };
  const form = { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
  await fetch(`${program.url}${exchange}/run-all`, { ...form, body: 'round=3&mine=yes' });
  for (;;) {
    const text = await (await fetch(`${program.url}${exchange}?panel=lab`)).text();
    if (!text.includes('data-board="running"')) break;
  }
  let v = await offline(await save('board', await share(`${session}/share?kind=board&x=${exchange.slice(3)}`)));
  const rows = await v.page.locator('.view.on .board-row[data-experiment] .name a').evaluateAll((list) => list.map((a) => a.hash));
  assert.ok(rows.length > 20, `${rows.length} rows`);
  for (const hash of rows) {
    await v.page.locator('.view.on').evaluate((e) => e.querySelectorAll('details').forEach((d) => { d.open = true; }));
    await v.page.locator(`.view.on .board-row[data-experiment] .name a[href="${hash}"]`).first().click();
    const q = new URLSearchParams(hash.slice(1));
    const round = q.has('round') ? `[data-shown="${q.get('round')}"]` : '';
    await v.page.locator(`.view.on[data-x="${q.get('x')}"]${round} .panel.on`).waitFor();
    await v.page.locator('.view.on .crumb a').click();
    await v.page.locator('.view.on[data-shared="board"]').waitFor();
  }
  await closed(v);

  const other = await call();
  v = await offline(await save('compare',
    await share(`${session}/share?kind=compare&x=${exchange.slice(3)}&x=${other.url.pathname.slice(3)}`)));
  for (const n of [1, 2]) {
    await v.click(v.page.locator('.view.on .compared-heads a').nth(n - 1));
    await v.page.locator(`.view.on[data-x="${n}"] .panel.on`).waitFor();
    await v.click('.view.on .crumb a');
    await v.page.locator('.view.on[data-shared="compare"]').waitFor();
  }
  await closed(v);

  const demo = new Reader(program.url);
  await demo.open('/demos/azure-devops');
  await demo.send('data-start', 'azure-devops');
  for (let step = 2; step <= 3; step++) {
    await demo.send('data-form', 'stage', { do: 'next' });
    await demo.settled();
  }
  v = await offline(await save('demo', await share(`/sessions/${demo.url.pathname.split('/').pop()}/share?kind=demo`)));
  for (const step of [1, 2, 3]) {
    await v.click(v.page.locator('.view.on .dots a').nth(step - 1));
    await v.page.locator(`.view.on[data-step="${step}"]`).waitFor();
  }
  await v.press('ArrowLeft');
  await v.page.locator('.view.on[data-step="2"]').waitFor();
  await v.click('.view.on .links a');
  await v.page.locator('.view.on[data-bench] .panel.on').waitFor();
  await closed(v);
});

test('the share page downloads the page first, and History imports it', async () => {
  const r = await call();
  const v = await visit(browser);
  await v.open(program.url + r.url.pathname);
  await v.click('a[data-share-link]');
  const [download] = await Promise.all([v.page.waitForEvent('download'), v.click('.first[data-do="page"]')]);
  assert.equal(download.suggestedFilename(), 'mrtr-update-work-item.html');
  const file = join(dir, 'download.html');
  await download.saveAs(file);
  assert.ok((await readFile(file)).length <= 400_000);
  await v.open(`${program.url}/history`);
  await v.click('#import > summary');
  await v.page.locator('#file').setInputFiles(file);
  await v.click('#import button');
  await v.page.locator('main[data-exchange][data-status="complete"]').waitFor();
  await v.leave();
});
