// A shared link shows exactly what its owner saw in the preview, in any browser,
// and reveals nothing else.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';

let browser, program, recording, waiting;
const shared = {}; // addresses of a board, a compare and a demo
before(async () => {
  program = await start();
  browser = await launch();
  recording = await share({ resolution: 'Duplicate' }, { duplicateOfId: '4301' });
  waiting = await share();
});
after(async () => {
  await browser?.close();
  await tidy();
});

// share makes a call with the given answers and shares it, by plain HTTP.
async function share(...answers) {
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  for (const answer of answers) {
    await r.send('data-form', 'answers', answer);
    await r.settled();
  }
  const exchange = r.url.pathname;
  const path = r.one('a[data-share-link]').getAttribute('href');
  await r.open(path);
  await r.send('data-form', 'share', { do: 'create' });
  return { exchange, session: path.replace(/\/share\?.*/, ''), token: r.url.searchParams.get('made') };
}

test('two clicks from a call to its link, with the preview between them', async () => {
  const v = await visit(browser);
  await v.open(program.url + recording.exchange);
  await v.click('a[data-share-link]');
  await v.page.frameLocator('[data-preview]').locator('[data-reader]').waitFor();
  await v.click('[data-do="share"]');
  const link = await v.text('[data-made]');
  assert.match(link, /\/s\/[A-Z2-7]{26}$/, '130 random bits');
  assert.equal(v.clicks, 2);
  await v.leave();
});

test('a choice changes the preview at once, and the link equals the preview', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}${recording.session}/share`);
  const shown = () => v.page.locator('.public pre').allTextContents().then((list) => list.join('\n'));
  assert.match(await shown(), /Duplicate of Bug #4301/);
  await v.click('input[value="answers"]');
  await v.page.waitForFunction(() => ![...document.querySelectorAll('.public pre')].some((e) =>
    /\b4301\b/.test(e.textContent)));
  const frame = v.page.frameLocator('[data-preview]');
  await frame.locator('mark.masked').first().waitFor();
  assert.doesNotMatch(await frame.locator('main').textContent(), /\b4301\b/); // a time may have the digits
  await v.click('[data-do="share"]');
  const link = await v.text('[data-made]');
  const text = await (await fetch(`${link}.txt`)).text();
  assert.doesNotMatch(text, /\b4301\b/);
  assert.doesNotMatch(text, /mrtr1\./, 'a state that can contain a masked answer is masked too');
  await v.leave();
});

test('without script, the button shows a changed preview before it creates a link', async () => {
  const v = await visit(browser, { javaScriptEnabled: false });
  v.expects(/status of 409/);
  await v.open(`${program.url}${recording.session}/share`);
  await v.click('input[value="answers"]');
  await v.click('[data-do="share"]');
  await v.page.locator('[data-changed]').waitFor();
  await v.click('[data-do="share"]');
  await v.page.locator('[data-made]').waitFor();
  await v.leave();
});

test('the link opens with the round and the panel that were on screen, and the note', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}${recording.exchange}?round=2`);
  await v.click('.tabs [data-panel="rules"]');
  await v.page.locator('#drawer[data-panel="rules"]').waitFor();
  await v.click('a[data-share-link]');
  await v.page.locator('#share-note').fill('Look at round 2');
  const frame = v.page.frameLocator('[data-preview]');
  await frame.locator('[data-note]').getByText('Look at round 2').waitFor();
  await frame.locator('main[data-shown="2"][data-panel="rules"]').waitFor();
  await frame.locator('.step a.first').click();
  await frame.locator('main[data-shown="3"]').waitFor();
  await v.click('[data-do="share"]');
  await v.open(await v.text('[data-made]'));
  await v.page.locator('main[data-shown="2"][data-panel="rules"]').waitFor();
  assert.match(await v.text('[data-note]'), /Look at round 2/);
  await v.leave();
});

test('a share of one call has no byte of its branches', async () => {
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  await r.send('data-form', 'answers', { resolution: 'Fixed' });
  await r.settled();
  const call = r.url;
  await r.open(`${call.pathname}?round=1&panel=lab`);
  const branch = await fetch(`${program.url}${call.pathname}/branches`, { method: 'POST', redirect: 'manual',
    body: new URLSearchParams({ round: '1' }) });
  await r.open(branch.headers.get('location'));
  await r.send('data-form', 'answers', { resolution: 'Duplicate' });
  await r.settled();
  await r.send('data-form', 'answers', { duplicateOfId: '987654' });
  await r.settled();
  await r.open(call.pathname);
  await r.open(r.one('a[data-share-link]').getAttribute('href'));
  await r.send('data-form', 'share', { do: 'create' });
  const token = r.url.searchParams.get('made');
  const paths = ['', '?x=1', '?x=2', '?round=1', '?round=2', '?panel=rules', '?panel=state', '?panel=timing',
    '.json', '.har', '.md', '.txt', '.svg', '.mmd', '.badge.svg'].map((path) => `/s/${token}${path}`);
  for (const path of [...paths, `/embed/${token}`]) {
    const text = await (await fetch(program.url + path)).text();
    for (const word of ['987654', branch.headers.get('location').slice(3), call.pathname.slice(3),
      'Duplicate of', 'Branch 1', 'and 1 more']) assert.ok(!text.includes(word), `${path} has ${word}`);
  }
});

test('a board, a compare and a demo are shared as what they are', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}${recording.exchange}?round=2&panel=lab`);
  await v.click('[data-experiment="flip-state"] button[data-do="experiment"]');
  await v.page.locator('[data-verdict]').first().waitFor();
  const compare = await v.page.locator('a[href^="/compare"]').first().getAttribute('href');
  await v.open(`${program.url}${recording.exchange}?round=2&panel=lab`);
  const links = { board: await v.page.locator('[data-do="share-board"]').getAttribute('href') };
  await v.open(program.url + compare);
  links.compare = await v.page.locator('main a[href*="kind=compare"]').getAttribute('href');
  await v.open(`${program.url}/demos/azure-devops`);
  await v.click('form[data-start] button');
  links.demo = await v.page.locator('a[href*="kind=demo"]').getAttribute('href');
  for (const [kind, path] of Object.entries(links)) {
    await v.open(program.url + path);
    await v.page.frameLocator('[data-preview]').locator('[data-recording]').waitFor();
    await v.click('[data-do="share"]');
    const link = await v.text('[data-made]');
    await v.open(link);
    await v.page.locator(kind === 'demo' ? 'main[data-story]' : `main[data-shared="${kind}"]`).waitFor();
    shared[kind] = new URL(link).pathname;
    const png = await fetch(`${link}.png`);
    assert.equal(png.headers.get('content-type'), 'image/png');
  }
  await v.leave();
});

test('the link opens in a new browser without script and steps through the rounds', async () => {
  const v = await visit(browser, { javaScriptEnabled: false });
  const response = await v.open(`${program.url}/s/${recording.token}?round=1`);
  assert.equal((await response.allHeaders())['set-cookie'], undefined);
  assert.deepEqual(await v.context.cookies(), []);
  assert.match(await v.text('[data-recording]'), /Read-only recording.*the person who recorded it/s);
  for (const round of [2, 3]) {
    await v.click('.step a.first');
    assert.equal(new URL(v.page.url()).searchParams.get('round'), String(round));
  }
  assert.match(await v.text('[data-result]'), /duplicate link created/);
  assert.equal(await v.page.locator('form[data-form="answers"]').count(), 0, 'there is no form to answer');
  await v.leave();
});

test('with script, the arrow keys step through the rounds', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/s/${recording.token}?round=1`);
  for (const round of ['2', '3']) {
    await v.press('ArrowRight');
    await v.page.waitForFunction((n) => document.querySelector('.ribbon a[aria-current="step"] .disc')?.textContent.endsWith(n), round);
    assert.equal(new URL(v.page.url()).searchParams.get('round'), round);
  }
  assert.equal(v.documents, 1);
  await v.leave();
});

test('a fork of a waiting recording is waiting and can be answered', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/s/${waiting.token}`);
  await v.click('form[data-form="fork"] button');
  await v.status('waiting');
  assert.notEqual(new URL(v.page.url()).pathname, waiting.exchange);
  await v.choose('select[data-field="resolution"]', 'Fixed');
  await v.click('[data-do="send"]');
  await v.status('complete');
  await v.open(program.url + waiting.exchange);
  await v.status('waiting');
  await v.leave();
});

test('another site can embed only the picture', async () => {
  const v = await visit(browser);
  v.expects(/frame-ancestors|X-Frame-Options/);
  const other = createServer((req, res) => res.setHeader('content-type', 'text/html')
    .end(`<iframe src="${program.url}${req.url}" width="640" height="480"></iframe>`));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  for (const [path, works] of [[`/embed/${recording.token}`, true], [`/s/${recording.token}`, false],
    ['/history', false]]) {
    await v.open(`http://127.0.0.1:${other.address().port}${path}`);
    const frame = v.page.frameLocator('iframe');
    if (works) await frame.locator('[data-embed] svg').first().waitFor();
    else {
      await v.page.waitForTimeout(300);
      assert.equal(await frame.locator('main').count(), 0, path);
    }
  }
  other.close();
  await v.leave();
});

test('the suffixes return files, and the preview image has the right size', async () => {
  const types = { json: 'application/json', har: 'application/json', md: 'text/markdown', txt: 'text/plain',
    svg: 'image/svg+xml', mmd: 'text/plain', 'qr.svg': 'image/svg+xml', 'badge.svg': 'image/svg+xml',
    png: 'image/png' };
  for (const [suffix, type] of Object.entries(types)) {
    const response = await fetch(`${program.url}/s/${recording.token}.${suffix}`);
    assert.equal(response.status, 200, suffix);
    assert.ok(response.headers.get('content-type').startsWith(type), suffix);
    assert.match(response.headers.get('x-robots-tag'), /noindex/);
    assert.equal(response.headers.get('set-cookie'), null);
  }
  const png = new DataView(await (await fetch(`${program.url}/s/${recording.token}.png`)).arrayBuffer());
  assert.deepEqual([png.getUint32(16), png.getUint32(20)], [1200, 630]);
});

test('a revoked link stops working at once', async () => {
  const { token } = await share();
  const v = await visit(browser, { javaScriptEnabled: false });
  v.expects(/status of 404/);
  await v.open(`${program.url}/shares`);
  await v.page.locator(`[data-link="${token}"]`).hover(); // which shows what it can do
  await v.confirm('revoke', v.page.locator(`[data-link="${token}"]`));
  const response = await v.open(`${program.url}/s/${token}`);
  assert.equal(response.status(), 404);
  await v.leave();
});

test('the log has no token of a link and no answer', () => {
  const log = program.log.join('');
  for (const word of [recording.token, waiting.token, 'Duplicate', '4301']) {
    assert.doesNotMatch(log, new RegExp(`\\b${word}\\b`));
  }
});

for (const [width, colorScheme] of [[1280, 'light'], [768, 'light'], [390, 'dark']]) {
  test(`at ${width} px, ${colorScheme}: no axe violation, no horizontal scrolling`, async (t) => {
    const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme });
    v.expects(/status of 404/);
    const pages = {
      history: '/history', 'nothing found': '/history?q=nowhere', session: recording.session,
        preview: `${recording.session}/share`,
      'shared board': shared.board, 'shared compare': shared.compare, 'shared demo': shared.demo,
      'board in a frame': shared.board.replace('/s/', '/embed/'),
      'compare in a frame': shared.compare.replace('/s/', '/embed/'),
      links: `/shares?made=${recording.token}`, reader: `/s/${recording.token}?round=2`,
        'reader at the end': `/s/${recording.token}?round=3`,
      'reader waiting': `/s/${waiting.token}`, frame: `/embed/${recording.token}`, 'dead link': '/s/nothing',
    };
    for (const [name, path] of Object.entries(pages)) {
      await t.test(name, async () => {
        await v.open(program.url + path);
        await v.page.evaluate(() => document.querySelectorAll('main details')
          .forEach((d) => { d.open = true; }));
        const wide = await v.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} px wide`);
        await v.accessible();
      });
    }
    await v.leave();
  });
}
