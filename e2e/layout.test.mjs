// The screen: what is on it without scrolling, its edges, letters, motion and weight.
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

for (const [width, height] of [[1280, 720], [768, 1024], [390, 844]]) {
  test(`at ${width}x${height}, the landing page begins every verb without scrolling`, async () => {
    const v = await visit(browser, { viewport: { width, height } });
    await v.open(program.url);
    for (const first of ['form[data-start] button', '[data-first="test"] button', '[data-first="client"] button',
      '[data-first="build"] button', '[data-first="show"] a']) {
      assert.equal(await inside(v, first), '');
    }
    await v.leave();
  });
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

test('at 1440x900, round 1 has at most 21 controls in view, besides the header', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await firstQuestion(v);
  const controls = await v.page.$$eval('main :is(a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"])',
    (list) => list.filter((e) => e.checkVisibility({ visibilityProperty: true })).filter((e) => {
      const r = e.getBoundingClientRect();
      const x = (Math.max(r.left, 0) + Math.min(r.right, innerWidth)) / 2;
      const y = (Math.max(r.top, 0) + Math.min(r.bottom, innerHeight)) / 2;
      const at = document.elementFromPoint(x, y);
      return at && (e.contains(at) || at.contains(e));
    }).map((e) => e.ariaLabel ?? e.textContent.trim()));
  assert.ok(controls.length <= 21, `${controls.length}: ${controls.join(' | ')}`);
  await v.leave();
});

for (const [width, height] of [[390, 844], [768, 1024], [1440, 900]]) {
  test(`at ${width}x${height}, the menus stay on the screen and the tabs in one row`, async () => {
    const v = await visit(browser, { viewport: { width, height } });
    await firstQuestion(v);
    const tops = await v.page.$$eval('.tabs a', (list) =>
      [...new Set(list.filter((a) => a.checkVisibility()).map((a) => Math.round(a.getBoundingClientRect().top)))]);
    assert.equal(tops.length, 1, `tabs at ${tops}`);
    for (const menu of ['[data-menu="again"]']) {
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
  await r.open('/test');
  return [...new Set(r.all('form[data-start]').map((f) => f.dataset.start))];
}

test('on a desktop, Send and the first message are on the screen in every round of the samples with one question', async (t) => {
  let rounds = 0;
  const v = await visit(browser);
  v.expects(/status of 422/);
  for (const sample of await samples()) {
    await v.open(`${program.url}/test`);
    const button = v.page.locator(`form[data-start="${sample}"] button`).first();
    await button.evaluate((b) => b.closest('details')?.setAttribute('open', ''));
    await button.click();
    await v.page.locator('main[data-exchange]').waitFor();
    for (let n = 0; n < 4; n++) {
      if (await v.page.locator('main').getAttribute('data-status') !== 'waiting' ||
        await v.page.locator('[data-input-key]').count() !== 1) break;
      rounds++;
      for (const [width, height] of [[1440, 900], [1280, 720]]) {
        await v.page.setViewportSize({ width, height });
        for (const selector of [send, '.drawer .frame h3, .drawer [data-m] :is(h3, h2)']) {
          assert.equal(await inside(v, selector), '', `${sample}, round ${n + 1}, at ${width}x${height}`);
        }
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

// rows counts the rows of a board that are wholly in view.
const rows = () => {
  const panel = document.querySelector('.drawer > .panel').getBoundingClientRect();
  return [...document.querySelectorAll('.drawer .board-row')].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect())
    .filter((r) => r.top >= panel.top && r.bottom <= Math.min(panel.bottom, innerHeight)).length;
};

async function finished(v) {
  await secondQuestion(v);
  await v.page.locator('[data-field="duplicateOfId"]').fill('4301');
  await v.click(send);
  await v.status('complete');
}

// stage returns the heights of the stage, and whether its picture is the whole one.
const stage = () => ({
  height: Math.round(document.querySelector('.stage').getBoundingClientRect().height),
  whole: document.querySelector('.stage > .picture').checkVisibility(), brief: document.querySelector('.stage > .brief').checkVisibility(),
});

for (const javaScriptEnabled of [true, false]) {
  test(`a panel gets the room of the stage of a call that has ended, ${javaScriptEnabled ? 'with' : 'without'} script`, async (t) => {
    for (const [width, height, least] of [[1440, 900, 18], [1280, 720, 12]]) {
      const v = await visit(browser, { viewport: { width, height }, javaScriptEnabled });
      await finished(v);
      const { pathname } = new URL(v.page.url());
      assert.equal((await v.page.evaluate(stage)).brief, false, 'the end shows the whole picture');
      await v.click('.tabs [data-panel="lab"]');
      await v.page.locator('.drawer[data-fold="stage"][data-panel="lab"]').waitFor();
      const n = await v.page.evaluate(rows);
      t.diagnostic(`${n} rows at ${width}x${height}`);
      assert.ok(n >= least, `${n} rows at ${width}x${height}`);
      for (const panel of ['state', 'rules', 'timing', 'lab']) {
        await v.open(`${program.url}${pathname}?panel=${panel}`);
        const now = await v.page.evaluate(stage);
        assert.ok(now.height <= 150 && now.brief && !now.whole, `${panel}: ${JSON.stringify(now)}`);
        assert.equal(await inside(v, '[data-finish] [data-do="share"]'), '');
      }
      // A round that is inspected folds it too; picture and ribbon open it.
      await v.open(`${program.url}${pathname}?round=1`);
      assert.ok((await v.page.evaluate(stage)).height <= 150);
      await v.click('.stage > .brief');
      await v.page.locator('main[data-shown="1"] .drawer:not([data-fold])').waitFor();
      assert.ok((await v.page.evaluate(stage)).height > 300);
      assert.match(v.page.url(), /\?round=1&stage=open$/);
      await v.click('.tabs [data-panel="rules"]');
      await v.page.locator('.drawer[data-fold="stage"][data-panel="rules"]').waitFor();
      await v.click('.ribbon li[data-round="2"] a');
      await v.page.locator('main[data-shown="2"] .drawer[data-panel="rules"]:not([data-fold])').waitFor();
      const open = await v.page.evaluate(stage);
      assert.ok(open.height > 250 && open.whole && !open.brief, JSON.stringify(open));
      await v.leave();
    }
  });
}

test('a panel folds only the picture of an open question', async (t) => {
  for (const [width, height] of [[1440, 900], [1280, 720]]) {
    const v = await visit(browser, { viewport: { width, height } });
    await secondQuestion(v);
    await v.page.locator('[data-field="duplicateOfId"]').fill('43');
    const before = await v.page.evaluate(rows);
    for (const panel of ['state', 'rules', 'timing', 'lab']) {
      await v.click(`.tabs [data-panel="${panel}"]`);
      await v.page.locator(`.drawer[data-fold="picture"][data-panel="${panel}"]`).waitFor();
      assert.ok((await v.page.evaluate(stage)).brief);
      for (const selector of [send, '[data-field="duplicateOfId"]', '.question h2', '.ask [data-do="decline"]']) {
        assert.equal(await inside(v, selector), '', `${panel} at ${width}x${height}`);
      }
      assert.equal(await v.page.locator('[data-field="duplicateOfId"]').inputValue(), '43', 'what was typed stays');
    }
    t.diagnostic(`${await v.page.evaluate(rows)} rows at ${width}x${height}`);
    assert.ok(await v.page.evaluate(rows) >= 7 && before === 0);
    await v.click('.stage > .brief');
    await v.page.locator('.drawer[data-panel="lab"]:not([data-fold])').waitFor();
    assert.deepEqual((({ whole, brief }) => ({ whole, brief }))(await v.page.evaluate(stage)), { whole: true, brief: false });
    await v.page.waitForFunction(() => document.activeElement.closest('.stage .pic'), null);
    assert.equal(await v.page.locator('[data-field="duplicateOfId"]').inputValue(), '43');
    await v.click('.tabs [data-panel="wire"]');
    await v.page.locator('.drawer[data-panel="wire"]:not([data-fold])').waitFor();
    await v.leave();
  }
});

test('a drawer that was dragged leaves a folded stage its room, and opens it', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await finished(v);
  await v.click('.tabs [data-panel="lab"]');
  await v.page.locator('.drawer[data-fold="stage"]').waitFor();
  const drag = async (by) => {
    const grip = await v.page.locator('[data-grip]').boundingBox();
    await v.page.mouse.move(700, grip.y + 4);
    await v.page.mouse.down();
    await v.page.mouse.move(700, grip.y + 4 + by);
    await v.page.mouse.up();
  };
  const folded = await v.page.evaluate(stage);
  await drag(60);
  const larger = await v.page.evaluate(stage);
  assert.ok(larger.brief && Math.abs(larger.height - folded.height - 60) < 8, JSON.stringify([folded, larger]));
  await drag(200);
  const open = await v.page.evaluate(stage);
  assert.ok(open.whole && !open.brief && Math.abs(open.height - larger.height - 200) < 8, JSON.stringify([larger, open]));
  await v.page.reload();
  await v.page.waitForFunction((want) => Math.abs(document.querySelector('.stage').getBoundingClientRect().height - want) < 4, open.height);
  assert.ok((await v.page.evaluate(stage)).whole);
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

// narrow returns the controls that are narrower than 12 characters, leave the window, or
// stand neither below nor beside their label.
const narrow = () => [...document.querySelectorAll('input, select, textarea')]
  .filter((e) => !['hidden', 'radio', 'checkbox', 'file'].includes(e.type) && e.checkVisibility())
  .flatMap((e) => {
    const box = e.getBoundingClientRect();
    const label = e.labels?.[0];
    const letters = document.createElement('canvas').getContext('2d');
    letters.font = getComputedStyle(e).font;
    const faults = [];
    if (box.width < 12 * letters.measureText('0').width - 1) faults.push(`is ${box.width} px wide`);
    if (box.left < 0 || box.right > innerWidth) faults.push('leaves the window');
    if (label && !label.classList.contains('visually-hidden')) {
      const at = label.getBoundingClientRect();
      const beside = Math.abs(at.top + at.bottom - box.top - box.bottom) < box.height;
      if (!beside && Math.abs(at.left - box.left) > 24) faults.push(`is ${box.left - at.left} px from its label`);
    }
    return faults.map((f) => `${e.name || e.id} ${f}`);
  });

test('no control is narrower than 12 characters or leaves its label, at any width', async () => {
  const v = await visit(browser);
  await secondQuestion(v); // whose field has a suggestion
  const question = new URL(v.page.url()).pathname, faults = [];
  for (const path of [question, `${question}?panel=lab`, `${question}?messages=all`, `${question}/edit?round=1`, '/', '/test', '/build',
    '/servers/checkout', '/servers/azure-devops', '/servers/azure-devops/check', '/learn', '/learn/your-turn',
    '/learn/your-turn/client', '/settings', '/state', '/search?q=state', '/history']) {
    await v.open(new URL(path, program.url).href);
    for (let width = 320; width <= 1920; width += 40) {
      await v.page.setViewportSize({ width, height: 800 });
      for (const fault of await v.page.evaluate(narrow)) faults.push(`${path} at ${width}: ${fault}`);
    }
  }
  assert.deepEqual(faults, []);
  await v.leave();
});
