// Forms with parts: objects, lists, alternatives and the JSON beside them, by
// mouse, by keyboard and without script.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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

const tool = 'form[data-name="book_trip"]';

// trip has five levels: legs, an object, its hotel, the room, and its view.
const trip = {
  title: 'Summer',
  traveler: { name: 'Ada', home: { city: 'London' } },
  tags: ['sea', 'quiet'],
  legs: [{ to: 'Rome', nights: 2, hotel: { name: 'Roma', room: { beds: 1, view: { of: 'the sea' } } } }],
  budget: { EUR: 900.5 },
  remark: null,
  payment: { kind: 'card', last4: '4242' },
};

async function openTool(v) {
  await v.open(`${program.url}/servers/profile?tool=book_trip`);
}

const control = (v, path) => v.page.locator(`${tool} [name="t0.${path}"]`);
const json = (v) => v.page.locator(`${tool} [data-field-json]`);

// until waits until the JSON beside the form has a value at a path.
async function until(v, want) {
  await v.page.waitForFunction(([selector, text]) => {
    try {
      return JSON.stringify(JSON.parse(document.querySelector(selector).value)) === text;
    } catch {
      return false;
    }
  }, [`${tool} [data-field-json]`, JSON.stringify(want)]);
}

async function add(v, property, focus) {
  await v.page.locator(`${tool} [data-field="${property}"] > [data-do="add-row"]`).click();
  await focused(v, focus);
}

const focused = (v, path) => v.page.waitForFunction((name) => document.activeElement.name === name, `t0.${path}`);

// sent returns the arguments that the call of the page was sent with.
async function sent(v) {
  await v.status('complete');
  const text = await v.page.locator('main').innerText();
  return JSON.parse(/Booked "Summer" with (\{.*\})\./.exec(text)[1]);
}

test('five levels by form and wholly by JSON give the same arguments', async () => {
  const v = await visit(browser);
  await openTool(v);
  await control(v, 'f0').fill('Summer');
  await control(v, 'f1.0').fill('Ada');
  await control(v, 'f1.2.1').fill('London');
  await control(v, 'f2.0').fill('sea');
  await add(v, 'tags', 'f2.1');
  await v.page.keyboard.type('quiet');
  await add(v, 'legs', 'f3.0.0');
  await v.page.keyboard.type('Rome');
  await control(v, 'f3.0.1').fill('2');
  await control(v, 'f3.0.2.0').fill('Roma');
  await control(v, 'f3.0.2.1').fill(JSON.stringify(trip.legs[0].hotel.room));
  await control(v, 'f4.0.key').fill('EUR');
  await control(v, 'f4.0').fill('900.5');
  await control(v, 'f5.null').check();
  await control(v, 'f6').selectOption({ label: 'Card' });
  await control(v, 'f6.0.1').fill('4242');
  await until(v, trip);
  await v.page.locator(`${tool} [data-do="call"]`).click();
  const byForm = await sent(v);
  assert.deepEqual(byForm, trip);

  await openTool(v);
  await v.page.locator(`${tool} .arguments-json summary`).click();
  await json(v).fill(JSON.stringify(trip));
  await v.page.waitForFunction((s) => document.querySelector(s)?.value === '4242', `${tool} [name="t0.f6.0.1"]`);
  assert.equal(await control(v, 'f3.0.0').inputValue(), 'Rome', 'the form does not follow the JSON');
  assert.equal(await control(v, 'f2.1').inputValue(), 'quiet');
  await v.page.locator(`${tool} [data-do="call"]`).click();
  assert.deepEqual(await sent(v), byForm);
  await v.leave();
});

test('rows are added and removed by keyboard, and the focus stays in the list', async () => {
  const v = await visit(browser);
  await openTool(v);
  await control(v, 'f0').fill('Summer');
  await control(v, 'f2.0').fill('one');
  await v.press('Tab', 'Tab', 'Tab', 'Enter'); // past the box for an empty string and Remove
  await focused(v, 'f2.1');
  await v.page.keyboard.type('two');
  await until(v, { title: 'Summer', traveler: {}, tags: ['one', 'two'] });
  await v.press('Tab', 'Tab', 'Enter');
  await focused(v, 'f2.0');
  await until(v, { title: 'Summer', traveler: {}, tags: ['one'] });
  await v.press('Tab', 'Tab', 'Enter');
  await until(v, { title: 'Summer', traveler: {} });
  await v.page.waitForFunction(() => document.activeElement.dataset.do === 'add-row');
  await v.leave();
});

test('a wrong part is marked where it is, with 422', async () => {
  const v = await visit(browser);
  v.expects(/status of 422/);
  await openTool(v);
  await control(v, 'f0').fill('Summer');
  await control(v, 'f1.1').fill('-3');
  await v.page.locator(`${tool} [data-do="call"]`).click();
  await v.page.locator('#t0-f1-1-problem').waitFor();
  assert.equal(await v.page.locator('#t0-f1-0-problem').innerText(), 'Fill in this field.');
  assert.equal(await v.page.locator('#t0-f1-1-problem').innerText(), 'Enter 0 or more.');
  assert.equal(await control(v, 'f1.1').getAttribute('aria-invalid'), 'true');
  await focused(v, 'f1.0');
  await v.leave();
});

test('Enter in a field calls the tool and adds no row', async () => {
  const v = await visit(browser, { javaScriptEnabled: false });
  await openTool(v);
  await control(v, 'f0').fill('Summer');
  await control(v, 'f1.0').fill('Ada');
  await control(v, 'f1.0').press('Enter');
  await v.page.waitForURL(/\/x\//);
  await v.leave();
});

test('without script, buttons add and remove rows and send nothing', async () => {
  const v = await visit(browser, { javaScriptEnabled: false });
  await openTool(v);
  await control(v, 'f0').fill('Summer');
  await control(v, 'f1.0').fill('Ada');
  await control(v, 'f2.0').fill('one');
  await v.page.locator(`${tool} [data-field="tags"] > [data-do="add-row"]`).click();
  assert.equal(await control(v, 'f2.0').inputValue(), 'one');
  await control(v, 'f2.1').fill('two');
  await v.page.locator(`${tool} [data-field="tags"] > .row [data-do="remove-row"]`).first().click();
  assert.equal(await control(v, 'f2.0').inputValue(), 'two');
  await control(v, 'f6').selectOption({ label: 'Card' });
  await v.page.locator(`${tool} noscript button, ${tool} button[value="choose t0.f6"]`).first().click();
  await control(v, 'f6.0.1').fill('4242');
  assert.equal(await control(v, 'f0').inputValue(), 'Summer');
  const r = new Reader(program.url);
  await r.open('/history');
  await v.page.locator(`${tool} [data-do="call"]`).click();
  await v.status('complete');
  assert.match(await v.page.locator('main').innerText(),
    /\{"title":"Summer","traveler":\{"name":"Ada"\},"tags":\["two"\],"payment":\{"kind":"card","last4":"4242"\}\}/);
  await v.leave();
});

for (const [width, colorScheme] of [[1440, 'light'], [390, 'dark']]) {
  test(`at ${width} px, ${colorScheme}: axe is clean and nothing is too wide`, async () => {
    const v = await visit(browser, { viewport: { width, height: 844 }, colorScheme });
    await openTool(v);
    await add(v, 'legs', 'f3.0.0');
    await add(v, 'budget', 'f4.1.key');
    await control(v, 'f6').selectOption({ label: 'Invoice' });
    await control(v, 'f6.1.1.1').waitFor();
    await v.accessible('form[data-name="book_trip"]');
    assert.ok(await v.page.evaluate(() => document.documentElement.scrollWidth) <= width);
    await v.leave();
  });
}

for (const width of [1440, 390]) {
  test(`at ${width} px: an address is shown and opened before anything is sent`, async () => {
    const v = await visit(browser, { viewport: { width, height: 844 } });
    const pages = [];
    v.context.on('request', (request) => { if (/samples/.test(request.url())) pages.push(request.url()); });
    await v.open(`${program.url}/servers/sign-in`);
    await v.click('form[data-form="call"] [data-do="call"]');
    await v.status('waiting');
    const question = v.page.locator('.question'), open = question.locator('a[data-do="open"]');
    const send = v.page.locator('[data-form="answers"] [data-do="send"]');
    const primary = () => v.page.locator('[data-form="answers"] .button.first').getAttribute('data-do');
    const address = await question.locator('[data-link]').textContent();
    assert.equal(address, await open.getAttribute('href'), 'the whole address');
    assert.equal(await question.locator('.host').innerText(), new URL(address).host);
    assert.equal(await question.locator('a').count(), 1, 'nothing else leads there');
    assert.equal(await primary(), 'open');
    const line = question.locator('[data-link]'), low = (await line.boundingBox()).height;
    await v.click('.address summary');
    assert.ok((await line.boundingBox()).height > 2 * low, 'the rest of the address unfolds');
    assert.ok(await v.page.evaluate(() => document.documentElement.scrollWidth) <= width);
    assert.deepEqual(pages, [], 'nothing is fetched before');
    const before = await send.boundingBox();
    const [page] = await Promise.all([v.context.waitForEvent('page'), v.click(open)]);
    await page.waitForLoadState();
    assert.deepEqual(pages, [address]);
    assert.equal(await page.evaluate(() => opener), null);
    await page.close();
    assert.equal(await primary(), 'send');
    assert.deepEqual(await send.boundingBox(), before, 'the button does not move');
    await v.click(send);
    await v.round(2);
    if (await question.locator('[data-link]').textContent() === address) assert.equal(await primary(), 'send', 'opened before');
    await v.leave();
  });
}
