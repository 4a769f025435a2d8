// Lessons and the quiz, with script and without.
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

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? 'with' : 'without'} script: from the landing page through lesson 1 to lesson 2`, async () => {
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(program.url);
    await v.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Learn' }).click();
    await v.page.getByRole('link', { name: 'Start with lesson 1' }).click();
    await v.page.waitForURL('**/learn/why');

    await v.page.locator('#live form[data-start] button').click();
    await v.page.locator('#live [data-input-key="resolution"]').waitFor();
    assert.match(v.page.url(), /\/learn\/why#live$/, 'the exchange starts on the page of the lesson');
    await v.page.locator('#live select[data-field="resolution"]').selectOption('Fixed');
    await v.page.getByLabel('Instance').selectOption('b');
    await v.page.locator('#live [data-do="send"]').click();
    await v.page.locator('#live [data-result]').waitFor();
    assert.match(v.page.url(), /\/learn\/why#live$/, 'the answer stays on the page of the lesson');
    assert.match(await v.page.locator('#live').innerText(),
      /Two requests, two instances, nothing remembered in between/);

    await v.page.getByRole('link', { name: 'Full record' }).click();
    await v.page.getByRole('link', { name: 'Continue lesson 1' }).click();
    await v.page.getByLabel('The answer is lost').check();
    await v.page.getByRole('button', { name: 'Answer' }).click();
    await v.page.locator('#question [data-right="false"]').waitFor();
    assert.equal(await v.page.locator('#question [data-right]').count(), 1,
      'a wrong answer explains itself only');
    await judged(v, javaScriptEnabled, '#judged', 'Not quite.');
    await v.page.getByLabel('The call continues').check();
    await v.page.getByRole('button', { name: 'Answer' }).click();
    await v.page.locator('#question [data-right="true"]').waitFor();
    assert.equal(await v.page.locator('#question [data-right]').count(), 3,
      'a right answer explains every answer');
    await judged(v, javaScriptEnabled, '#judged', 'Right.');

    await v.page.locator('a[rel="next"]').click();
    await v.page.waitForURL('**/learn/one-round');
    await v.page.getByRole('link', { name: 'Learn', exact: true }).first().click();
    const lessons = await v.page.locator('.lessons > li').count();
    await v.page.getByText(`1 of ${lessons} questions answered`).waitFor();
    await v.leave();
  });
}

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? 'with' : 'without'} script: two clicks from the landing page to a step of lesson 1`, async () => {
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(program.url);
    await v.click('main a[href="/learn/why"]');
    await v.click('#live form[data-start] button');
    await v.page.locator('#live [data-input-key]').waitFor();
    assert.equal(v.clicks, 2);
    assert.equal(v.keys, 0);
    await v.leave();
  });
}

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? 'with' : 'without'} script: a call that is started with the mouse leaves the title in view and draws no frame`, async () => {
    const v = await visit(browser, { javaScriptEnabled, viewport: { width: 1280, height: 720 } });
    await v.open(`${program.url}/learn/sealed-state`);
    await v.click('#live form[data-start] button');
    await v.page.locator('#live [data-input-key]').waitFor();
    assert.ok((await v.page.locator('h1').boundingBox()).y > 60, 'the title stays');
    assert.equal(await v.page.locator('#live').evaluate((e) => getComputedStyle(e).outlineStyle), 'none');
    if (javaScriptEnabled) {
      await v.page.waitForFunction(() => document.activeElement.matches('#live [data-field]'));
      const field = await v.page.locator('#live [data-field]').boundingBox();
      const send = await v.page.locator('#live .stay').boundingBox();
      assert.ok(field.y + field.height <= send.y, 'the first field is above the buttons');
    }
    await v.leave();
  });
}

test('no listing is cut at the right, at any width', async () => {
  const v = await visit(browser);
  for (const width of [1440, 1024, 768, 390]) {
    await v.page.setViewportSize({ width, height: 900 });
    for (const path of ['/learn/why', '/learn/rounds', '/learn/signing-in', '/learn/build']) {
      await v.open(program.url + path);
      const cut = await v.page.$$eval('pre.code', (list) => list.filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
        .map((e) => e.textContent.slice(0, 80)));
      assert.deepEqual(cut, [], `${path} at ${width}`);
    }
  }
  await v.leave();
});

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? 'with' : 'without'} script: the quiz asks one question per screen`, async () => {
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(`${program.url}/quiz`);
    await v.page.getByRole('link', { name: 'Start the quiz' }).click();
    await v.page.waitForURL('**/quiz/1');
    assert.equal(await v.page.locator('main fieldset').count(), 1);
    await v.page.getByRole('button', { name: 'Answer' }).click();
    await judged(v, javaScriptEnabled, '#q1-judged', 'Choose one of the options above.');
    await v.page.locator('input[name="q1"][value="1"]').focus(); // by keyboard
    await v.page.keyboard.press('Space');
    await v.page.keyboard.press('Enter');
    await judged(v, javaScriptEnabled, '#q1-judged', 'Right.');
    await v.page.getByText('1 right of 1 answered').waitFor();
    await v.page.getByRole('button', { name: 'Next' }).click();
    await v.page.waitForURL('**/quiz/2?**');
    await v.page.locator('input[name="q2"][value="1"]').check();
    await v.page.getByRole('button', { name: 'Next' }).click(); // unchecked answers are kept too
    await v.page.waitForURL('**/quiz/3?**');
    await v.page.getByRole('button', { name: 'Previous' }).click();
    await v.page.locator('#q2 [data-right="false"]').waitFor();
    const last = v.page.getByRole('navigation', { name: 'Questions' }).getByRole('link').last();
    await last.click();
    await v.page.getByRole('button', { name: 'See the result' }).click();
    await v.page.locator('[data-quiz-result] h1', { hasText: '1 right of 2 answered.' }).waitFor();
    await v.page.getByRole('link', { name: 'Try the wrong one again' }).click();
    await v.page.getByText('Again: 1 of 1 question').waitFor();
    await v.page.locator('input[name="q2"][value="2"]').check();
    await v.page.getByRole('button', { name: 'See the result' }).click();
    await v.page.locator('[data-quiz-result] h1', { hasText: '2 right of 2 answered.' }).waitFor();
    await v.leave();
  });
}

test('what to try and where to do it are on one screen', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/learn`);
  const paths = await v.page.locator('.lessons a').evaluateAll((l) => l.map((a) => a.getAttribute('href')));
  assert.ok(paths.length >= 14);
  const everySize = async (path, where) => {
    await v.open(program.url + path);
    for (const [width, height] of [[1280, 720], [1440, 900], [390, 844]]) {
      await v.page.setViewportSize({ width, height });
      await onScreen(v, `${path}, ${where}, at ${width}x${height}`, width);
    }
  };
  for (const path of paths) {
    await everySize(path, 'before the start');
    await v.page.locator('#live form[data-start] button').click();
    await v.page.locator('#live .live-head').waitFor();
    await everySize(path, 'after it');
  }
  await v.leave();
});

// onScreen scrolls to the thing to try and requires that the control of Live is
// visible, or on a phone the bar that leads to it.
async function onScreen(v, where, width) {
  await v.page.locator('.callout-try').evaluate((o) => o.scrollIntoView({ block: 'center' }));
  if (width < 960) {
    await v.page.locator('[data-live-bar]').waitFor();
    await v.page.locator('[data-live-bar] a').click();
    await v.page.locator('[data-live-bar]').waitFor({ state: 'hidden' });
    return;
  }
  const control = v.page.locator('#live').locator(
    '[data-do="send"], [data-do="sign-in"], form[data-start] button').first();
  const { y, height } = await control.boundingBox();
  assert.ok(y >= 0 && y + height <= v.page.viewportSize().height, `${where}: the control is at y = ${y}`);
}

test('without script: the bar at the bottom of a phone leads to Live', async () => {
  const v = await visit(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await v.open(`${program.url}/learn/rounds`);
  const bar = v.page.locator('[data-live-bar]');
  assert.match(await bar.innerText(), /Live:\s+not started\s+Start/);
  await v.page.locator('#live form[data-start] button').click();
  await v.open(`${program.url}/learn/rounds`);
  assert.match(await bar.innerText(), /waiting for you\s+Answer/);
  await bar.getByRole('link').click();
  assert.match(v.page.url(), /#live$/);
  await v.leave();
});

test('what a lesson names lights up in the picture, and the other way round', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/learn/rounds`);
  await v.page.locator('#live form[data-start] button').click();
  await v.page.locator('#live select[data-field="resolution"]').selectOption('Duplicate');
  await v.page.locator('#live [data-do="send"]').click();
  await v.page.locator('#live [data-input-key="duplicate_of"]').waitFor();
  const near = (within) => v.page.locator(`${within} .pic-near:visible`)
    .evaluateAll((l) => [...new Set(l.map((o) => o.dataset.m || o.textContent))]);
  await v.page.locator('.prose [data-point="state"][tabindex="0"]').focus();
  assert.deepEqual(await near('#live .pic'), ['2.response'], 'the arrow with the state');
  await v.page.locator('.prose pre[data-m="2.response"]').hover();
  assert.deepEqual(await near('#live .pic'), ['2.response'], 'the message of the example');
  await v.page.locator('#live .pic:visible a[data-m="2.response"]').first().hover();
  const named = await near('.prose');
  assert.ok(named.includes('2.response') && named.includes('requestState'), `the text: ${named}`);
  await v.open(`${program.url}/learn/why`);
  await v.page.locator('#live form[data-start] button').click();
  await v.page.locator('#live [data-input-key]').first().waitFor();
  await v.page.locator('.prose [data-point="instance-b"]').first().hover();
  assert.deepEqual(await near('#live .pic'), ['Instance b']);
  await v.leave();
});

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? 'with' : 'without'} script: a forged claim is sent from the lesson`, async () => {
    const v = await visit(browser, { javaScriptEnabled });
    for (const [mode, outcome] of [['plain', 'resolved as By Design'], ['sealed', '-32602']]) {
      await v.open(`${program.url}/learn/sealed-state`);
      await v.page.locator(`#live input[value="${mode}"]`).check();
      await v.page.locator('#live form[data-start] button').click();
      await v.page.locator('#live select[data-field="resolution"]').selectOption('Duplicate');
      await v.page.locator('#live [data-do="send"]').click();
      await v.page.locator('#live [data-input-key="duplicate_of"]').waitFor();
      await v.page.locator('#live [data-do="edit"]').click();
      const claims = v.page.getByLabel('Claims of requestState');
      await claims.fill((await claims.inputValue()).replace('Duplicate', 'By Design'));
      await v.page.locator('[data-do="send"]').click();
      await v.page.waitForURL('**/learn/sealed-state#live');
      const words = await v.page.locator('#live').innerText();
      assert.ok(words.includes(outcome) && words.includes('Edited by hand'), `${mode}: ${words}`);
    }
    await v.leave();
  });
}

test('the chosen language is remembered, and a listing can be copied', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/learn/build`);
  const shown = () => v.page.locator('.listing:visible').evaluateAll((l) => l.map((o) => o.dataset.language));
  assert.deepEqual(await shown(), ['go']);
  await v.page.getByRole('radio', { name: 'Python' }).check();
  assert.deepEqual(await shown(), ['python']);
  await v.open(`${program.url}/learn/build`);
  assert.deepEqual(await shown(), ['python']);
  await v.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await v.page.locator('.listing:visible').getByRole('button', { name: 'Copy' }).click();
  await v.page.getByText('Copied').waitFor();
  assert.match(await v.page.evaluate(() => navigator.clipboard.readText()), /^(import|from|#|"""|async|class)/m);
  await v.leave();
});

test('without script, all listings can be read', async () => {
  const v = await visit(browser, { javaScriptEnabled: false });
  await v.open(`${program.url}/learn/build`);
  assert.equal(await v.page.getByRole('button', { name: 'Copy' }).count(), 0);
  for (const name of ['TypeScript', 'Python', 'C#', 'Go']) {
    await v.page.getByRole('radio', { name, exact: true }).check();
    await v.page.getByRole('group', { name, exact: true }).waitFor();
  }
  await v.leave();
});

test('round 1 opens laid out, and a link to a rule leads to its sentence', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/learn/one-round`);
  await v.page.locator('#live form[data-start] button').click();
  await v.page.locator('#live [data-field="hours"]').fill('3');
  await v.page.locator('#live [data-do="send"]').click();
  await v.page.locator('#live [data-result]').waitFor();
  await v.page.getByRole('link', { name: 'Full record' }).click();
  await v.page.locator('.ribbon a').first().click();
  for (const side of ['request', 'response']) {
    const part = v.page.locator(`#m-1-${side}`);
    await part.waitFor();
    assert.ok(await part.locator('.json > div').count() > 3, `the ${side} of round 1 has lines`);
  }
  await v.open(`${program.url}/learn/rules/C2`);
  await v.page.waitForURL('**/learn/rounds#rule-C2');
  const box = await v.page.locator('#rule-C2').boundingBox();
  assert.ok(box.y > 0 && box.y < 900, `the sentence is at y = ${box.y}`);
  assert.match(await v.page.locator('#rule-C2').innerText(), /returns? exactly/);
  await v.leave();
});

// judged waits until the verdict on an answer has the focus and is visible.
async function judged(v, javaScriptEnabled, place, words) {
  await v.page.locator(place, { hasText: words }).waitFor();
  await v.page.waitForURL(`**${place}`);
  const { y, height } = await v.page.locator(place).boundingBox();
  assert.ok(y >= 0 && y + height <= v.page.viewportSize().height, `${place} is at y = ${y}`);
  if (javaScriptEnabled) assert.equal(`#${await v.page.evaluate(() => document.activeElement.id)}`, place);
}

test('on a phone, wrapped lines of a message are indented, and no table breaks a word', async () => {
  const v = await visit(browser, { viewport: { width: 390, height: 844 } });
  await v.open(`${program.url}/learn/questions`);
  const wrapped = await v.page.locator('pre.code .line').evaluateAll((lines) => lines.map((line) => {
    const range = document.createRange();
    range.selectNodeContents(line);
    const rows = [...range.getClientRects()].filter((r) => r.width > 0);
    const [first, last] = [rows[0], rows.at(-1)];
    return last.top - first.top > 8 && last.left - line.getBoundingClientRect().left;
  }).filter((left) => left !== false));
  assert.ok(wrapped.length > 0, 'at least one line wraps');
  assert.ok(wrapped.every((left) => left >= 24), `wrapped lines begin at ${wrapped}`);
  const { height } = await v.page.locator('th', { hasText: 'answers' }).boundingBox();
  assert.ok(height < 70, `"who answers" is ${height} px high`);
  for (const slug of ['questions', 'saying-no', 'sealed-state', 'attacks', 'legacy', 'tasks']) {
    await v.open(`${program.url}/learn/${slug}`);
    const wide = await v.page.locator('.prose table')
      .evaluateAll((list) => list.filter((t) => t.scrollWidth > t.clientWidth).length);
    assert.equal(wide, 0, `a table of ${slug} is wider than the page`);
  }
  await v.leave();
});

test('a lesson follows a running task automatically', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/learn/tasks`);
  await v.page.locator('#live form[data-start] button').click();
  await v.page.locator('#live select[data-field="period"]').selectOption('month');
  await v.page.locator('#live [data-do="send"]').click();
  const task = v.page.locator('#live [data-task^="task-"][data-task-status="working"]');
  await task.waitFor();
  assert.match(await task.innerText(), /Task\s+task-/, 'the handle is where the lesson says');
  await v.page.locator('#live [data-input-key="tone-1"]').waitFor();
  await v.page.locator('#live select[data-field="tone"]').selectOption('plain');
  await v.page.locator('#live [data-do="send"]').click();
  await v.page.getByText('A plain report on sales over the last month').first().waitFor();
  await v.leave();
});

test('without script: a link to a requirement opens its page of the specification', async () => {
  const v = await visit(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await v.open(`${program.url}/learn`);
  await v.page.getByRole('link', { name: 'The specification' }).click();
  assert.equal(await v.page.locator('.requirements:visible').count(), 0, 'all pages are closed at first');
  await v.page.getByText('Multi round-trip requests').click();
  await v.page.locator('[id="mrtr.echo"]').waitFor();
  await v.open(`${program.url}/learn/specification#tasks.ttl`);
  await v.page.locator('[id="tasks.ttl"]').waitFor();
  await v.leave();
});
