// The page of an exchange as a workbench: everything of a round on one screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';

let browser, program;
before(async () => {
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

const send = '[data-form="answers"] [data-do="send"]';

async function firstQuestion(v) {
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.status('waiting');
  await v.round(1);
}

async function secondQuestion(v) {
  await firstQuestion(v);
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click(send);
  await v.round(2);
}

// inside reports whether the first match of a selector is wholly on the screen.
async function inside(v, selector) {
  const box = await v.page.locator(selector).first().boundingBox();
  const { width, height } = v.page.viewportSize();
  const whole = box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
  return whole ? '' : `${selector} at ${JSON.stringify(box)} is not inside ${width}x${height}`;
}

test('the evidence gets the room that the question leaves', async () => {
  const v = await visit(browser);
  for (const [width, height, open] of [[1280, 720, firstQuestion], [1280, 720, secondQuestion],
    [1440, 900, firstQuestion], [1920, 1080, firstQuestion]]) {
    await v.page.setViewportSize({ width, height });
    await open(v);
    const { lines, last, rest } = await v.page.evaluate(() => {
      const panel = document.querySelector('.drawer > .panel').getBoundingClientRect();
      const first = document.querySelector('.sides h3').getBoundingClientRect();
      const ask = document.querySelector('.stage > .ask');
      return {
        lines: (panel.bottom - first.top) / first.height,
        last: ask.getBoundingClientRect().bottom -
          Math.max(...[...ask.querySelectorAll('.answers > *')].map((e) => e.getBoundingClientRect().bottom)),
        rest: document.querySelector('.stage').getBoundingClientRect().bottom -
          Math.max(...[...document.querySelectorAll('.stage > .narration, .answers > *')].map((e) => {
            const words = document.createRange();
            words.selectNodeContents(e);
            return words.getBoundingClientRect().bottom;
          })),
      };
    });
    assert.ok(lines >= 8, `the panel shows ${lines} lines`);
    assert.ok(last >= 8, `the last line ends ${last} px above the divider`);
    assert.ok(rest <= 32, `at ${width}x${height}, ${rest} px below the question are empty`);
  }
  await v.leave();
});

test('at 1440x900, round 1 has at most 24 controls in view', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await firstQuestion(v);
  const controls = await v.page.$$eval('a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]',
    (list) => list.filter((e) => e.checkVisibility({ visibilityProperty: true })).filter((e) => {
      const r = e.getBoundingClientRect();
      const x = (Math.max(r.left, 0) + Math.min(r.right, innerWidth)) / 2;
      const y = (Math.max(r.top, 0) + Math.min(r.bottom, innerHeight)) / 2;
      const at = document.elementFromPoint(x, y);
      return at && (e.contains(at) || at.contains(e));
    }).map((e) => e.ariaLabel ?? e.textContent.trim()));
  assert.ok(controls.length <= 24, `${controls.length}: ${controls.join(' | ')}`);
  await v.leave();
});

test('the buttons that refuse say what they do', async () => {
  const v = await visit(browser);
  await firstQuestion(v);
  const client = await v.context.newCDPSession(v.page);
  const { root } = await client.send('DOM.getDocument');
  const described = async (selector) => {
    const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { nodes } = await client.send('Accessibility.getPartialAXTree', { nodeId, fetchRelatives: false });
    return nodes[0].description?.value;
  };
  assert.equal(await described('[data-do="decline"]'), 'Says no to the question.');
  assert.equal(await described('[data-do="cancel"]'), 'Gives no answer: neither yes nor no.');
  assert.match(await described('[name="instance"]'), /load balancer chooses/);
  await v.leave();
});

test('a suggested value is entered in place, and Enter in the field sends it', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  const field = v.page.locator('[data-field="duplicateOfId"]'), { documents } = v;
  await v.click('[data-do="enter"]');
  await v.page.locator('[data-field="duplicateOfId"][value="4301"]').waitFor();
  assert.equal(await field.evaluate((e) => document.activeElement === e), true, 'the field has the focus');
  await v.page.locator('#preview', { hasText: '"duplicateOfId":4301' }).waitFor();
  assert.equal(await v.page.locator('[data-do="enter"]').count(), 0);
  assert.equal(await v.page.locator('main').getAttribute('data-status'), 'waiting', 'nothing was sent');
  await field.fill('');
  await field.fill('4301');
  await field.press('Enter');
  await v.status('complete');
  assert.equal(v.documents, documents, 'the page was not loaded again');
  await v.leave();
});

test('Enter in a field with a suggestion sends, and does not enter it', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  const field = v.page.locator('[data-field="duplicateOfId"]');
  await field.fill('99999999');
  await field.press('Enter');
  await v.page.locator('[data-is-error]', { hasText: '#99999999' }).first().waitFor({ timeout: 60_000 });
  await v.leave();
});

for (const [width, height] of [[390, 844], [768, 1024], [1440, 900]]) {
  test(`at ${width}x${height}, the menus stay on the screen and the tabs in one row`, async () => {
    const v = await visit(browser, { viewport: { width, height } });
    await firstQuestion(v);
    const tops = await v.page.$$eval('.tabs a', (list) =>
      [...new Set(list.filter((a) => a.checkVisibility()).map((a) => Math.round(a.getBoundingClientRect().top)))]);
    assert.equal(tops.length, 1, `tabs at ${tops}`);
    for (const menu of ['.nav .menu', '[data-menu="again"]']) {
      await v.click(`${menu} > summary`);
      const box = await v.page.locator(`${menu} > ul`).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width, `${menu} at ${JSON.stringify(box)}`);
      assert.equal(await v.page.evaluate(() => document.documentElement.scrollWidth), width);
      await v.page.keyboard.press('Escape');
      assert.ok(!await v.page.locator(`${menu} > ul`).isVisible());
    }
    await v.leave();
  });
}

test('only what scrolls and holds nothing else with the focus is a stop of the Tab key', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await firstQuestion(v);
  const stops = () => v.page.$$eval('.workbench [role="group"][tabindex="0"]', (list) => list.filter((e) => e.checkVisibility()).map((e) => ({
    name: e.className, scrolls: e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1,
    holds: e.querySelectorAll('a[href], button, summary').length,
  })));
  assert.deepEqual(await stops(), []);
  const preview = v.page.locator('#preview');
  assert.equal(await preview.getAttribute('tabindex'), '-1');
  await v.page.setViewportSize({ width: 1440, height: 601 });
  await preview.locator('ul').evaluate((e) => { e.style.minHeight = '60rem'; });
  await v.page.setViewportSize({ width: 1440, height: 602 });
  await v.page.locator('#preview[tabindex="0"]').waitFor();
  for (const s of await stops()) assert.ok(s.scrolls && !s.holds, JSON.stringify(s));
  await v.leave();
});

// fill fills in the fields of the open question with anything that they take.
async function fill(v) {
  for (const field of await v.page.locator('[data-form="answers"] [data-field]').all()) {
    const kind = await field.evaluate((e) => e.tagName === 'SELECT' ? 'select' : e.type);
    if (kind === 'select') await field.selectOption({ index: 1 });
    else if (kind === 'checkbox') await field.check();
    else if (kind === 'date') await field.fill('2026-11-22');
    else if (kind === 'datetime-local') await field.fill('2026-11-22T12:00');
    else if (!await field.inputValue()) {
      await field.fill(await field.getAttribute('inputmode') ? '4301' : 'Something to say');
    }
  }
}

// samples lists the samples that can be started by one button.
async function samples() {
  const r = new Reader(program.url);
  await r.open('/servers');
  return [...new Set(r.all('form[data-start]').map((f) => f.dataset.start))];
}

for (const [width, height] of [[1440, 900], [1280, 720]]) {
  test(`at ${width}x${height}, Send and the first message are on the screen in every round of the samples with one question`, async (t) => {
    let rounds = 0;
    const v = await visit(browser, { viewport: { width, height } });
    v.expects(/status of 422/);
    for (const sample of await samples()) {
      await v.open(`${program.url}/servers`);
      const button = v.page.locator(`form[data-start="${sample}"] button`).first();
      await button.evaluate((b) => b.closest('details')?.setAttribute('open', ''));
      await button.click();
      await v.page.locator('main[data-exchange]').waitFor();
      for (let n = 0; n < 4; n++) {
        if (await v.page.locator('main').getAttribute('data-status') !== 'waiting' ||
          await v.page.locator('[data-input-key]').count() !== 1) break;
        rounds++;
        for (const selector of [send, '.drawer .frame h3, .drawer [data-m] :is(h3, h2)']) {
          assert.equal(await inside(v, selector), '', `${sample}, round ${n + 1}`);
        }
        await fill(v);
        const shown = await v.page.locator('main').getAttribute('data-shown');
        await v.click(send);
        await v.page.locator(`main:not([data-shown="${shown}"]), main .problem`).first().waitFor();
        if (await v.page.locator('main .problem').count()) break;
      }
    }
    t.diagnostic(`${rounds} rounds`);
    assert.ok(rounds >= 8, `${rounds} rounds`);
    await v.leave();
  });
}

test('at 390x844, Send is on the first screen of a question with one field', async () => {
  const v = await visit(browser, { viewport: { width: 390, height: 844 } });
  await firstQuestion(v);
  assert.equal(await inside(v, send), '');
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click(send);
  await v.round(2);
  assert.equal(await inside(v, send), '');
  await v.leave();
});

test('an arrow leads to its message, and Escape back to its arrow; a click marks it', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await secondQuestion(v);
  const selected = () => v.page.locator('.stage .pic a[aria-current="true"]').first().getAttribute('data-m');

  await v.click('.stage .pic a[data-m="2.response"]');
  await v.page.locator('.drawer[data-message="2.response"]').waitFor();
  assert.equal(await selected(), '2.response');
  assert.match(v.page.url(), /\?message=response&round=2$/);
  await v.page.waitForFunction(() => document.activeElement.closest('.drawer [data-m="2.response"]'));

  await v.press('Escape');
  await v.page.waitForFunction(() => document.activeElement.closest('.pic [data-m="2.response"]'));

  await v.click('.drawer [data-m="2.request"] h3');
  await v.page.locator('.drawer[data-message="2.request"]').waitFor();
  assert.equal(await selected(), '2.request');
  assert.match(v.page.url(), /\?message=request&round=2$/);

  await v.click('.stage .pic a[data-m="2.request"]');
  await v.page.waitForFunction(() => document.activeElement.closest('.drawer [data-m="2.request"]'));
  await v.press('Escape', 'ArrowUp', 'Enter'); // the answer before it, which the request of round 2 carries
  await v.page.waitForFunction(() => document.activeElement.closest('.drawer [data-m]'));
  await v.page.locator('.stage .pic a[data-m="1.response"]').first().focus();
  await v.press('Enter');
  await v.page.locator('main[data-shown="1"] .drawer[data-message="1.response"]').waitFor();
  await v.leave();
});

for (const javaScriptEnabled of [true, false]) {
  test(`the address restores round, panel and message, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    const v = await visit(browser, { viewport: { width: 1440, height: 900 }, javaScriptEnabled });
    await secondQuestion(v);
    await v.click('.ribbon li[data-round="1"] a');
    await v.page.locator('main[data-shown="1"]').waitFor();
    await v.click('.tabs [data-panel="rules"]');
    await v.page.locator('main[data-shown="1"] .drawer[data-panel="rules"]').waitFor();
    assert.equal(await v.page.locator('main').count(), 1, 'only the drawer was loaded');
    const { pathname, search } = new URL(v.page.url());
    assert.equal(search, '?panel=rules&round=1');
    const other = await visit(browser, { javaScriptEnabled, storageState: await v.context.storageState() });
    await other.open(program.url + pathname + search);
    await other.page.locator('main[data-shown="1"] .drawer[data-panel="rules"] [data-rule]').first().waitFor({ state: 'attached' });
    await other.open(`${program.url}${pathname}?round=2&message=response`);
    await other.page.locator('.drawer [data-m="2.response"]:is([aria-current="true"], :has([aria-current="true"]))').waitFor();
    assert.equal(await other.page.locator('.stage .pic a[aria-current="true"]').first().getAttribute('data-m'), '2.response');
    await other.leave();
    if (javaScriptEnabled) {
      await v.page.goBack();
      await v.page.locator('main[data-shown="1"] .drawer[data-panel="wire"]').waitFor();
    }
    await v.leave();
  });
}

test('sending keeps the open panel', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await firstQuestion(v);
  await v.click('.tabs [data-panel="state"]');
  await v.page.locator('.drawer[data-panel="state"]').waitFor();
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click(send);
  await v.round(2);
  await v.page.locator('main[data-shown="2"] .drawer[data-panel="state"]').waitFor();
  assert.match(v.page.url(), /\?panel=state$/);
  assert.equal(await v.page.locator('main').count(), 1);
  await v.leave();
});

test('typing changes what will be sent before the field is left', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  await v.press(...'43');
  await v.page.locator('#preview', { hasText: '"duplicateOfId":43}' }).waitFor();
  assert.ok(await v.page.evaluate(() => document.activeElement.matches('[data-field="duplicateOfId"]')), 'the focus stays');
  await v.press(...'01');
  await v.page.locator('#preview', { hasText: '"duplicateOfId":4301}' }).waitFor();
  assert.equal(await v.page.locator('[data-answer-json]').inputValue().then((s) => JSON.parse(s).content.duplicateOfId), 4301);
  await v.leave();
});

test('what will be sent has the defaults before anything is typed', async () => {
  const r = new Reader(program.url);
  await r.open('/');
  for (const sample of ['wizard']) {
    await r.open('/servers');
    await r.send('data-start', sample);
    await r.settled();
    const preview = r.one('#preview').textContent;
    for (const field of r.all('[data-form="answers"] [data-field]')) {
      if (field.value) assert.ok(preview.includes(field.value), `${field.value} is in ${preview}`);
    }
    assert.doesNotMatch(preview, /your answer/);
  }
});

test('a draft survives a reload and a restart of the program, and is gone once it is sent', async () => {
  const data = await start().then(async (p) => { await p.stop(); return p.data; });
  let own = await start({ data });
  const v = await visit(browser);
  v.expects(/ERR_CONNECTION|Failed to (load|fetch)/);
  await v.open(own.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.round(1);
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.page.locator('#preview', { hasText: 'Duplicate' }).waitFor();
  await v.page.reload();
  await v.page.locator('#preview', { hasText: 'Duplicate' }).waitFor();
  assert.equal(await v.page.locator('select[data-field="resolution"]').inputValue(), 'Duplicate');

  const path = new URL(v.page.url()).pathname, port = new URL(own.url).port;
  await own.stop();
  own = await start({ data, flags: ['-addr', `127.0.0.1:${port}`] });
  await v.open(own.url + path);
  await v.page.locator('#preview', { hasText: 'Duplicate' }).waitFor();
  await v.click(send);
  await v.round(2);
  await v.page.waitForFunction(() => !Object.keys(localStorage).some((k) => k.startsWith('draft ')));
  await own.stop();
  await v.leave();
});

test('an answer that is chosen before the scripts have come has its preview and draft', async () => {
  const v = await visit(browser);
  await firstQuestion(v);
  let go;
  const chosen = new Promise((resolve) => { go = resolve; });
  await v.page.route(/\.js/, async (route) => { await chosen; await route.continue(); });
  await v.page.reload({ waitUntil: 'commit' });
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  go();
  await v.page.locator('#preview', { hasText: 'Duplicate' }).waitFor();
  assert.match(await v.page.evaluate(() => JSON.stringify(localStorage)), /Duplicate/);
  await v.leave();
});

test('Decline and Cancel are buttons that send the answer, whatever is filled in', async () => {
  for (const javaScriptEnabled of [true, false]) {
    for (const action of ['decline', 'cancel']) {
      const v = await visit(browser, { javaScriptEnabled });
      await firstQuestion(v);
      await v.choose('select[data-field="resolution"]', 'Duplicate');
      await v.click(`[data-form="answers"] [data-do="${action}"]`);
      await v.page.locator('main[data-shown="2"]').waitFor();
      await v.open(`${v.page.url().split('?')[0]}?round=2&view=exact`);
      assert.match(await v.page.locator('[data-frame="request"] [data-bytes]').textContent(),
        new RegExp(`"inputResponses":\\{"resolution":\\{"action":"${action}"\\}\\}`));
      await v.leave();
    }
  }
});

test('the height of the drawer is changed by mouse or keyboard and remembered', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await firstQuestion(v);
  const height = () => v.page.locator('.drawer').boundingBox().then((b) => Math.round(b.height));
  const before = await height();
  await v.page.locator('[data-grip]').focus();
  await v.press('ArrowUp', 'ArrowUp');
  const after = await height();
  assert.ok(after > before, `${before} to ${after}`);
  await v.page.reload();
  await v.page.waitForFunction((want) => Math.abs(document.querySelector('.drawer').getBoundingClientRect().height - want) < 2, after);
  const grip = await v.page.locator('[data-grip]').boundingBox();
  await v.page.mouse.move(700, grip.y + 4);
  await v.page.mouse.down();
  await v.page.mouse.move(700, grip.y + 104);
  await v.page.mouse.up();
  assert.ok(await height() < after - 80);
  await v.leave();
});

test('at most 25 keys from the landing page to the finished call', async (t) => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.walk('form[data-start="azure-devops"] button');
  await v.press('Enter');
  await v.round(1);
  await v.walk('select[data-field="resolution"]');
  await v.press('D');
  await v.walk(send);
  await v.press('Enter');
  await v.round(2);
  await v.walk('[data-field="duplicateOfId"]');
  await v.press(...'4301', 'Enter');
  await v.status('complete');
  t.diagnostic(`${v.keys} keys`);
  assert.ok(v.keys <= 25, `${v.keys} keys`);
  assert.equal(v.clicks, 0);
  await v.leave();
});

test('a round is at most 24 KB, and the whole page at most 80 KB compressed', async (t) => {
  const v = await visit(browser);
  const client = await v.context.newCDPSession(v.page);
  await client.send('Network.enable');
  await secondQuestion(v);
  const path = new URL(v.page.url()).pathname;
  const cookie = (await v.context.cookies()).map((c) => `${c.name}=${c.value}`).join('; ');
  const fragment = await fetch(program.url + path, { headers: { 'HX-Request': 'true', cookie } }).then((r) => r.text());
  t.diagnostic(`${fragment.length} bytes of a round, ${gzipSync(fragment).length} compressed`);
  assert.match(fragment, /data-panel="wire"/);
  assert.ok(Buffer.byteLength(fragment) <= 24 << 10, `${Buffer.byteLength(fragment)} bytes`);

  let bytes = 0;
  const fresh = await visit(browser, { storageState: await v.context.storageState() });
  const network = await fresh.context.newCDPSession(fresh.page);
  await network.send('Network.enable');
  network.on('Network.loadingFinished', (e) => { bytes += e.encodedDataLength; });
  await fresh.open(program.url + path);
  await fresh.page.waitForLoadState('networkidle');
  t.diagnostic(`${bytes} bytes of the page, with its files`);
  assert.ok(bytes > 0 && bytes <= 80 << 10, `${bytes} bytes`);
  await fresh.leave();
  await v.leave();
});

test('a page says when the playground cannot be reached, and when it is back', async () => {
  const own = await start();
  const v = await visit(browser);
  v.expects(/ERR_CONNECTION|ERR_EMPTY|Failed to fetch|NetworkError|fetch/);
  await v.open(own.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.round(1);
  const port = new URL(own.url).port;
  await own.stop();
  await v.click('.tabs [data-panel="state"]');
  await v.page.locator('.lost', { hasText: 'The connection to the playground is lost' }).waitFor();
  const again = await start({ data: own.data, flags: ['-addr', `127.0.0.1:${port}`] });
  await v.page.locator('.lost').waitFor({ state: 'detached' });
  await again.stop();
  await v.context.close();
});

test('what a round added is drawn once, and not at all with reduced motion', async () => {
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const v = await visit(browser, { viewport: { width: 1440, height: 900 }, reducedMotion });
    await v.page.addInitScript(() => {
      window.drawn = 0;
      document.addEventListener('animationstart', (e) => { if (e.target.closest('.pic')) window.drawn++; }, true);
    });
    await firstQuestion(v);
    assert.equal(await v.page.evaluate(() => window.drawn), 0, 'nothing moves on a new page');
    await v.choose('select[data-field="resolution"]', 'Duplicate');
    await v.click(send);
    await v.round(2);
    await v.page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running'));
    const drawn = await v.page.evaluate(() => window.drawn);
    if (reducedMotion === 'reduce') assert.equal(drawn, 0);
    else assert.ok(drawn >= 3, `${drawn} arrows`);
    await v.leave();
  }
});

test('on the landing page the state travels once, and not at all with reduced motion', async () => {
  for (const [reducedMotion, want] of [['no-preference', [['pic-diamond', 1], ['pic-diamond', 1]]], ['reduce', []]]) {
    const v = await visit(browser, { reducedMotion });
    await v.page.addInitScript(() => {
      globalThis.travels = [];
      const { animate } = Element.prototype;
      Element.prototype.animate = function (frames, options) {
        globalThis.travels.push([this.getAttribute('class'), options.iterations ?? 1]);
        return animate.call(this, frames, options);
      };
    });
    await v.open(program.url);
    assert.deepEqual(await v.page.evaluate(() => globalThis.travels), want, reducedMotion);
    await v.leave();
  }
});

test('no letter is below 12 pixels, at any width', async () => {
  const v = await visit(browser);
  await secondQuestion(v);
  const path = new URL(v.page.url()).pathname;
  for (const width of [320, 390, 768, 1280, 1440]) {
    await v.page.setViewportSize({ width, height: 900 });
    for (const panel of ['wire', 'state', 'rules', 'timing', 'lab', 'picture']) {
      await v.open(`${program.url}${path}?panel=${panel}`);
      const small = await v.page.evaluate(() => {
        const found = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const e = walker.currentNode.parentElement;
          if (!walker.currentNode.data.trim() || !e.checkVisibility() || e.closest('.visually-hidden, option, noscript, script')) continue;
          const scale = e instanceof SVGElement ? e.getScreenCTM().a : 1;
          const size = parseFloat(getComputedStyle(e).fontSize) * scale;
          if (size < 11.95) found.push(`${size} ${walker.currentNode.data.trim().slice(0, 40)}`);
        }
        return found;
      });
      assert.deepEqual(small, [], `${panel} at ${width}`);
    }
  }
  await v.leave();
});

test('the edge of the header is the same on every page, and a call aligns with it', async () => {
  const v = await visit(browser);
  await firstQuestion(v);
  const exchange = v.page.url();
  for (const width of [390, 768, 1280, 1440, 1920]) {
    await v.page.setViewportSize({ width, height: 900 });
    const edges = [];
    for (const url of [program.url, `${program.url}/history`, `${program.url}/servers`, exchange]) {
      await v.open(url);
      edges.push((await v.page.locator('.brand').boundingBox()).x);
    }
    assert.equal(new Set(edges).size, 1, `at ${width}: ${edges}`);
    const heading = await v.page.locator('h1').first().boundingBox();
    assert.ok(Math.abs(edges[0] - heading.x) < 1, `at ${width}: ${edges[0]} and ${heading.x}`);
  }
  await v.leave();
});

test('the footer is at the bottom of a short page, and below a long one', async () => {
  const v = await visit(browser);
  for (const [width, height] of [[390, 844], [1440, 900], [1920, 1080]]) {
    await v.page.setViewportSize({ width, height });
    for (const path of ['/', '/history', '/settings', '/learn', '/no-such-page']) {
      if (path === '/no-such-page') v.expects(/status of 404/);
      await v.open(program.url + path);
      const [bottom, end, main, top] = await v.page.evaluate(() => {
        const foot = document.querySelector('.foot').getBoundingClientRect();
        return [foot.bottom + scrollY, document.documentElement.scrollHeight,
          document.querySelector('main').getBoundingClientRect().bottom, foot.top];
      });
      assert.ok(Math.abs(bottom - end) < 1, `${path} at ${width}x${height}: the footer ends at ${bottom} of ${end}`);
      assert.ok(top >= main - 1, `${path} at ${width}x${height}: the footer covers the page`);
    }
  }
  await v.leave();
});

test('a problem takes the place of the page, also where only the drawer was asked for', async () => {
  const v = await visit(browser);
  v.expects(/status of 404/);
  await firstQuestion(v);
  await v.page.locator('.tabs [data-panel="state"]').evaluate((a) => a.setAttribute('href', `${location.pathname}?panel=none`));
  await v.click('.tabs [data-panel="state"]');
  await v.page.locator('h1', { hasText: '404' }).or(v.page.locator('main', { hasText: '404' })).first().waitFor();
  assert.equal(await v.page.locator('main').count(), 1);
  assert.equal(await v.page.locator('.drawer').count(), 0);
  await v.leave();
});
