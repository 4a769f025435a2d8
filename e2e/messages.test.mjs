// For people who live in browser tools: the list of all messages, the search in
// their bytes, from a line to its arrow, and the result beside an earlier round.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';

let browser, program, finished;
before(async () => {
  program = await start();
  browser = await launch();
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  for (const answer of [{ resolution: 'Duplicate' }, { duplicateOfId: '4301' }]) {
    await r.send('data-form', 'answers', answer);
    await r.settled();
  }
  finished = program.url + r.url.pathname;
});
after(async () => {
  await browser?.close();
  await tidy();
});

const marked = (v) => v.page.$$eval('.stage .pic a[aria-current]', (list) => [...new Set(list.map((a) => a.dataset.m))]);
const param = (v, name) => new URL(v.page.url()).searchParams.get(name);

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';

  test(`${how} script: every message is in the list, and a row selects it`, async () => {
    const v = await visit(browser, { javaScriptEnabled, viewport: { width: 1440, height: 900 } });
    await v.open(finished);
    assert.equal(await v.page.locator('#wire-all').count(), 0, 'it is folded');
    await v.click('#wire-list');
    const rows = v.page.locator('#wire-all tbody tr');
    await rows.first().waitFor();
    const list = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    assert.equal(list.length, 6);
    assert.match(list[0], /^1 1 → tools\/call [\d ]+ B 0 µs$/);
    assert.match(list[3], /^4 2 ← input required 200 1 \d+ B [\d.]+ /);
    assert.match(list[5], /^6 3 ← complete 200 \d+ B /);
    const documents = v.documents;
    await v.click('#wire-all tr[data-m="2.response"] a');
    await v.page.locator('#drawer[data-message="2.response"]').waitFor();
    assert.equal(v.documents - documents, javaScriptEnabled ? 0 : 1);
    assert.equal(await v.page.locator('#wire-all tr[aria-current]').getAttribute('data-m'), '2.response', 'the list stays');
    assert.deepEqual(await marked(v), ['2.response']);
    assert.equal(param(v, 'round'), '2');
    const side = v.page.locator('#m-2-response h3');
    await side.waitFor();
    assert.ok(await side.evaluate((e) => {
      const at = e.getBoundingClientRect();
      return e.contains(document.elementFromPoint(at.left + 8, at.top + at.height / 2));
    }), 'the message is on the screen');
    await v.click('#wire-list');
    await v.page.locator('#wire-list[aria-expanded="false"]').waitFor();
    assert.equal(param(v, 'message'), 'response', 'the selection stays');
    await v.leave();
  });

  test(`${how} script: the bytes of all rounds are searched, and a place leads to its mark`, async () => {
    const v = await visit(browser, { javaScriptEnabled, viewport: { width: 1280, height: 720 } });
    await v.open(`${finished}?messages=all`);
    await v.type('#find', 'DUPLICATEofid');
    if (!javaScriptEnabled) await v.press('Enter');
    await v.page.locator('[data-found]').filter({ hasText: 'places.' }).waitFor();
    if (javaScriptEnabled) {
      assert.equal(await v.page.locator('#find').evaluate((e) => document.activeElement === e), true, 'typing goes on');
    }
    const hits = v.page.locator('[data-hit]');
    const texts = await hits.allInnerTexts();
    assert.ok(texts.length >= 3 && texts.every((t) => /^Round \d · (request|response) · line \d+$/.test(t)), String(texts));
    assert.ok(texts.some((t) => t.startsWith('Round 2 · response')) && texts.some((t) => t.startsWith('Round 3 · request')));
    for (const round of ['2', '3']) {
      const hit = v.page.locator('[data-hit]').filter({ hasText: `Round ${round}` }).first();
      const id = new URL(await hit.getAttribute('href'), program.url).hash.slice(1);
      await v.click(hit);
      const mark = v.page.locator(`mark.hit[id="${id}"]`);
      await mark.waitFor();
      assert.equal((await mark.innerText()).toLowerCase(), 'duplicateofid');
      assert.equal(param(v, 'round'), round);
      await v.page.waitForFunction((id) => {
        const e = document.getElementById(id), at = e.getBoundingClientRect();
        return e.contains(document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2));
      }, id);
    }
    const exact = await v.page.locator('#m-3-request pre[data-bytes]').textContent();
    assert.equal(JSON.parse(exact).method, 'tools/call', 'the marks do not change the bytes');
    await v.page.locator('#find').fill('no such text');
    if (!javaScriptEnabled) await v.page.locator('#find').press('Enter');
    await v.page.locator('[data-found]').filter({ hasText: 'Not found.' }).waitFor();
    await v.leave();
  });

  test(`${how} script: the result stays in view beside an earlier round`, async () => {
    const v = await visit(browser, { javaScriptEnabled, viewport: { width: 1440, height: 900 } });
    await v.open(finished);
    assert.equal(await v.page.locator('[data-ended]').count(), 0);
    await v.click('.ribbon li[data-round="1"] a');
    const line = v.page.locator('[data-ended]');
    await line.waitFor();
    assert.match(await line.innerText(), /complete\s+Bug #4522 resolved as Duplicate/);
    assert.ok((await line.boundingBox()).height < 48, 'it is one line');
    await v.click('[data-ended] a');
    await v.page.locator('[data-result]').waitFor();
    assert.equal(await line.count(), 0);
    await v.leave();
  });
}

test('a line that is clicked, or a message that gets the focus, marks its arrow', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await v.open(`${finished}?round=2`);
  assert.deepEqual(await marked(v), []);
  const requests = [];
  v.page.on('request', (r) => { if (!r.url().includes('/static/')) requests.push(r.url()); });
  await v.click(v.page.locator('#m-2-response .json b', { hasText: '"duplicate_of"' }).first());
  assert.deepEqual(await marked(v), ['2.response']);
  assert.equal(param(v, 'message'), 'response');
  await v.page.locator('#m-2-request .json').focus();
  assert.deepEqual(await marked(v), ['2.request']);
  assert.equal(await v.page.locator('.sides [aria-current]').count(), 1);
  assert.deepEqual(requests, [], 'nothing is loaded for it');
  await v.click('.wire-bar a >> text=Exact bytes');
  await v.page.locator('#m-2-request pre[data-bytes]').waitFor();
  assert.equal(param(v, 'message'), 'request', 'the selection goes along');
  assert.deepEqual(await marked(v), ['2.request']);
  await v.leave();
});

test('a reader of a link has the list and the search, too', async () => {
  const r = new Reader(program.url);
  await r.open(`${new URL(finished).pathname}`);
  await r.open(r.one('[data-share-link]').getAttribute('href'));
  await r.send('data-form', 'share', { do: 'create' });
  const link = r.one('[data-made]').textContent.trim();
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await v.open(`${link}?round=1`);
  assert.match(await v.text('[data-ended]'), /Bug #4522 resolved/);
  await v.click('#wire-list');
  await v.type('#find', 'mcp-method');
  await v.page.locator('[data-found]').filter({ hasText: 'places.' }).waitFor();
  await v.click(v.page.locator('[data-hit]').filter({ hasText: 'Round 3' }).first());
  await v.page.locator('#m-3-request mark.hit').waitFor();
  await v.leave();
});

// The answer to a search brings the field again, which may be older than what is in it.
test('what is typed while a search is answered stays, and so does the focus', async () => {
  const v = await visit(browser);
  await v.open(`${finished}?messages=all`);
  let asked, answer;
  const begun = new Promise((on) => { asked = on; });
  const released = new Promise((on) => { answer = on; });
  await v.page.route(/find=dupl/, async (route) => {
    asked();
    await released;
    await route.continue();
  });
  await v.type('#find', 'dupl');
  await begun;
  const field = v.page.locator('#find');
  await field.evaluate((e) => { e.value += 'icateofid'; }); // no event, so no other search
  answer();
  await v.page.locator('[data-found]').filter({ hasText: 'places.' }).waitFor();
  assert.equal(await field.inputValue(), 'duplicateofid');
  assert.equal(await field.evaluate((e) => document.activeElement === e), true);
  await v.leave();
});

for (const [width, colorScheme] of [[1440, 'light'], [390, 'dark']]) {
  test(`at ${width} px, ${colorScheme}: the list and the places fit and are accessible`, async () => {
    const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme });
    for (const query of ['messages=all&round=1', 'find=duplicate&round=2&view=exact']) {
      await v.open(`${finished}?${query}`);
      assert.ok(await v.page.evaluate(() => document.documentElement.scrollWidth) <= width, query);
      await v.accessible();
    }
    await v.leave();
  });
}
