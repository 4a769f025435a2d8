// Rate limits of a public site: typed answers are not lost, and the page says how
// long to wait.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';

const shared = ['-public', '-base-url', 'https://playground.example', '-limit', 'drain-delay=1ms'];

const isPost = (response) => response.request().method() === 'POST' && response.url().endsWith('/rounds');
const isSent = (response) => isPost(response) && !response.request().postData().includes('preview');

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  await tidy();
});

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? 'with' : 'without'} script: a rate-limited answer stays in its form`,
    async () => {
    const program = await start({ flags: [...shared, '-limit', 'calls=1/10s', '-limit', 'pages=1000/1s',
      '-limit', 'parts=1000/1s'] });
    const v = await visit(browser, { javaScriptEnabled });
    v.expects(/429/);
    await v.open(program.url);
    await v.click('form[data-start="azure-devops"] button');
    await v.choose('select[data-field="resolution"]', 'Duplicate');
    await v.click('[data-do="send"]');
    await v.page.locator('form[data-form="answers"] [data-error="too_many_calls"]').waitFor();
    assert.equal(await v.page.locator('select[data-field="resolution"]').inputValue(), 'Duplicate');
    assert.equal(await v.page.locator('main').count(), 1);
    for (let status = 429; status === 429;) { // try again until it is accepted
      const answered = v.page.waitForResponse(isSent);
      await v.click('[data-do="send"]');
      status = (await answered).status();
    }
    await v.page.locator('[data-round="2"]').first().waitFor();
    await v.leave();
  });
}

test('a rate-limited preview leaves the page unchanged', async () => {
  const program = await start({ flags: [...shared, '-limit', 'parts=1/1h'] });
  const v = await visit(browser);
  v.expects(/429/);
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  for (const [value, status] of [['Duplicate', 200], ['Fixed', 429]]) {
    const answered = v.page.waitForResponse((r) => isPost(r) && r.status() === status);
    await v.choose('select[data-field="resolution"]', value);
    await answered;
  }
  assert.equal(await v.page.locator('#preview').count(), 1);
  assert.equal(await v.page.locator('main').count(), 1);
  assert.equal(await v.page.locator('select[data-field="resolution"]').inputValue(), 'Fixed');
  await v.leave();
});
