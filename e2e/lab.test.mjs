// The Lab: an experiment sends one deliberate error from a round of a finished
// call. The page shows what was expected, what happened, and the verdict.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';

let browser, program, original;
before(async () => {
  program = await start();
  browser = await launch();
  const r = new Reader(program.url);
  await r.open('/');
  await r.send('data-start', 'azure-devops');
  await r.settled();
  for (const answer of [{ resolution: 'Duplicate' }, { duplicateOfId: '4301' }]) {
    await r.send('data-form', 'answers', answer);
    await r.settled();
  }
  original = program.url + r.url.pathname;
});
after(async () => {
  await browser?.close();
  await tidy();
});

// lab opens the experiments for the request that answers a round.
async function lab(v, call, round) {
  await v.open(`${call}?round=${round}`);
  await v.click('.tabs [data-panel="lab"]');
}

async function send(v, experiment) {
  const row = `#lab [data-experiment="${experiment}"]`;
  await v.page.locator(row).evaluate((e) => e.closest('.board-fold')?.setAttribute('open', '')); // it passed before
  if (await v.page.locator(`${row} > .came [data-do="experiment"]`).count() === 0) {
    await v.click(`${row} summary`); // it was run before: what runs it again is folded
  }
  await v.click(`${row} [data-do="experiment"]`);
  await v.page.locator('[data-branch]').waitFor();
}

const attribute = (v, selector, name) => v.page.locator(selector).first().getAttribute(name);

async function verdict(v) {
  return {
    reaction: await attribute(v, '.tried [data-reaction]', 'data-reaction'),
    verdict: await attribute(v, '.tried [data-verdict]', 'data-verdict'),
    expected: await v.page.locator('[data-expected]').count() === 1,
  };
}

test('three experiments on a sealed state leave the original exchange unchanged', async () => {
  const v = await visit(browser);
  await v.open(original);
  const frames = async () => [...await v.bodies('request'), ...await v.bodies('response')];
  const untouched = await frames();

  await lab(v, original, 2);
  await send(v, 'flip-state');
  assert.deepEqual(await verdict(v), { reaction: 'rejected', verdict: 'pass', expected: true });

  await v.click('[data-branch] > p a'); // the original, at the round of the branch
  assert.equal(new URL(v.page.url()).searchParams.get('round'), '2');
  await v.click('.tabs [data-panel="lab"]');
  await send(v, 'skip-answer');
  assert.deepEqual(await verdict(v), { reaction: 'asked_again', verdict: 'pass', expected: true });

  await lab(v, original, 2);
  await send(v, 'replay');
  assert.deepEqual(await verdict(v), { reaction: 'accepted', verdict: 'unjudged', expected: true });

  await v.open(original);
  assert.deepEqual(await frames(), untouched);
  await v.leave();
});

test('the same experiment succeeds on a plain state, and the page reports it', async () => {
  const v = await visit(browser);
  await lab(v, original, 2);
  await v.choose('#lab-state', 'plain');
  await v.click('[data-do="rerun"]');
  await v.status('complete');
  await v.click('.ribbon a >> nth=1');
  await v.page.locator('[data-asked], .ribbon a[aria-current]').first().waitFor();
  await lab(v, v.page.url().split('?')[0], 2);
  await send(v, 'flip-state');
  assert.deepEqual(await verdict(v), { reaction: 'accepted', verdict: 'fail', expected: true });
  await v.leave();
});

test('a round with a different answer can be compared with the original', async () => {
  const v = await visit(browser);
  await lab(v, original, 1);
  await v.click('[data-do="branch"]');
  await v.status('waiting');
  await v.choose('[data-field="resolution"]', 'Fixed');
  await v.click('[data-do="send"]');
  await v.status('complete');
  await v.click('[data-branch] > p a >> nth=1');
  assert.equal(await v.page.locator('[data-shared]').getAttribute('data-shared'), '1');
  assert.equal(await v.page.locator('[data-compare]').count(), 2);
  assert.ok(await v.page.locator('[data-compare="2"] :is(ins, del)').count() > 0, 'differences are marked');
  await v.leave();
});

for (const javaScriptEnabled of [true, false]) {
  for (const [width, colorScheme] of [[1280, 'light'], [390, 'dark']]) {
    test(`${colorScheme}, ${width} px, ${javaScriptEnabled ? 'with' : 'without'} script: an experiment and its pages`, async () => {
      const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme, javaScriptEnabled });
      await v.open(`${original}?round=2`);
      await v.click('.tabs [data-panel="lab"]'); // without script, a link that shows the panel
      await looks(v, width, javaScriptEnabled);
      await send(v, 'wrong-key');
      await looks(v, width, javaScriptEnabled);
      await v.click('[data-branch] > p a >> nth=1');
      await v.page.locator('.compare').waitFor();
      await looks(v, width, javaScriptEnabled);
      await v.leave();
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
