// Edit and send: a request that is edited by hand, from the page of its round to
// the branch that says what was edited and what came back.
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

// complete makes the sample's call with a state format and answers it to its
// end.
async function complete(v, mode) {
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.round(1);
  await v.click('.tabs [data-panel="lab"]');
  await v.choose('#lab-state', mode);
  await v.click('[data-do="rerun"]');
  await v.page.waitForFunction(() => document.querySelector('main[data-status="waiting"]'));
  await v.choose('select[data-field="resolution"]', 'Duplicate');
  await v.click('[data-form="answers"] [data-do="send"]');
  await v.round(2);
  await v.type('[data-field="duplicateOfId"]', '4301');
  await v.click('[data-form="answers"] [data-do="send"]');
  await v.status('complete');
}

// change replaces a text in a control, as a user who selects and types does.
async function change(v, control, old, other) {
  const area = v.page.locator(`[data-edit="${control}"]`);
  const text = await area.inputValue();
  assert.equal(text.split(old).length, 2, `${old} is once in ${control}`);
  await area.fill(text.replace(old, other));
}

const changes = (v) => v.page.locator('[data-changes] .edit-lines li').allInnerTexts();

for (const [mode, reaction] of [['plain', 'accepted'], ['signed', 'rejected'], ['sealed', 'rejected']]) {
  test(`edited claims of a ${mode} state are ${reaction}`, async () => {
    const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
    await complete(v, mode);
    await v.click('[data-menu="again"] summary');
    await v.click('[data-menu="again"] [data-do="edit"]');
    await v.page.locator('form[data-form="edit"]').waitFor();
    await change(v, 'claims', '"Duplicate"', '"Fixed"');
    await v.page.locator('[data-change="claims"]').waitFor();
    assert.match((await changes(v)).join('\n'), /requestState: [^]*claims\.answers\.resolution\.content\.resolution "Duplicate" → "Fixed"/);
    await v.click('[data-do="send"]');
    await v.page.locator('[data-branch] [data-experiment="edited"]').waitFor();
    assert.equal(await v.page.locator('.tried [data-reaction]').getAttribute('data-reaction'), reaction);
    assert.equal(await v.page.locator('.tried [data-verdict]').getAttribute('data-verdict'), 'unjudged');
    assert.match(await v.text('.tried'), /requestState: /);
    if (mode === 'plain') assert.match(await v.text('[data-result]'), /Fixed/);
    else assert.match(await v.text('.tried'), /-32602/);
    await v.leave();
  });
}

test('changes are listed while one types, and each part has its reset', async () => {
  const v = await visit(browser, { viewport: { width: 1280, height: 720 } });
  await complete(v, 'sealed');
  await v.open(`${v.page.url().split('?')[0]}/edit?round=2`);
  const box = await v.page.locator('[data-do="send"]').boundingBox();
  assert.ok(box.y + box.height <= 720, 'Send is on the first screen');
  await change(v, 'body', '4522', '1');
  await change(v, 'headers', /Mcp-Name: .*\n/.exec(await v.page.locator('[data-edit="headers"]').inputValue())[0], '');
  await v.page.locator('[data-change="params"]').waitFor();
  await v.page.locator('[data-change="header"]').waitFor(); // each change has a preview of its own
  assert.deepEqual(await changes(v), ['Mcp-Name left out', 'params.arguments.workItemId 4522 → 1']);
  await v.click('[data-change="header"] [data-do="reset"]');
  await v.page.locator('[data-change="header"]').waitFor({ state: 'detached' });
  assert.deepEqual(await changes(v), ['params.arguments.workItemId 4522 → 1']);
  await v.page.locator('[data-edit="body"]').fill('{ not JSON');
  await v.page.locator('[data-change="body"]').waitFor();
  assert.match((await changes(v)).join(), /not JSON/);
  await v.click('[data-do="reset-all"]');
  await v.page.locator('[data-change]').first().waitFor({ state: 'detached' });
  assert.deepEqual(await changes(v), []);
  await v.leave();
});

test('by keyboard alone: change the id and send', async () => {
  const v = await visit(browser);
  await complete(v, 'sealed');
  await v.walk('[data-menu="again"] summary');
  await v.press('Enter');
  await v.walk('[data-menu="again"] [data-do="edit"]');
  await v.press('Enter');
  await v.page.locator('form[data-form="edit"]').waitFor();
  await v.walk('[data-edit="headers"]');
  await v.press('Control+End', ...'X-Edited: yes');
  await v.page.locator('[data-change="header"]').waitFor();
  await v.walk('[data-form="edit"] [data-do="send"]');
  await v.press('Enter');
  await v.page.locator('[data-branch] [data-experiment="edited"]').waitFor();
  assert.match(await v.text('.tried'), /X-Edited added: yes/);
  await v.leave();
});

for (const javaScriptEnabled of [true, false]) {
  for (const [width, colorScheme] of [[1440, 'light'], [390, 'dark']]) {
    test(`${colorScheme}, ${width} px, ${javaScriptEnabled ? 'with' : 'without'} script: the editor and its branch`, async () => {
      const first = await visit(browser);
      await complete(first, 'sealed');
      const url = first.page.url().split('?')[0];
      const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme, javaScriptEnabled,
        storageState: await first.context.storageState() });
      await v.open(`${url}/edit?round=2`);
      await looks(v, width, javaScriptEnabled);
      await change(v, 'body', '4522', '1');
      if (!javaScriptEnabled) await v.click('[data-do="changes"]');
      await v.page.locator('[data-change="params"]').waitFor();
      await looks(v, width, javaScriptEnabled);
      await v.click('[data-do="send"]');
      await v.page.locator('[data-branch] [data-experiment="edited"]').waitFor();
      assert.match(await v.text('.tried'), /params\.arguments\.workItemId 4522 → 1/);
      await looks(v, width, javaScriptEnabled);
      await v.leave();
      await first.leave();
    });
  }
}

// looks runs axe, which needs script, and checks the width of the page.
async function looks(v, width, script) {
  if (!script) return;
  assert.ok(await v.page.evaluate(() => document.documentElement.scrollWidth) <= width,
    'the page scrolls sideways');
  await v.accessible();
}
