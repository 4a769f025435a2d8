// The command palette and the keys of a page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';
import { listen, text } from './servers/wire.mjs';

const names = ['list', 'get', 'create', 'update', 'delete', 'archive', 'export'].flatMap((verb) =>
  ['invoice', 'customer', 'order', 'shipment', 'refund', 'product', 'coupon', 'webhook', 'report', 'user']
    .map((noun) => `${verb}_${noun}`)).slice(0, 67);

let browser, program, server;
before(async () => {
  server = await listen(Object.fromEntries(names.map((n) => [n, { description: `Works on ${n}.`, call: () => text('done') }])));
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await tidy();
});

async function connected(v) {
  await v.open(`${program.url}/test`);
  await v.page.fill('#url', server.url);
  await v.click('form[data-form="connect"] button.first');
  await v.status('connected');
}

const selected = (v) => v.page.locator('#palette [aria-selected="true"] .palette-title').innerText();

async function openPalette(v) {
  await v.page.keyboard.press('Control+k');
  await v.page.locator('#palette[open] [role="option"]').first().waitFor();
}

test('three keys after opening it, the palette is at a tool of 67', async () => {
  const v = await visit(browser);
  await connected(v);
  assert.equal(names.length, 67);
  await v.open(`${program.url}/learn`);
  await openPalette(v);
  await v.press('d', 's', 'Enter'); // delete_shipment
  await v.page.waitForURL('**/servers/*?tool=delete_shipment');
  await v.page.locator('form[data-name="delete_shipment"]').waitFor();
  await v.leave();
});

test('the palette asks for its entries once, marks the match, and gives the focus back', async () => {
  const v = await visit(browser);
  const asked = [];
  v.page.on('request', (r) => { if (/palette/.test(r.url())) asked.push(new URL(r.url()).pathname.replace(/\.[0-9a-f]+\./, '.')); });
  await v.open(`${program.url}/test`);
  assert.deepEqual(asked, []);
  await v.page.locator('#url').focus();
  for (let n = 0; n < 3; n++) {
    await openPalette(v);
    assert.equal(await v.page.evaluate(() => document.activeElement.getAttribute('role')), 'combobox');
    await v.press('Escape');
    await v.page.waitForFunction(() => document.activeElement.id === 'url');
  }
  assert.deepEqual(asked.sort(), ['/palette', '/static/palette.css', '/static/palette.js']);
  await openPalette(v);
  await v.press(...'glos');
  assert.equal(await selected(v), 'Glossary');
  assert.equal(await v.page.locator('#palette [aria-selected="true"] mark').innerText(), 'Glos');
  const active = () => v.page.locator('#palette [role="combobox"]').getAttribute('aria-activedescendant');
  assert.equal(await active(), await v.page.locator('#palette [aria-selected="true"]').getAttribute('id'));
  const first = await active();
  await v.press('ArrowDown');
  assert.notEqual(await active(), first);
  await v.press('ArrowUp', 'Enter');
  await v.page.waitForURL('**/glossary');
  await v.leave();
});

test('the palette reaches pages, samples, lessons, terms, demos and recent calls', async () => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.status('waiting');
  const call = new URL(v.page.url()).pathname;
  const found = async (words, path) => {
    await v.open(`${program.url}/`);
    await openPalette(v);
    await v.press(...words, 'Enter');
    await v.page.waitForURL((url) => url.pathname + url.search + url.hash === path);
  };
  await found('hist', '/history');
  await found('sett', '/settings');
  await found('sample load', '/servers/load-shedding');
  await found('term statel', '/glossary#stateless');
  await found('demo roll', '/demos/rolling-upgrade');
  await found('uwi', '/servers/azure-devops?tool=update_work_item');
  await found('zebra stripes', '/search?q=zebra%20stripes');
  await v.open(`${program.url}/`);
  await openPalette(v);
  await v.press('Enter'); // the newest call is first before anything is typed
  await v.page.waitForURL(`**${call}`);
  await v.leave();
});

test('the palette ranks whole words and their beginnings, and letters that are scattered only if nothing else fits', async () => {
  const v = await visit(browser);
  const found = async (words) => {
    await v.open(`${program.url}/`);
    await openPalette(v);
    await v.page.keyboard.type(words);
    await v.page.locator('#palette [role="option"]', { hasText: 'Search all texts' }).waitFor();
    return v.page.locator('#palette [role="option"]').evaluateAll((list) => list.slice(0, -1).map((o) =>
      `${o.querySelector('.palette-kind').innerText}: ${o.querySelector('.palette-title').innerText}`));
  };
  const refund = await found('refund');
  for (const want of ['flow example: Refund', 'sample: Refund', 'lesson: Design a flow']) {
    assert.ok(refund.some((line) => line.startsWith(want)), `${want} is not in ${refund.join('\n')}`);
  }
  assert.ok(!refund.some((line) => line.startsWith('rule:')), refund.join('\n'));
  const origin = await found('origin');
  const first = (word) => origin.findIndex((line) => new RegExp(`\\b${word}\\b`, 'i').test(line));
  assert.ok(first('original') < 0 || first('origin') >= 0 && first('origin') < first('original'), origin.join('\n'));
  assert.equal((await found('how long a state'))[0], 'reference: How long a state should live');
  assert.match((await found('glsry'))[0], /Glossary/); // nothing but scattered letters
  await v.leave();
});

for (const [width, colorScheme] of [[1280, 'light'], [390, 'dark']]) {
  test(`the palette and the list of keys are clean for axe at ${width} px, ${colorScheme}`, async () => {
    const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme });
    await v.open(`${program.url}/`);
    await openPalette(v);
    await v.accessible();
    await v.press('s', 't');
    await v.accessible();
    await v.press('Escape');
    await v.page.waitForFunction(() => !document.activeElement.closest('dialog'));
    await v.press('?');
    await v.page.locator('#keys[open]').waitFor();
    await v.accessible();
    await v.open(`${program.url}/settings`);
    await v.accessible();
    await v.leave();
  });
}

test('without script, Search in the header is the search page', async () => {
  const v = await visit(browser, { javaScriptEnabled: false });
  await v.open(`${program.url}/`);
  await v.click('header a[href="/search"]');
  assert.equal(new URL(v.page.url()).pathname, '/search');
  await v.page.fill('#q', 'update_work_item');
  await v.page.keyboard.press('Enter');
  await v.page.locator('a[href="/servers/azure-devops?tool=update_work_item"]').waitFor();
  await v.leave();
});

async function secondQuestion(v) {
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.status('waiting');
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click('[data-do="send"]');
  await v.round(2);
}

test('keys open panels, rounds and the editor, and send the retry', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  await v.page.locator('h1').click(); // no field has the focus
  for (const [key, panel] of [['2', 'state'], ['3', 'rules'], ['4', 'timing'], ['5', 'lab'], ['1', 'wire'], ['l', 'lab']]) {
    await v.press(key);
    await v.page.locator(`.drawer[data-panel="${panel}"]`).waitFor();
  }
  for (const [key, round] of [['[', 1], [']', 2], ['k', 1], ['j', 2]]) {
    await v.press(key);
    await v.page.locator(`main[data-shown="${round}"]`).waitFor();
    await v.page.locator('h1').click();
  }
  await v.page.locator('[data-field]').first().fill('4301');
  await v.press('r'); // typed into a field, it is a letter
  await v.page.locator('[data-field]').first().fill('4301');
  await v.page.evaluate(() => { // the preview, which comes when the field has been left
    globalThis.previewed = new Promise((done) => document.addEventListener('htmx:after:swap', done, { once: true }));
  });
  await v.page.locator('h1').click();
  await v.page.evaluate(() => globalThis.previewed);
  assert.equal(await v.page.evaluate(() => document.activeElement.tagName), 'BODY', 'the focus stays where it was put');
  await v.press('r');
  await v.status('complete');
  await v.page.locator('h1').click();
  await v.press('e');
  await v.page.waitForURL('**/edit?round=*');
  await v.leave();
});

test('? lists exactly the keys of the page', async () => {
  const v = await visit(browser);
  const listed = async () => {
    await v.page.locator('h1').click();
    await v.press('?');
    await v.page.locator('#keys[open]').waitFor();
    const rows = await v.page.locator('#keys dl > div:visible dd').allInnerTexts();
    await v.press('Escape');
    await v.page.waitForFunction(() => !document.activeElement.closest('#keys'));
    return rows;
  };
  await v.open(`${program.url}/`);
  assert.deepEqual(await listed(),
    ['find a page, tool, or call', 'go to Learn, Test, Build, Show, History', 'show this list']);
  await secondQuestion(v);
  const rows = await listed();
  for (const row of ['Wire', 'Check', 'send the answers or the retry', 'edit the request of this round, then send it',
    'next or previous round']) assert.ok(rows.includes(row), `${row} is not among ${rows}`);
  for (const row of ['Picture', 'start or stop presenting', 'send the request again', 'filter the list']) {
    assert.ok(!rows.includes(row), `${row} is listed`);
  }
  await v.leave();
});

test('single keys can be turned off, without script too; Ctrl K and the arrows stay', async () => {
  const still = await visit(browser, { javaScriptEnabled: false });
  await still.open(`${program.url}/settings`);
  await still.page.locator('input[name="keys"]').uncheck();
  await still.click('[data-do="save"]');
  await still.page.locator('main [role="status"]').waitFor();
  const cookies = await still.context.cookies();
  await still.leave();
  const v = await visit(browser);
  await v.context.addCookies(cookies.filter((c) => c.name === 'keys'));
  await secondQuestion(v);
  await v.page.locator('h1').click();
  await v.press('?', '3', 'r', 'g', 's');
  assert.equal(await v.page.locator('#keys[open]').count(), 0);
  assert.equal(await v.page.locator('.drawer').getAttribute('data-panel'), 'wire');
  await v.press('ArrowLeft');
  await v.page.locator('main[data-shown="1"]').waitFor();
  await openPalette(v);
  await v.leave();
});
