// Automatic retries, with script and without, and a form that is out of date.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';
import { listen } from './servers/wire.mjs';

let browser, program, server;
before(async () => {
  program = await start();
  browser = await launch();
  server = await listen({ shed: { call: () => ({ resultType: 'input_required', requestState: 'half' }) } });
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await tidy();
});

for (const javaScriptEnabled of [true, false]) {
  test(`automatic retries start, count down and stop, ${javaScriptEnabled ? 'with' : 'without'} script`,
    async () => {
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(`${program.url}/test?url=${encodeURIComponent(server.url)}`);
    await v.click('form[action="/servers"] button');
    await v.status('connected');
    await v.click('form[data-form="call"] [data-do="call"]');
    await v.status('waiting');
    assert.equal(await v.text('[data-do="send"]'), 'Retry now');
    await v.click('[data-do="send"]');
    await v.round(2);

    await v.click('[data-do="auto"]');
    await v.status('running');
    const countdown = v.page.locator('[data-until]')
      .filter({ hasText: javaScriptEnabled ? /^in \d+ s$/ : /^\d\d:\d\d:\d\d UTC$/ });
    await countdown.first().waitFor();
    await v.page.locator('[data-round="5"]').first().waitFor({ state: 'attached' }); // the page follows
    await v.click('form[data-form="cancel"] [data-do="cancel"]');
    await v.status('waiting');
    assert.equal(await v.page.locator('[data-until]').count(), 0);
    const rounds = await v.page.locator('.ribbon a').count();
    await v.click('[data-do="send"]');
    await v.round(rounds + 1);
    await v.leave();
  });

  test(`a form that is out of date sends nothing and says so, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(program.url);
    await v.click('form[data-start="azure-devops"] button');
    await v.status('waiting');
    const other = await v.context.newPage();
    await other.goto(v.page.url());
    await other.locator('select[data-field="resolution"]').selectOption('Duplicate');
    await other.locator('[data-do="send"]').click();
    await other.locator('[data-field="duplicateOfId"]').waitFor();

    await v.choose('select[data-field="resolution"]', 'Fixed');
    await v.click('[data-do="send"]');
    await v.page.locator('[data-error="stale"]').waitFor();
    await v.round(2);
    assert.match(await v.text('[data-error="stale"]'), /Nothing was sent/);
    assert.equal(await v.page.locator('.ribbon [data-round]').count(), 2);
    await v.leave();
  });
}
