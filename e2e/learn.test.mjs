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
      /everything needed, so .*, instance b\/v1, finished the call/);

    await v.page.getByRole('link', { name: 'Full record' }).click();
    await v.page.getByRole('link', { name: 'Continue lesson 1' }).click();
    await v.page.getByLabel('The answer is lost').check();
    await v.page.getByRole('button', { name: 'Check' }).click();
    await v.page.locator('#question [data-right="false"]').waitFor();
    assert.equal(await v.page.locator('#question [data-right]').count(), 1,
      'a wrong answer explains itself only');
    await judged(v, javaScriptEnabled, '#judged', 'Not quite.');
    await v.page.getByLabel('The call continues').check();
    await v.page.getByRole('button', { name: 'Check' }).click();
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
  test(`${javaScriptEnabled ? 'with' : 'without'} script: a question of the quiz is checked in place`,
    async () => {
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(`${program.url}/quiz`);
    await v.page.getByRole('button', { name: 'Check question 2' }).click();
    await judged(v, javaScriptEnabled, '#q2-judged', 'Choose one of the options above.');
    await v.page.locator('input[name="q2"][value="2"]').check();
    await v.page.locator('input[name="q3"][value="1"]').check();
    await v.page.getByRole('button', { name: 'Check question 3' }).click();
    await v.page.locator('#q3 [data-right="false"]').waitFor();
    await judged(v, javaScriptEnabled, '#q3-judged', 'Not quite.');
    assert.equal(await v.page.locator('#q3 [data-right]').count(), 1, 'a wrong answer explains itself only');
    assert.equal(await v.page.locator('#q2 [data-right="true"]').count(), 1,
      'other answers that were chosen are checked too');
    assert.equal(await v.page.locator('#q4 [data-right]').count(), 0);
    await v.page.locator('#q3').getByText('1 right of 2 answered').waitFor();
    await v.page.getByRole('button', { name: 'Check all answers' }).click();
    await judged(v, javaScriptEnabled, '#score', '1 right of 2 answered.');
    await v.leave();
  });
}

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
  await v.page.locator('#live [data-input-key="tone-1"]').waitFor({ timeout: 20_000 });
  await v.page.locator('#live select[data-field="tone"]').selectOption('plain');
  await v.page.locator('#live [data-do="send"]').click();
  await v.page.getByText('A plain report on sales over the last month').first().waitFor({ timeout: 20_000 });
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
