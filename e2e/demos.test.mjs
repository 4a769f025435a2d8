// Demos: every demo runs to its end with the keys of a clicker on a projector and
// on a phone, without script, by swipes, and automatically.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
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

const stories = {
  'azure-devops': { steps: 6, done: 'Bug #4522 resolved as Duplicate of Bug #4301', at: 4,
    past: 'The call is lost.', verdict: 'The call completes.' },
  'rolling-upgrade': { steps: 7, done: 'Linked GitHub as octocat and Microsoft as', at: 6,
    past: 'The call is lost.', verdict: 'Nothing is asked twice.' },
  'load-shedding': { steps: 5, done: 'stages 1-6 on instance a/v1, stages 7-10 on instance b/v1', at: 3,
    past: 'Stuck on instance a.', verdict: 'Instance b takes over.' },
};

const screens = [
  { name: 'projector', viewport: { width: 1280, height: 720 }, colorScheme: 'dark' },
  { name: 'tablet', viewport: { width: 820, height: 1180 }, colorScheme: 'light' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
];

for (const screen of screens) {
  for (const [slug, story] of Object.entries(stories)) {
    test(`${slug} runs to its end by keyboard on a ${screen.name}`, async () => {
      const v = await visit(browser, screen);
      await v.open(`${program.url}/demos/${slug}?present=1`);
      await fits(v, screen.viewport);
      const keys = ['ArrowRight', 'PageDown', 'Space'];
      let next; // where the button to the last step is
      for (let n = 1; n <= story.steps; n++) {
        if (n === story.steps) next = await v.page.locator('[data-go="next"]').boundingBox();
        await v.press(keys[n % keys.length]);
        await at(v, n);
        await v.page.waitForFunction(() => document.activeElement.tagName === 'H1'); // the heading of the step has the focus
        assert.ok(!(await v.text('main')).includes('not in the script'));
        if (n === story.at) assert.ok((await v.text('main .lead')).includes(story.done));
        await fits(v, screen.viewport);
      }
      assert.deepEqual(await v.page.evaluate(({ x, y, width, height }) => {
        const at = [0.1, 0.5, 0.9].map((part) => document.elementFromPoint(x + part * width, y + height / 2));
        return at.filter((e) => e?.closest('[data-start]')).length;
      }, next), 0, 'one more click does not start the demo again');
      assert.ok((await v.text('.legacy-lane h2[data-verdict="fail"]')).includes(story.past));
      assert.ok((await v.text('.lane h2[data-verdict="pass"]')).includes(story.verdict));
      assert.equal(await v.page.locator('main').getAttribute('data-status'), 'complete');
      assert.equal(v.clicks, 0);

      // there is no step after the last; going back and forward sends nothing
      const sent = await requests(v, slug);
      await v.press('ArrowRight');
      await at(v, story.steps);
      for (let n = story.steps - 1; n >= 1; n--) {
        await v.press(n % 2 ? 'PageUp' : 'ArrowLeft');
        await at(v, n);
      }
      await v.page.reload();
      await at(v, 1);
      for (let n = 2; n <= story.steps; n++) {
        await v.press('ArrowRight');
        await at(v, n);
      }
      assert.equal(await requests(v, slug), sent, 'going back and forward sends nothing');
      await v.leave();
    });
  }
}

// at waits until step n is shown and nothing is running.
async function at(v, n) {
  await v.page.waitForFunction((step) => {
    const main = document.querySelector('main');
    return document.readyState === 'complete' && main?.dataset.step === String(step) && !main.dataset.live;
  }, n);
}

// fits checks that a page does not scroll sideways and, on a projector, not at
// all.
async function fits(v, { width, height }) {
  const [wide, high] = await v.page.evaluate(() =>
    [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  assert.ok(wide <= width, `${v.page.url()} is ${wide} px wide`);
  if (width > 600) assert.ok(high <= height, `${v.page.url()} is ${high} px high`);
}

// requests returns the number of requests that the call of a demo has sent.
async function requests(v) {
  const id = await v.page.locator('main').getAttribute('data-exchange');
  const file = await (await v.page.request.get(`${program.url}/x/${id}.har`)).json();
  return file.log.entries.length;
}

// letters returns every text that is shown, with the size of its letters in pixels.
const letters = (v) => v.page.evaluate(() => {
  const list = [];
  for (const e of document.querySelectorAll('main *')) {
    const words = [...e.childNodes].filter((c) => c.nodeType === Node.TEXT_NODE).map((c) => c.data.trim()).join(' ').trim();
    const box = e.getBoundingClientRect();
    if (!words || e.closest('title, desc, .words, .visually-hidden') || box.width <= 1 || box.height <= 1) continue;
    const size = parseFloat(getComputedStyle(e).fontSize) * (e.closest('svg')?.getScreenCTM().a ?? 1);
    const cut = !e.closest('svg') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0;
    const inline = getComputedStyle(e).display === 'inline' && !e.closest('svg');
    list.push({ words, size, cut, inline, sticky: e.closest('.story-actions') !== null, left: box.left, right: box.right, top: box.top, bottom: box.bottom });
  }
  return list;
});

// over reports whether two texts overlap. Boxes of lines include some space.
const over = (a, b) => a !== b && !a.inline && !b.inline &&
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;

for (const [width, height, least] of [[1280, 720, 18], [1920, 1080, 18], [1024, 768, 14], [390, 844, 12]]) {
  test(`every text of every slide has at least ${least} px at ${width} x ${height}`, async () => {
    const v = await visit(browser, { viewport: { width, height }, reducedMotion: 'reduce' });
    for (const [slug, story] of Object.entries(stories)) {
      await v.open(`${program.url}/demos/${slug}?present=1`);
      for (let n = 0; n <= story.steps; n++) {
        if (n > 0) {
          await v.press('ArrowRight');
          await at(v, n);
        }
        await fits(v, { width, height });
        const texts = await letters(v);
        assert.ok(texts.length > 5, 'a slide has texts');
        for (const t of texts) {
          const where = `${slug} ${n}: ${JSON.stringify(t)}`;
          assert.ok(t.size >= least, `too small: ${where}`);
          assert.ok(!t.cut && t.left >= 0 && t.right <= width, `cut off: ${where}`);
          assert.ok(!texts.some((o) => over(t, o) && (width > 600 || t.sticky === o.sticky)), `overlaps: ${where}`);
          if (width > 600) assert.ok(t.top >= 0 && t.bottom <= height, `off the screen: ${where}`);
        }
      }
    }
    await v.leave();
  });
}

test('the first slide is two clicks from the landing page', async () => {
  const v = await visit(browser, { ...screens[0], javaScriptEnabled: false });
  await v.open(program.url);
  await v.click('nav a[href="/demos"]');
  await v.click('a[href="/demos/azure-devops?present=1"]');
  await v.page.locator('main[data-present] .cast').waitFor();
  assert.equal(v.clicks, 2);
  await v.leave();
});

test('the first slide introduces the cast, and has no empty lines', async () => {
  const v = await visit(browser, screens[0]);
  for (const slug of Object.keys(stories)) {
    await v.open(`${program.url}/demos/${slug}?present=1`);
    assert.deepEqual(await v.page.locator('.cast h2').allInnerTexts(),
      ['You', 'The client', 'requestState', 'Instances a and b']);
    for (const sentence of await v.page.locator('.cast p').allInnerTexts()) assert.match(sentence, /^[A-Z].*\.$/);
    assert.equal(await v.page.locator('main .mark').count(), 1);
    assert.equal(await v.page.locator('.pic-lane').count(), 0);
  }
  await v.leave();
});

test('the client asks you on stage in the words of the server', async () => {
  const v = await visit(browser, screens[0]);
  await v.open(`${program.url}/demos/azure-devops?present=1`);
  await v.press('ArrowRight');
  await at(v, 1);
  const bubble = (text) => v.page.locator('.wide .pic-said', { hasText: text }).count();
  assert.equal(await bubble(/^How was this bug resolved\?$/), 1);
  assert.equal(await bubble(/^Duplicate$/), 0);
  await v.press('ArrowRight');
  await at(v, 2);
  assert.equal(await bubble(/^Duplicate$/), 1);
  assert.equal(await v.page.locator('.wide .pic-name').first().textContent(), 'You');
  await v.leave();
});

test('compared lanes have one scale, and the same time at the same height', async () => {
  const v = await visit(browser, { ...screens[0], reducedMotion: 'reduce' });
  for (const [slug, story] of Object.entries(stories)) {
    await v.open(`${program.url}/demos/${slug}?present=1`);
    for (let n = 1; n <= story.steps; n++) {
      await v.press('ArrowRight');
      await at(v, n);
    }
    const lanes = await v.page.evaluate(() => [...document.querySelectorAll('.story-lanes > .lane')].map((lane) => {
      const svg = lane.querySelector('.wide svg'), box = svg.getBoundingClientRect();
      const head = svg.querySelector('.pic-name').getBoundingClientRect();
      const rows = {};
      for (const row of svg.querySelectorAll('[data-row]')) {
        const line = row.querySelector('.pic-req, .pic-res') ?? row.querySelector('.pic-change');
        rows[row.dataset.row.replace(/change.*/, 'change')] = line.getBoundingClientRect().top;
      }
      return { scale: svg.getScreenCTM().a, top: box.top, height: box.height, head: head.top, rows };
    }));
    assert.equal(lanes.length, 2);
    for (const part of ['scale', 'top', 'height', 'head']) assert.equal(lanes[0][part], lanes[1][part], `${slug}: ${part}`);
    const both = Object.keys(lanes[0].rows).filter((row) => row in lanes[1].rows);
    assert.ok(both.length >= 2, `${slug}: ${JSON.stringify(lanes)}`);
    for (const row of both) {
      if (slug === 'load-shedding' && row === '1.reply') continue; // one yields then, the other ends at last
      assert.ok(Math.abs(lanes[0].rows[row] - lanes[1].rows[row]) < 1, `${slug}: ${row} ${JSON.stringify(lanes)}`);
    }
    for (const lane of lanes) {
      const arrows = Object.keys(lane.rows).filter((row) => !row.endsWith('change'));
      assert.ok(arrows.length <= 5, `${slug}: ${arrows}`);
    }
  }
  await v.leave();
});

test('the controls of the speaker hide until the mouse moves or Tab is pressed', async () => {
  const v = await visit(browser, screens[0]);
  await v.open(`${program.url}/demos/azure-devops?present=1`);
  const shown = async (is) => v.page.waitForFunction((want) =>
    [...document.querySelectorAll('.presenter, .chrome, .dots')].every((e) => getComputedStyle(e).opacity === want), is);
  await v.press('ArrowRight');
  await at(v, 1);
  await shown('0');
  assert.equal(await v.page.locator('header.top, footer.foot').count(), 0);
  await v.page.mouse.move(300, 300);
  await v.page.mouse.move(320, 320);
  await shown('1');
  await v.press('ArrowRight');
  await at(v, 2);
  await shown('0'); // the mouse rests
  await v.press('Tab');
  await shown('1');
  await v.leave();
});

test('without script, the controls of the speaker stay', async () => {
  const v = await visit(browser, { ...screens[0], javaScriptEnabled: false });
  await v.open(`${program.url}/demos/azure-devops?present=1`);
  assert.equal(await v.page.locator('.presenter').evaluate((e) => getComputedStyle(e).opacity), '1');
  await v.leave();
});

// motions returns what is being animated: the names of rows, and the classes
// that ride or fade.
const motions = (v) => v.page.evaluate(() => {
  const list = document.getAnimations().map((a) => a.effect.target).filter((e) => e.closest('.wide'));
  return [...new Set(list.map((e) => e.dataset.row ?? e.getAttribute('class')))].sort();
});

test('new arrows are drawn with the state riding on them, and nothing on the way back', async () => {
  const v = await visit(browser, { ...screens[0], reducedMotion: 'no-preference' });
  await v.page.addInitScript(() => { // animations stand still, so that a test can see them
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...args) {
      const a = animate.apply(this, args);
      a.pause();
      return a;
    };
  });
  await v.open(`${program.url}/demos/azure-devops?present=1`);
  await v.press('ArrowRight');
  await at(v, 1);
  assert.ok((await motions(v)).includes('1.call'));
  await v.press('ArrowRight');
  await at(v, 2);
  const second = await motions(v);
  assert.ok(second.includes('2.call') && second.includes('2.reply') && second.includes('pic-diamond'), second.join());
  assert.ok(!second.includes('1.call'), 'what was there before stands still');
  await v.press('ArrowRight');
  await at(v, 3);
  const third = await motions(v);
  assert.ok(third.some((name) => name.includes('pic-down')) && !third.includes('2.call'), third.join());
  await v.press('ArrowLeft');
  await at(v, 2);
  assert.deepEqual(await motions(v), []);
  await v.leave();
});

test('nothing moves under reduced motion', async () => {
  const v = await visit(browser, { ...screens[0], reducedMotion: 'reduce' });
  await v.page.addInitScript(() => {
    window.moved = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...args) {
      window.moved++;
      return animate.apply(this, args);
    };
  });
  await v.open(`${program.url}/demos/azure-devops?present=1`);
  for (let n = 1; n <= 4; n++) {
    await v.press('ArrowRight');
    await at(v, n);
    assert.equal(await v.page.evaluate(() => window.moved + document.querySelectorAll('.pic-drawn').length), 0);
  }
  await v.leave();
});

test('f fills the screen for all steps, Home and End go to the ends, and Esc leaves', async () => {
  const v = await visit(browser, screens[0]);
  await v.open(`${program.url}/demos/azure-devops?present=1`);
  await v.press('f');
  await v.page.waitForFunction(() => document.fullscreenElement !== null);
  for (let n = 1; n <= 3; n++) {
    await v.press('ArrowRight');
    await at(v, n);
  }
  assert.ok(await v.page.evaluate(() => document.fullscreenElement !== null), 'a step keeps the full screen');
  assert.equal(v.documents, 1, 'a step loads no page');
  await v.press('f');
  await v.page.waitForFunction(() => document.fullscreenElement === null);
  await v.press('Home');
  await at(v, 1);
  await v.press('End');
  await at(v, 3);
  await v.page.goBack();
  await at(v, 1);
  await v.press('?');
  await v.page.locator('#keys[open]').waitFor();
  await v.press('Escape');
  await v.page.waitForFunction(() => !document.activeElement.closest('#keys'));
  assert.equal(await v.page.locator('main[data-present]').count(), 1);
  await v.press('Escape');
  await v.page.locator('main:not([data-present])').waitFor();
  await v.leave();
});

test('a step that fails on stage says why', async () => {
  const v = await visit(browser, screens[0]);
  v.expects(/400/);
  await v.open(`${program.url}/demos/azure-devops?present=1`);
  await v.press('ArrowRight');
  await at(v, 1);
  await v.page.locator('[data-go="next"]').evaluate((button) => { button.value = 'explode'; });
  await v.press('ArrowRight');
  await v.page.locator('main[data-error="bad_change"]').waitFor();
  await v.leave();
});

test('a demo continues after the program was killed', async () => {
  const own = await start();
  const v = await visit(browser, screens[0]);
  await v.open(`${own.url}/demos/azure-devops?present=1`);
  await v.press('ArrowRight');
  await at(v, 1);
  await v.press('ArrowRight');
  await at(v, 2);
  const { pathname, search } = new URL(v.page.url());
  v.expectsAnEnd();
  await own.kill();
  const again = await start({ data: own.data });
  await v.open(again.url + pathname + search);
  await at(v, 2);
  for (let n = 3; n <= 4; n++) {
    await v.press('ArrowRight');
    await at(v, n);
  }
  assert.ok((await v.text('main .lead')).includes(stories['azure-devops'].done));
  await v.leave();
  await again.stop();
});

test('without script, one button leads through every demo', async () => {
  const v = await visit(browser, { javaScriptEnabled: false });
  for (const [slug, story] of Object.entries(stories)) {
    await v.open(`${program.url}/demos`);
    await v.click(`a[href="/demos/${slug}"]`);
    await v.click(`form[data-start="${slug}"] button`);
    for (let n = 1; n <= story.steps; n++) {
      await v.page.locator(`main[data-step="${n}"]:not([data-live])`).waitFor(); // the page reloads itself
      if (n < story.steps) await v.click('[data-go="next"]');
    }
    assert.ok((await v.text('.legacy-lane h2')).includes(story.past));
  }
  await v.leave();
});

test('the instance controls decide where the next request goes', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/demos/azure-devops`);
  await v.click('[data-go="next"]');
  await at(v, 1);
  await v.click('.instances-list li:nth-child(1) [data-do="kill"]');
  await v.page.locator('.instances-list li:nth-child(1)', { hasText: 'down' }).waitFor();
  assert.match(await v.text('.controls code'), /instances=a:dead,b:v1/);
  await v.click('.instances-list li:nth-child(2) [data-do="drain"]');
  await v.page.locator('.instances-list li:nth-child(2)', { hasText: 'drained' }).waitFor();
  await v.click('.instances-list li:nth-child(2) [data-do="choose"]');
  await v.page.locator('.instances-list .tag').waitFor();
  await v.click('[data-go="next"]');
  await at(v, 2);
  assert.match(await v.text('h1'), /Another instance takes the answer/);
  await v.leave();
});

test('the comparison with MCP before MRTR can be shown from any step', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/demos/azure-devops`);
  await v.press('ArrowRight');
  await at(v, 1);
  const look = (selector) => v.page.locator(selector).evaluate((node) => {
    const s = getComputedStyle(node);
    return [s.borderTopColor, s.textDecorationLine, s.height, s.paddingLeft];
  });
  assert.deepEqual(await look('[data-do="legacy"]'), await look('[data-do="next"]'),
    'the step before MRTR is offered as plainly as the next one');
  await v.press('b');
  await v.page.locator('.legacy-lane').waitFor();
  for (let n = 2; n <= 4; n++) {
    await v.press('ArrowRight');
    await at(v, n);
    assert.equal(await v.page.locator('.legacy-lane[data-lost]').count(), n === 4 ? 1 : 0);
  }
  assert.equal(await v.page.locator('main').getAttribute('data-status'), 'complete');
  await v.leave();
});

test('the ? key lists the keys, and typing in a field triggers none of them', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/`);
  await v.press('?');
  await v.page.locator('#keys[open]').waitFor();
  await v.press('Escape');
  await v.page.waitForFunction(() => !document.activeElement.closest('#keys'));
  await v.page.locator('input[name="url"]').focus();
  await v.press('?', 'g', 's');
  assert.equal(await v.page.locator('input[name="url"]').inputValue(), '?gs');
  assert.equal(await v.page.locator('#keys[open]').count(), 0);
  await v.leave();
});

test('g and a letter open each page of the header, and e edits nothing where there is no request', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/state`);
  const links = await v.page.locator('.nav a:not([data-find])')
    .evaluateAll((list) => list.map((a) => [a.dataset.g, a.pathname]));
  await v.press('?');
  const listed = v.page.locator('#keys div:not([hidden])', { hasText: 'go to' });
  assert.equal(await listed.locator('dt').innerText(), `g then ${links.map(([key]) => key).join(' ')}`);
  assert.equal(await v.page.locator('#keys div:not([hidden])', { hasText: 'edit the request' }).count(), 0);
  await v.press('Escape');
  await v.page.waitForFunction(() => !document.activeElement.closest('#keys')); // the browser does it a little later
  await v.press('e');
  for (const [key, path] of links) {
    await v.press('g', key);
    await v.page.waitForURL(program.url + path);
    await v.page.waitForLoadState();
  }
  await v.leave();
});

test('the arrow keys move between the rounds of a call', async () => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.status('waiting');
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click('[data-do="send"]');
  await v.round(2);
  await v.page.locator('main h1').click();
  await v.press('ArrowLeft');
  await v.page.locator('.ribbon a[aria-current="step"]', { hasText: '1' }).waitFor();
  await v.press('ArrowRight');
  await v.round(2);
  await v.leave();
});

test('a swipe on a phone moves forward and back', async () => {
  const v = await visit(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await v.open(`${program.url}/demos/azure-devops?present=1`);
  await swipe(v, 300, 60);
  await at(v, 1);
  await swipe(v, 300, 60);
  await at(v, 2);
  await swipe(v, 60, 300);
  await at(v, 1);
  await swipe(v, 200, 180); // too short for a swipe
  await at(v, 1);
  await v.leave();
});

async function swipe(v, from, to) {
  const client = await v.context.newCDPSession(v.page);
  const point = (x) => [{ x, y: 260 }];
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: point(from) });
  await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: point((from + to) / 2) });
  await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: point(to) });
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await client.detach();
}

test('a demo plays automatically and pauses when the user takes over', async () => {
  const v = await visit(browser, screens[0]);
  await v.page.clock.install();
  await v.open(`${program.url}/demos/azure-devops?present=1`);
  await v.click('[data-autoplay]');
  assert.equal(await v.text('[data-autoplay]'), 'Pause');
  await v.page.clock.runFor(10_000);
  await at(v, 1);
  await v.page.clock.runFor(10_000);
  await at(v, 2);
  await v.press('ArrowRight');
  await at(v, 3);
  assert.equal(await v.text('[data-autoplay]'), 'Play automatically');
  await v.page.clock.runFor(30_000);
  await at(v, 3);
  await v.leave();
});

test('the projector and the notes on a second screen lead each other', async () => {
  const v = await visit(browser, screens[0]);
  await v.open(`${program.url}/demos/azure-devops?present=1`);
  await v.press('ArrowRight');
  await at(v, 1);
  const notes = await v.page.context().newPage();
  await notes.goto(new URL(v.page.url()).origin + new URL(v.page.url()).pathname + '/presenter');
  await notes.keyboard.press('PageDown');
  await notes.locator('main[data-presenter][data-step="2"]').waitFor();
  await at(v, 2);
  await v.press('ArrowRight');
  await notes.locator('main[data-presenter][data-step="3"]').waitFor();
  assert.match(await notes.locator('[data-elapsed]').textContent(), /since the start/);
  await v.leave();
});

for (const [width, colorScheme, queries] of [[1280, 'light', ['', '?present=1']], [390, 'dark', ['']]]) {
  test(`no axe violation on any page of a demo at ${width} px, ${colorScheme}`, async () => {
    const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme });
    await v.open(`${program.url}/demos`);
    await v.accessible();
    for (const [slug, story] of Object.entries(stories)) {
      for (const query of queries) {
        await v.open(`${program.url}/demos/${slug}${query}`);
        await v.accessible();
        for (let n = 1; n <= story.steps; n++) {
          await v.press('ArrowRight');
          await at(v, n);
          await v.accessible();
          await fits(v, { width, height: Infinity });
        }
      }
    }
    await v.press('?');
    await v.page.locator('#keys[open]').waitFor();
    await v.accessible();
    await v.leave();
  });
}
