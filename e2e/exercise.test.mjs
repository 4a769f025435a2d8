// Your turn: the requirements turn green, with script and without.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';
import { table } from './servers/table.mjs';

let browser, program;
const closing = [];
before(async () => {
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  for (const close of closing) await close();
  await tidy();
});

// ended waits until the check has ended. Without script the page loads itself
// again.
async function ended(v) {
  await v.page.locator('main[data-exercise]:not([data-status="running"]) [data-do="share"]').waitFor();
}

const count = (v, verdict) => v.page.locator(`[data-requirement][data-verdict="${verdict}"]`).count();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';
  test(`${how} script: a server that forgets is mended until all is green, and the list is shared`, async () => {
    const server = await table({ forgets: true });
    closing.push(server.stop);
    const v = await visit(browser, { javaScriptEnabled });
    await v.open(`${program.url}/learn/build`);
    await v.page.getByRole('link', { name: 'your turn' }).click();
    await v.page.locator('[data-form="exercise"]').waitFor();
    const all = await count(v, 'unreached');
    await v.page.getByLabel('URL of your server').fill(server.url);
    await v.page.locator('input[name="mine"]').check();
    await v.page.locator('[data-do="check"]').click();
    await ended(v);
    assert.ok(await count(v, 'unjudged') >= 3, 'a server that forgets cannot book');
    await v.page.locator('[data-requirement="remembers"][data-verdict="fail"]').getByText('has no requestState').waitFor();
    assert.equal(await count(v, 'unreached'), 0);

    server.mended = true;
    await v.page.getByRole('button', { name: 'Check again' }).click();
    await v.page.getByRole('heading', { name: `All ${all} requirements are met` }).waitFor();
    assert.equal(await count(v, 'pass'), all);
    await ended(v);

    await v.page.locator('[data-do="share"]').click();
    await v.page.locator('button[data-do="share"]').click();
    const link = await v.page.locator('[data-made]').textContent();
    const reader = await visit(browser, { javaScriptEnabled });
    await reader.open(link);
    await reader.page.getByRole('heading', { name: `All ${all} requirements are met` }).waitFor();
    await reader.leave();
    await v.leave();
  });
}

test('a call that showed a fault is one click away', async () => {
  const server = await table({ careless: true });
  closing.push(server.stop);
  const v = await visit(browser);
  await v.open(`${program.url}/learn/your-turn`);
  await v.page.getByLabel('URL of your server').fill(server.url);
  await v.page.locator('input[name="mine"]').check();
  await v.page.keyboard.press('Enter');
  await ended(v);
  await v.page.locator('[data-requirement="wrong"]').getByRole('link', { name: 'The call that showed it' }).click();
  await v.page.locator('#out-of-range[data-verdict="hint"] details[open] [data-frame="request"]').waitFor();
  await v.leave();
});
