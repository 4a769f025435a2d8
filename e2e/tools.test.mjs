// The page of a server with many tools: the filter, the address of a form, saved
// calls, and all of it without script.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';
import { listen, text } from './servers/wire.mjs';

const verbs = ['add', 'block', 'create', 'delete', 'edit', 'find', 'get', 'hide', 'invite'];
const nouns = ['branch', 'commit', 'file', 'issue', 'label', 'milestone', 'page', 'release'];
const names = verbs.flatMap((verb) => nouns.map((noun) => `${verb}_${noun}`)).slice(0, 67);
const inputSchema = { type: 'object', required: ['repository'], properties: {
  repository: { type: 'string' }, password: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } },
} };

let browser, program, server, page;
before(async () => {
  server = await listen(Object.fromEntries(names.map((name) => [name, {
    inputSchema, call: (message) => text(`${name} in ${message.params.arguments.repository}`),
  }])));
  program = await start();
  browser = await launch();
  const v = await visit(browser);
  await v.open(`${program.url}/test`);
  await v.type('#url', server.url);
  await v.press('Enter');
  await v.status('connected');
  page = v.page.url();
  await v.leave();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await tidy();
});

const form = (name) => `form[data-form="call"][data-name="${name}"]`;
const focused = (v) => v.page.evaluate(() => document.activeElement.dataset.field ?? document.activeElement.textContent.trim());

test('every tool of 67 is three keys and Enter away', async () => {
  const v = await visit(browser);
  await v.open(page);
  assert.equal(await v.page.locator('#entries a').count(), 67);
  for (const name of names.toReversed()) {
    await v.page.evaluate(() => document.activeElement.blur());
    const [verb, noun] = name.split('_');
    await v.press('/', verb[0], noun[0]);
    await v.press('Enter');
    await v.page.locator(form(name)).waitFor();
    await v.page.waitForFunction(() => document.activeElement.dataset.field === 'repository');
    assert.equal(new URL(v.page.url()).searchParams.get('tool'), name);
    assert.equal(await v.page.locator('#entries a[aria-current]').innerText(), name);
    const check = new URL(await v.page.locator('#check-server').evaluate((a) => a.href));
    assert.equal(check.searchParams.get('tool'), name, 'a check is one of the chosen tool');
  }
  assert.equal(v.documents, 1, 'the page was not loaded again');
  await v.leave();
});

test('the arrow keys move along what matches', async () => {
  const v = await visit(browser);
  await v.open(page);
  await v.press('/', ...'branch');
  assert.equal(await v.page.locator('#entries a:visible').count(), 9);
  assert.match(await v.text('[data-count]'), /^9 matches/);
  await v.press('ArrowDown');
  assert.equal(await focused(v), 'block_branch', 'Enter leads to the first one, the arrow to the next');
  await v.press('ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp');
  assert.equal(await v.page.evaluate(() => document.activeElement.id), 'filter');
  await v.press('ArrowDown', 'ArrowDown', 'Enter');
  await v.page.locator(form('create_branch')).waitFor();
  await v.leave();
});

test('the address restores the tool and its arguments, but no secret', async () => {
  const v = await visit(browser);
  await v.open(`${page}?tool=get_file`);
  await v.type('[data-field="repository"]', 'acme/shop & more');
  await v.page.waitForURL(/args=/);
  await v.type('[data-field="password"]', 'hunter22');
  await v.page.waitForFunction(() => document.querySelector('[data-field-json]').value.includes('hunter22'));
  await v.page.locator('[data-do="add-row"]').click();
  await v.page.locator('[data-field="tags"] [data-row="1"] input[type="text"]').fill('blue');
  await v.page.waitForURL(/blue/);
  assert.ok(!v.page.url().includes('hunter22'), v.page.url());
  const other = await visit(browser);
  await other.open(v.page.url());
  assert.equal(await other.page.locator('[data-field="repository"]').inputValue(), 'acme/shop & more');
  assert.equal(await other.page.locator('[data-field="password"]').inputValue(), '');
  assert.match(await other.page.locator('[data-field-json]').inputValue(), /"blue"/);
  await other.leave();
  await v.page.locator('#entries a', { hasText: 'get_issue' }).click();
  await v.page.locator(form('get_issue')).waitFor();
  await v.page.goBack();
  await v.page.locator(form('get_file')).waitFor();
  assert.match(v.page.url(), /tool=get_file/);
  await v.leave();
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';
  test(`a call is filtered, made, seen beside its form, saved and run again, ${how} script`, async () => {
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(page);
    await v.page.fill('#filter', 'hl');
    await v.page.locator('#filter').press('Enter');
    await v.page.locator(form('hide_label')).waitFor();
    await v.page.locator(`${form('hide_label')} [data-field="repository"]`).fill(`acme/${how}`);
    await v.click('[data-do="call"]');
    await v.status('complete');
    await v.open(`${page}?tool=hide_label`);
    assert.match(await v.text('[data-last]'), new RegExp(`complete[^]*hide_label in acme/${how}`));
    await v.page.locator('[data-last] a', { hasText: 'Fill in its arguments' }).click();
    await v.page.waitForURL(/args=/);
    await v.click('[data-do="save"]');
    await v.page.locator('[data-added] input[name="title"]').fill(`Hide ${how}`);
    await v.click('[data-do="rename"]');
    await v.page.locator('[data-saved]', { hasText: `Hide ${how}` }).locator('[data-do="run-saved"]').click();
    await v.status('complete');
    assert.match(await v.text('[data-result]'), new RegExp(`hide_label in acme/${how}`));
    await v.open(`${program.url}/saved`);
    const row = v.page.locator('[data-saved]', { hasText: `Hide ${how}` });
    await row.hover(); // which shows what it can do
    await row.getByRole('link', { name: 'Edit' }).click();
    await v.confirm('delete-saved');
    await v.page.locator('h1', { hasText: 'History' }).waitFor();
    assert.equal(await row.count(), 0);
    await v.leave();
  });
}

test('nothing is wider than the page, from a phone to a projector', async () => {
  for (const width of [390, 768, 1024, 1440]) {
    const v = await visit(browser, { viewport: { width, height: 900 } });
    for (const path of [page, `${program.url}/servers`, `${program.url}/saved`]) {
      await v.open(path);
      const wide = await v.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${path} is ${wide} px too wide at ${width}`);
    }
    if (width >= 768) {
      await v.open(page);
      const list = await v.page.locator('.offer-menu').boundingBox();
      const chosen = await v.page.locator('#chosen').boundingBox();
      assert.ok(list.x + list.width <= chosen.x, `at ${width} the list does not stand beside the form`);
    }
    await v.leave();
  }
});
