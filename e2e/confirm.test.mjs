// What is asked before something is deleted, ended, revoked or replaced: in one way, on
// every page, with and without script, by mouse and by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';

let browser, program;
before(async () => { [browser, program] = await Promise.all([launch(), start()]); });
after(async () => { await browser?.close(); await tidy(); });

// made makes one of everything that a user can have, and returns the pages with a
// question by name.
async function made(v) {
  const send = async (path, form = {}) => new URL(
    (await v.context.request.post(program.url + path, { form, headers: { origin: program.url } })).url());
  const post = async (path, form) => (await send(path, form)).pathname;
  const call = await post('/exchanges', { sample: 'azure-devops' });
  await v.open(`${program.url}/history`);
  const session = await v.page.locator('[data-session]').first().getAttribute('data-session');
  await v.open(`${program.url}/sessions/${session}/share`);
  const seen = await v.page.locator('[name="seen"]').first().getAttribute('value');
  await post(`/sessions/${session}/share`, { do: 'create', seen });
  const saved = await send('/saved', { exchange: call.split('/').pop() });
  await post('/learn/spot-the-fault/1', { answer: '1' });
  return {
    call, session: `/sessions/${session}`, share: `/sessions/${session}/share`, history: '/history',
    links: '/shares', saved: `/saved/${saved.searchParams.get('added')}`, flow: await post('/flows'), client: await post('/clients', { server: 'azure-devops' }),
    story: await post('/stories', { kind: 'demo', id: 'load-shedding' }),
    server: await post('/servers', { url: `${program.url}/mcp/confirm` }), state: '/state',
    spot: '/learn/spot-the-fault',
  };
}

// asking returns where the open question and its button are; null if none is open.
const asking = () => {
  const question = document.querySelector('.confirm:popover-open');
  if (!question) return null;
  const { left, top, right, bottom } = question.getBoundingClientRect();
  return {
    inside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
    wide: document.documentElement.scrollWidth > innerWidth, scrolled: scrollY,
    focus: question.contains(document.activeElement) ? document.activeElement.dataset.do : 'outside',
  };
};

for (const [width, height] of [[1280, 720], [390, 844]]) {
  test(`${width} px: every question opens in the window, moves nothing, and Escape gives the focus back`, async () => {
    const v = await visit(browser, { viewport: { width, height } });
    let count = 0;
    for (const [name, path] of Object.entries(await made(v))) {
      await v.open(program.url + path);
      if (name === 'history') { // what a row can do shows while the mouse is on it
        await v.page.locator('[data-session]').first().hover();
        await v.page.locator('[data-session] .pick input').first().check();
      }
      await v.page.evaluate(() => { for (const d of document.querySelectorAll('main details')) d.open = true; });
      const asks = await v.page.locator('[data-asks]').all();
      assert.ok(asks.length, `${name} has no question`);
      for (const button of asks) {
        const what = `${name}: ${await button.getAttribute('popovertarget')}`;
        const row = button.locator('xpath=ancestor::li[@data-link]');
        if (await row.count() && width > 400) await row.hover();
        if (!await button.isVisible()) continue; // nothing is selected
        await button.focus();
        const place = await button.boundingBox(), scrolled = await v.page.evaluate(() => scrollY);
        await v.press('Enter');
        assert.deepEqual(await v.page.evaluate(asking), {
          inside: true, wide: false, scrolled, focus: await button.getAttribute('data-asks'),
        }, what);
        assert.deepEqual(await button.boundingBox(), place, what);
        await v.press('Escape');
        await v.page.waitForFunction((at) => at === document.activeElement, await button.elementHandle());
        assert.equal(await v.page.evaluate(asking), null, what);
        count++;
      }
    }
    assert.ok(count > 15, `${count} questions`);
    await v.leave();
  });
}

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? 'with' : 'without'} script: a second click keeps it, and the button in the question does it`, async () => {
    const v = await visit(browser, { javaScriptEnabled });
    const { saved } = await made(v);
    v.expects(/status of 404/);
    assert.equal((await v.open(program.url + saved)).status(), 200);
    const question = v.page.locator('.confirm');
    await v.click('[data-asks]');
    await question.waitFor();
    await v.click('[data-asks]');
    await question.waitFor({ state: 'hidden' });
    await v.click('[data-asks]');
    await v.click(question.getByRole('button', { name: 'Keep it' }));
    await question.waitFor({ state: 'hidden' });
    assert.equal((await v.open(program.url + saved)).status(), 200);
    await v.confirm('delete-saved');
    await v.page.locator('h1', { hasText: 'History' }).waitFor();
    assert.equal((await v.open(program.url + saved)).status(), 404);
    await v.leave();
  });
}

test('a key that is held down opens a question and does not answer it', async () => {
  const v = await visit(browser);
  const { client } = await made(v);
  await v.open(program.url + client);
  await v.page.locator('[data-asks="end"]').focus();
  for (let n = 0; n < 4; n++) await v.page.keyboard.down('Enter'); // the later ones are repeats
  await v.page.keyboard.up('Enter');
  assert.equal((await v.page.evaluate(asking))?.focus, 'end');
  await v.leave();
});

for (const colorScheme of ['light', 'dark']) {
  test(`${colorScheme}: an open question is accessible`, async () => {
    const v = await visit(browser, { colorScheme });
    const { call } = await made(v);
    await v.open(program.url + call);
    await v.click('[data-asks="revoke"]');
    await v.accessible();
    await v.leave();
  });
}
