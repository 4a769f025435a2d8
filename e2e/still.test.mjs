// Nothing moves by itself, and nothing covers what is to be pressed: on every page, and
// while a visitor does what the pages are for.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { everyPage } from './pages.mjs';
import { slowly } from './pieces.mjs';
import { asked, covered, crowded, drawn, leaps, moves, still, watch } from './still.mjs';
import { freePort, start, tidy } from './program.mjs';
import { connect } from './typescript-client.mjs';

let browser, program, pages, close;
before(async () => {
  program = await start();
  browser = await launch();
  ({ pages, close } = await everyPage(program.url));
  delete pages['what is not kept']; // the browser itself unfolds what a fragment names
  for (const panel of ['state', 'rules', 'timing', 'lab']) pages[`panel ${panel}`] = `${pages['exchange complete']}?panel=${panel}`;
});
after(async () => {
  await browser?.close();
  await close?.();
  await tidy();
});

const sizes = [[1440, 900], [1280, 720], [1024, 768], [768, 1024], [640, 800], [390, 844]];

// seen opens a page at a size.
async function seen(width, height, options = {}) {
  const v = await visit(browser, { viewport: { width, height }, ...options });
  await watch(v);
  return v;
}

for (const [width, height] of sizes) {
  test(`at ${width}x${height}, no page moves, nothing covers a primary control, and nothing touches a heading or a control`, async () => {
    const v = await seen(width, height), found = [];
    v.expects(/status of (404|500|422)/);
    for (const [name, path] of Object.entries(pages)) {
      await v.open(program.url + path);
      for (const move of await moves(v)) found.push(`${name} moves ${move}`);
      for (const flaw of await v.page.evaluate(covered)) found.push(`${name}: ${flaw}`);
      for (const flaw of await v.page.evaluate(crowded)) found.push(`${name}: ${flaw}`);
      if (await v.page.evaluate(() => document.documentElement.scrollWidth) > width) found.push(`${name} is too wide`);
    }
    assert.deepEqual(found, []);
    await v.leave();
  });

  test(`at ${width}x${height}, nothing moves from the landing page to the end of a call`, async () => {
    const v = await seen(width, height);
    await v.open(program.url);
    await v.click('form[data-start="azure-devops"] button');
    await v.round(1);
    await still(v, 'the first question');
    await v.page.selectOption('select[data-field="resolution"]', 'Duplicate');
    await v.page.locator('#preview', { hasText: '"resolution":"Duplicate"' }).waitFor();
    await still(v, 'a choice');
    await v.click('[data-form="answers"] [data-do="send"]');
    await v.round(2);
    await still(v, 'the second question');
    await v.press(...'4301');
    await v.page.locator('#preview', { hasText: '"duplicateOfId":4301}' }).waitFor();
    await still(v, 'typing');
    await v.click('[data-form="answers"] [data-do="send"]');
    await v.status('complete');
    await still(v, 'the end');
    await v.leave();
  });

  test(`at ${width}x${height}, nothing moves while one types in a flow, looks for a call, takes a lesson, makes a state and connects`, async () => {
    const v = await seen(width, height);
    await v.open(`${program.url}/build`);
    await v.click('[aria-label="Start from this: Refund"]');
    await v.page.locator('#flow-source').waitFor();
    const message = v.page.locator('[data-flow-control="s0.message"]');
    await message.fill((await message.inputValue()).replace('?', '!')); // as long, so that its field is as high
    await v.page.locator('.flow-asked').filter({ hasText: 'A-1001 refunded!' }).waitFor();
    await still(v, 'a flow, its form');
    const text = v.page.locator('#flow-source');
    await text.fill((await text.inputValue()).replace('title: Refund an order', 'title: Pay it back'));
    await v.page.waitForFunction(() => document.querySelector('[data-flow-control="title"]').value === 'Pay it back');
    await still(v, 'a flow, its text');

    await v.open(`${program.url}/history`);
    await asked(v, '#q', 'history', async () => {
      await v.type('#q', 'Broken');
      await v.page.waitForURL(/q=Broken/);
    });

    await v.open(`${program.url}/learn/sealed-state`);
    await v.click('#live form[data-start] button');
    await v.page.locator('#live select[data-field]').waitFor();
    await still(v, 'a lesson');
    await v.page.selectOption('#live select[data-field]', 'Duplicate');
    await v.page.locator('#preview', { hasText: '"resolution":"Duplicate"' }).waitFor();
    await still(v, 'a lesson, a choice');

    await v.open(`${program.url}/state`);
    await v.click('[data-do="flip"]');
    await v.page.locator('[data-accepted="false"]').first().waitFor();
    await still(v, 'a state');

    await v.open(`${program.url}/test`);
    await v.type('#url', `${program.url}/mcp/confirm`);
    await v.click('[data-do="connect"]');
    await v.status('connected');
    await still(v, 'a server');
    await v.leave();
  });
}

for (const [width, height] of [[1280, 720], [390, 844]]) {
  test(`at ${width}x${height}, nothing leaps on a page that arrives in pieces`, async () => {
    const proxy = await slowly(program.url, 8);
    const v = await visit(browser, { viewport: { width, height } }), found = [];
    v.expects(/status of (404|500|422)/);
    await watch(v, { pieces: true });
    for (const [name, path] of Object.entries(pages)) {
      await v.page.goto(proxy.url + path, { waitUntil: 'commit' });
      let loaded = false; // also what a page has in a frame
      v.page.waitForLoadState('load').then(() => { loaded = true; });
      while (!loaded || proxy.waiting()) {
        await v.page.evaluate(drawn);
        proxy.go();
      }
      for (const move of await leaps(v)) found.push(`${name} moves ${move}`);
    }
    assert.deepEqual(found, []);
    await v.leave();
    proxy.stop();
  });
}

// everywhere opens a path at every size.
async function everywhere(path, base = program.url) {
  const windows = [];
  for (const [width, height] of sizes) {
    const v = await seen(width, height);
    await v.open(base + path);
    windows.push(v);
  }
  return windows;
}

// allStill fails if something has moved in a window.
async function allStill(windows, where) {
  for (const v of windows) await still(v, `${where}, at ${v.page.viewportSize().width}`);
}

test('nothing moves on the page of a client while its requests come', async () => {
  const windows = await everywhere(pages['address that waits for a client']);
  const address = await windows[0].text('[data-address]');
  const client = await connect(program.url, address, { pin: '2026-07-28' });
  for (const v of windows) await v.page.locator('h1', { hasText: 'mrtr-playground-e2e' }).waitFor();
  await allStill(windows, 'the first requests');
  for (let n = 1; n <= 3; n++) {
    await client.callTool({ name: 'list_work_items', arguments: {} });
    for (const v of windows) await v.page.locator(`[data-call] >> nth=${n - 1}`).waitFor({ state: 'attached' });
    await allStill(windows, `call ${n}`);
  }
  await client.close();
  for (const v of windows) await v.leave();
});

test('nothing moves on the page of a check while it runs', async () => {
  const v = await seen(...sizes[0]);
  await v.open(`${program.url}/servers/confirm/check`);
  await v.click('[data-do="check"]');
  await v.page.locator('main[data-check]').waitFor();
  const windows = [v, ...await everywhere(new URL(v.page.url()).pathname)];
  for (const w of windows) await w.page.locator('main[data-check]:not([data-status="running"])').waitFor();
  await allStill(windows, 'a check');
  for (const w of windows) await w.leave();
});

test('nothing moves on the phone of a listener', async () => {
  const talk = await start({ flags: ['-trusted-network', '-base-url', 'http://playground.lab:2322', '-addr', `127.0.0.1:${await freePort()}`] });
  const presenter = await seen(1280, 720);
  await presenter.open(`${talk.url}/demos/azure-devops?present=1`);
  const at = (v, n) => v.page.locator(`main[data-step="${n}"]:not([data-status="running"], [data-live])`).waitFor();
  const next = async (n) => {
    await presenter.press('ArrowRight');
    await at(presenter, n);
  };
  await next(1);
  await presenter.press('q');
  const link = await presenter.page.locator('.talk-url a').getAttribute('href');
  await next(1);
  const windows = await everywhere(new URL(link).pathname, talk.url);
  for (let n = 2; n <= 6; n++) {
    await next(n);
    for (const v of windows) await at(v, n);
    await allStill(windows, `step ${n}`);
  }
  for (const v of [presenter, ...windows]) await v.leave();
  await talk.stop();
});
