// The editor of flows: the form and the text follow each other, with script and
// without, and by keyboard alone.
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

// open starts from a starting point.
async function open(v, name) {
  await v.open(`${program.url}/build`);
  await v.click(`[aria-label="Start from this: ${name}"]`);
  await v.page.locator('#flow-source').waitFor();
}

const source = (v) => v.page.locator('#flow-source').inputValue();
const has = (v, text) => v.page.waitForFunction((t) => document.querySelector('#flow-source').value.includes(t), text);
const control = (name) => `[data-flow-control="${name}"]`;

test('the form follows the text, the text the form, and the preview both', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await open(v, 'Refund');
  await v.page.locator(control('s0.message')).fill('Why this refund of {{args.orderId}}?');
  await has(v, 'message: Why this refund of {{args.orderId}}?');
  await v.page.locator('.flow-asked').filter({ hasText: 'Why this refund of A-1001?' }).waitFor();
  assert.equal(await v.page.locator(control('s0.message')).evaluate((o) => o === document.activeElement), true,
    'the focus stays');
  const swapped = await v.page.evaluateHandle(() => ({ // the answer to the change of the control that is left
    done: new Promise((done) => document.addEventListener('htmx:after:swap', done, { once: true })),
  }));
  await v.page.locator('#flow-source').focus();
  await v.page.keyboard.insertText('# typed at once\n');
  await swapped.evaluate((o) => o.done);
  assert.match(await source(v), /# typed at once/);
  await v.page.locator('#flow-source').fill((await source(v)).replace('title: Refund an order', 'title: Pay it back'));
  await v.page.waitForFunction((c) => document.querySelector(c).value === 'Pay it back', control('title'));
  await v.page.locator('#flow-source').fill((await source(v)).replace('args.amount > 100', 'args.amont > 100'));
  await v.page.locator('[data-problem]').filter({ hasText: 'Did you mean “amount”?' }).waitFor();
  await v.click('[data-line]');
  assert.match(await v.page.evaluate(() => {
    const o = document.getElementById('flow-source');
    return o.value.slice(o.selectionStart, o.selectionEnd);
  }), /when: args\.amont > 100/);
  await v.page.locator('#flow-source').fill((await source(v)).replace('args.amont', 'args.amount'));
  await v.page.locator('.flow-bar [data-headline="pass"]').waitFor();
  await v.click('[data-do="add roots"]');
  await has(v, 'roots: question1');
  await v.page.waitForFunction((c) => document.activeElement === document.querySelector(c), control('s2.key'));
  await v.page.reload();
  await has(v, 'roots: question1');
  await v.leave();
});

for (const [width, height] of [[1440, 900], [1280, 720], [768, 1024], [390, 844]]) {
  test(`what one needs while editing is on the screen, at ${width}x${height}`, async () => {
    const v = await visit(browser, { viewport: { width, height } });
    await open(v, 'Refund');
    const last = v.page.locator('.flow-step').last().locator('input:not([type="hidden"], [type="checkbox"])').last();
    const seen = async (selector, words) => assert.equal(await v.page.locator(selector).first().evaluate((e, text) => {
      const box = e.getBoundingClientRect(), x = box.x + Math.min(box.width / 2, 40), y = box.y + box.height / 2;
      return e.contains(document.elementFromPoint(x, y)) && box.bottom <= innerHeight && e.innerText.includes(text);
    }, words), true, `${selector} is not in view`);
    await last.focus();
    await seen('[data-do="run"]', 'Save and run');
    await seen('[data-do="save"]', 'Save');
    await seen('.flow-verdict p a', 'Result: Order A-1001: 120 euros refunded');
    if (width > 1200) await seen('#flow-preview h2', 'What happens');
    const bar = () => v.page.locator('.flow-bar').evaluate((e) => e.getBoundingClientRect().height);
    const before = await bar();
    await v.page.locator(control('s1.when')).fill('args.amont > 1');
    await v.page.locator('.flow-bar [data-headline="fail"]').waitFor();
    await seen('.flow-verdict p a', 'Did you mean “amount”?');
    assert.equal(await bar(), before, 'the bar keeps its height');
    await v.accessible();
    await v.page.locator(control('s1.when')).fill('args.amount > 1');
    await v.page.locator('.flow-bar [data-headline="pass"]').waitFor();
    await v.click('.flow-verdict p a');
    await v.page.waitForFunction(() => {
      const box = document.querySelector('#flow-preview h2').getBoundingClientRect();
      return box.top >= document.querySelector('.flow-bar').getBoundingClientRect().bottom && box.bottom < innerHeight;
    });
    await last.focus();
    await v.press('Control+Enter'); // saves and runs
    await v.page.locator('main[data-exchange]').waitFor();
    await v.page.goBack();
    assert.match(await v.text('#flow-state'), /Saved as edition 2\./);
    await v.leave();
  });
}

for (const touch of [false, true]) {
  test(`the focus stays in what one types into after a form is added, with ${touch ? 'touch' : 'a mouse'}`, async () => {
    const v = await visit(browser, touch ? { viewport: { width: 390, height: 844 }, hasTouch: true } : {});
    await open(v, 'Empty flow');
    const press = (selector) => touch ? v.page.locator(selector).tap() : v.click(selector);
    await press('[data-do="add form"]');
    await v.page.waitForFunction((c) => document.activeElement === document.querySelector(c), control('s0.key'));
    assert.equal(await v.page.locator('.flow-step').evaluate((e) => {
      const box = e.getBoundingClientRect();
      return box.top >= 0 && box.top < innerHeight;
    }), true, 'the new part is in view');
    await press(control('s0.message'));
    await v.page.keyboard.press('Control+End');
    for (const word of [' One', ' two', ' three']) {
      await v.page.keyboard.type(word);
      await has(v, `answer?${word === ' One' ? '' : ' One'}${word === ' three' ? ' two' : ''}${word}`);
      await v.page.waitForFunction(() => !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling'));
    }
    assert.equal(await v.page.locator(control('s0.message')).inputValue(), 'What should the user answer? One two three');
    assert.equal(await v.page.locator(control('s0.key')).inputValue(), 'question1');
    await v.leave();
  });
}

test('the state is edited in the form and in the text', async () => {
  const v = await visit(browser);
  await open(v, 'Refund');
  await v.choose(control('state.protection'), 'signed');
  await has(v, 'protection: signed');
  await v.page.locator('#flow-source').fill((await source(v)).replace('protection: signed', 'life: 10m'));
  await v.page.waitForFunction((c) => document.querySelector(c).value === '10m', control('state.life'));
  assert.equal(await v.page.locator(control('state.protection')).inputValue(), '');
  await v.leave();
});

test('without script: the buttons check, change and save', async () => {
  const v = await visit(browser, { javaScriptEnabled: false });
  v.expects(/status of 422/);
  await open(v, 'Approval');
  await v.page.locator(control('s0.message')).fill('May it go?');
  await v.click('[data-do="follow"]');
  assert.match(await source(v), /message: May it go\?/);
  await v.click('[data-do="add url"]');
  assert.match(await source(v), /url: question1/);
  await v.page.locator('#flow-source').fill('flow: 1\nname: a');
  await v.click('[data-do="save"]');
  assert.match(await v.text('[data-problem]'), /“result” is missing/);
  await v.page.locator('#flow-source').fill('flow: 1\nname: a\nresult: Done.');
  await v.click('[data-do="save"]');
  assert.match(await v.text('#flow-state'), /Saved as edition 2\./);
  await v.leave();
});
