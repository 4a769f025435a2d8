// At every size, after every step of every journey, the primary control is on the
// screen, uncovered, and where it was before the form was filled in.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { hit, holdPreviews, keeps, press, primary, uncut } from './primary.mjs';
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

const sizes = [[1440, 900], [1280, 720], [768, 1024], [390, 844]];
const projector = sizes.slice(0, 2);
const send = /^Send answers?$/;

// journey runs a test at every size, or at some.
function journey(name, run, options = {}, at = sizes) {
  for (const [width, height] of at) {
    test(`${name}, at ${width}x${height}`, async () => {
      const v = await visit(browser, { viewport: { width, height }, ...options });
      await run(v, width, height);
      await v.leave();
    });
  }
}

// preview waits until what will be sent shows a text.
const preview = (v, text) => v.page.locator('#preview', { hasText: text }).waitFor();

// begin starts a sample's call from the page of its server.
async function begin(v, sample) {
  await v.open(`${program.url}/servers/${sample}`);
  await v.page.locator(`form[data-start="${sample}"] button`).first().click();
  await v.page.locator('main[data-exchange]').waitFor();
}

// finish goes from the landing page to the end of the first call.
async function finish(v) {
  await v.open(program.url);
  await press(v, /^Try a live call$/, 'landing');
  await v.round(1);
  await keeps(v, send, 'round 1', async () => {
    await v.press('D'); // the list has the focus
    await preview(v, '"resolution":"Duplicate"');
  });
  await press(v, send, 'round 1, chosen');
  await v.round(2);
  await keeps(v, send, 'round 2', async () => {
    await v.press(...'4301');
    await preview(v, '"duplicateOfId":4301}');
  });
  await keeps(v, send, 'round 2, the whole message', async () => {
    await v.page.locator('#preview summary').evaluate((e) => e.click());
    await v.page.locator('#preview pre').waitFor();
  });
  await press(v, send, 'round 2, typed');
  await v.status('complete');
}

journey('from the landing page to the end of a call, its link, and a fork of it', async (v) => {
  await finish(v);
  await press(v, /^Share this$/, 'the end');
  await v.page.locator('main[data-share]').waitFor();
  await v.page.frameLocator('[data-preview]').locator('[data-reader]').waitFor();
  const create = /^Download a page$/;
  await primary(v, create, 'share');
  assert.equal(await v.page.evaluate(() => document.activeElement?.tagName), 'BODY', 'the preview takes no focus');
  assert.equal(await v.page.evaluate(() => scrollY), 0);
  await keeps(v, create, 'share, a title', async () => {
    await v.type('#share-title', 'Bug 4522');
    await v.page.frameLocator('[data-preview]').locator('h1', { hasText: 'Bug 4522' }).waitFor();
  });
  await v.click(v.page.getByRole('button', { name: 'Create the link' })); // which is second on this machine
  await v.page.locator('[data-made]').waitFor();
  await v.page.getByRole('button', { name: 'Copy the link' }).waitFor(); // a script shows it
  await primary(v, /^Copy the link$/, 'the link');
  await v.open((await v.text('[data-made]')).trim());
  await hit(v, 'form[data-form="fork"] button, [data-do="fork"]', 'the reader');
  await v.page.locator('main[data-exchange]').waitFor();
  // the call has a link now, which adds to its header
  await v.open(program.url + '/history');
  await v.page.locator('main a[href^="/x/"]').first().click();
  await v.page.locator('main[data-exchange]').waitFor();
  await primary(v, /^Share this$/, 'a call with a link');
  await v.page.locator('.tabs').evaluate((e) => e.scrollIntoView({ block: 'center' }));
  await uncut(v, 'the tabs of a call with a link');
});

journey('Send works while the preview is on its way, and stays when it comes', async (v) => {
  await v.open(program.url);
  await press(v, /^Try a live call$/, 'landing');
  await v.round(1);
  const held = await holdPreviews(v.page);
  await v.press('D');
  await held.asked;
  await press(v, send, 'the preview is on its way');
  await v.round(2);
  held.release();
  await v.press(...'4301');
  await preview(v, '"duplicateOfId":4301}');
  await primary(v, send, 'the next preview');
});

journey('Send stays while an answer is edited as JSON, and when no preview comes', async (v) => {
  v.expects(/status of 500/);
  await begin(v, 'azure-devops');
  await v.round(1);
  await v.page.locator('.as-json summary').evaluate((e) => e.click());
  const json = v.page.locator('[data-answer-json]');
  await json.evaluate((e) => { e.focus(); e.select(); });
  await keeps(v, send, 'as JSON', async () => {
    await v.page.keyboard.insertText('{"action":"accept","content":{"resolution":"Duplicate"}}');
    await preview(v, '"resolution":"Duplicate"');
  });
  await json.evaluate((e) => { e.focus(); e.select(); });
  await keeps(v, send, 'no JSON', async () => {
    await v.page.keyboard.insertText('{"action":');
    await preview(v, 'your answer');
  });
  await v.page.route('**/rounds', (route) => route.fulfill({ status: 500, body: '<h1>No</h1>' }));
  await keeps(v, send, 'a preview that fails', async () => {
    const failed = v.page.waitForResponse((r) => r.status() === 500);
    await v.page.keyboard.insertText('"accept","content":{"resolution":"Fixed"}}');
    await failed;
  });
});

journey('several questions: each is reached from the stepper, and Send stays', async (v) => {
  await begin(v, 'trip');
  await v.round(1);
  await primary(v, send, 'three questions');
  const steps = v.page.locator('.steps a');
  assert.equal(await steps.count(), 3);
  assert.match(await v.text('.question >> nth=0'), /1 of 3/);
  for (const [n, field, keys, text] of [[2, 'uri', 'file:///tmp', 'file:///tmp'], [1, 'text', 'Alfama', 'Alfama'], [0, 'days', '', '']]) {
    await hit(v, `.steps a >> nth=${n}`, 'stepper');
    await v.page.waitForFunction((name) => document.activeElement.dataset.field === name, field);
    assert.equal(await steps.nth(n).getAttribute('aria-current'), 'step');
    await keeps(v, send, `question ${n + 1}`, async () => {
      await v.press(...keys);
      if (text) await preview(v, text);
    });
  }
  assert.equal(await v.page.locator('.steps [data-answered]:visible').count(), 2);
  await v.press('Tab', 'f');
  await preview(v, '"mood"');
  assert.equal(await v.page.locator('.steps [data-answered]:visible').count(), 3);
  await press(v, send, 'all answered');
  await v.page.locator('main:not([data-shown="1"])').waitFor();
});

for (const [width, height] of sizes.slice(0, 2)) {
  test(`the drawer is caught anywhere on its edge and leaves room for a field and Send, at ${width}x${height}`, async () => {
    const v = await visit(browser, { viewport: { width, height } });
    await begin(v, 'azure-devops');
    await v.round(1);
    const drawer = () => v.page.locator('.drawer').evaluate((e) => Math.round(e.getBoundingClientRect().height));
    const own = await drawer();
    const open = async (panel) => {
      await hit(v, `.tabs [data-panel="${panel}"]`, 'tabs');
      await v.page.locator(`.drawer[data-panel="${panel}"]`).waitFor();
    };
    await open('lab');
    const folded = await drawer(); // beside a folded picture
    assert.ok(folded >= own, `${own} to ${folded}`);
    const grip = v.page.locator('[data-grip]');
    const { missed, mark } = await grip.evaluate((e) => {
      const r = e.getBoundingClientRect(), missed = [], mark = getComputedStyle(e, '::after');
      for (let x = r.left + 1; x < r.right; x += 50) {
        for (let y = r.top + 1; y < r.bottom; y++) if (document.elementFromPoint(x, y) !== e) missed.push([x, y]);
      }
      return { missed, mark: [mark.content, mark.opacity, parseFloat(mark.width) >= 24, r.height >= 12] };
    });
    assert.deepEqual(missed, [], 'something covers the edge');
    assert.deepEqual(mark, ['""', '1', true, true], 'the edge is marked before the mouse is on it');
    await hit(v, '[data-grip]', 'the edge'); // it keeps its place
    assert.equal(await drawer(), folded);
    const box = await grip.boundingBox();
    await v.page.mouse.move(box.x + 100, box.y + box.height - 2);
    await v.page.mouse.down();
    await v.page.mouse.move(box.x + 100, 5, { steps: 4 });
    await v.page.mouse.up();
    const high = await drawer();
    assert.ok(high > own + 20, `${own} to ${high}`);
    assert.equal(await grip.getAttribute('aria-valuenow'), String(high));
    assert.equal(await grip.getAttribute('aria-valuemax'), String(high), 'it cannot be higher');
    const room = async (where) => {
      await primary(v, send, where);
      await hit(v, '[data-field="resolution"]', where);
      await v.page.keyboard.press('Escape');
    };
    await room('dragged up');
    await open('wire');
    assert.ok(Math.abs(await drawer() - own) <= 1, 'each panel has its own height');
    await v.open(v.page.url().split('?')[0] + '?panel=lab');
    assert.equal(await drawer(), high, 'the height is remembered');
    await begin(v, 'azure-devops');
    await v.round(1);
    await open('lab');
    assert.ok(Math.abs(await drawer() - high) <= 1);
    await room('a new call');
    await begin(v, 'trip');
    await v.round(1);
    await open('lab');
    await hit(v, '[data-field="days"]', 'a new call with three questions');
    const [bar, pane] = await v.page.evaluate(() => ['.send', '.stage > .ask'].map((s) => document.querySelector(s).getBoundingClientRect().bottom));
    assert.ok(Math.abs(bar - pane) <= 1, `the bar ends at ${bar}, the pane at ${pane}: something shows between them`);
    await v.leave();
  });
}

journey('a call with nothing to answer, a task, and a sign-in', async (v) => {
  await begin(v, 'load-shedding');
  await press(v, /^Retry now$/, 'nothing to answer');
  await v.page.locator('main:not([data-shown="1"])').waitFor();
  await begin(v, 'tasks');
  await v.page.locator('[data-form="answers"] [data-input-key]').first().waitFor();
  await primary(v, send, 'a question of a task');
  await begin(v, 'protected');
  await press(v, /^Sign in$/, '401');
  await v.page.locator('[data-sign-in-stage]').first().waitFor();
  await primary(v, /^(Sign in|Continue)/, 'sign-in');
});

journey('test a server: connect, call, check', async (v) => {
  await v.open(`${program.url}/test`);
  await keeps(v, /^Connect$/, 'servers', () => v.type('#url', `${program.url}/mcp/azure-devops`));
  await press(v, /^Connect$/, 'servers');
  await v.status('connected');
  const call = /^Call /;
  await v.open(`${v.page.url().split('?')[0]}?tool=update_work_item`);
  const server = v.page.url().split('?')[0];
  assert.equal(await v.page.locator('.as-json[open]').count(), 0, 'the raw JSON is closed');
  await primary(v, call, 'a server');
  await keeps(v, call, 'a server, typed', async () => {
    await v.type('[data-field="workItemId"]', '4522');
    await v.page.waitForFunction(() => document.querySelector('[data-field-json]').value.includes('4522'));
  });
  await press(v, call, 'a server');
  await v.page.locator('main[data-exchange]').waitFor();
  await v.open(server);
  await primary(v, call, 'a server with a last result');
  await v.open(`${server}/check?tool=list_work_items`);
  await primary(v, /^Run check$/, 'check');
  await v.page.locator('[name="mine"]').check();
  await press(v, /^Run check$/, 'check, ticked');
  await v.page.locator('main[data-check]').waitFor();
});

for (const sample of ['azure-devops', 'prompt-resource', 'conformance', 'naughty']) {
  journey(`the page of the sample ${sample}`, async (v) => {
    await v.open(`${program.url}/servers/${sample}`);
    await primary(v, /^(Call|Get|Read) /, sample);
    await v.open(`${program.url}/servers/${sample}/check`);
    await primary(v, /^Run check$/, `check of ${sample}`);
  });
}

journey('make another state: what would replace a token is not the primary control', async (v) => {
  await v.open(`${program.url}/state`);
  for (const button of ['make', 'expire']) {
    assert.equal(await v.page.locator('main .button.first').count(), 0);
    await v.confirm(button);
    await v.page.waitForURL(/\?w=/);
  }
  await uncut(v, 'a made state');
});

journey('answer the quiz and find the fault', async (v) => {
  for (const [path, begin] of [['/quiz', /^Start the quiz$/], ['/learn/spot-the-fault', /^Read the first exchange$/]]) {
    await v.open(program.url + path);
    await press(v, begin, path);
    await v.page.locator('form input[type="radio"]').first().waitFor();
    await keeps(v, /^Answer$/, `${path}, a question`, () => v.page.locator('form input[type="radio"]').last().evaluate((e) => e.click()));
    await press(v, /^Answer$/, `${path}, chosen`);
    await v.page.locator('[data-right]').first().waitFor();
  }
});

const pages = [
  ['/learn', /lesson 1$/], ['/learn/your-turn', /Check$/], ['/settings', /^Save$/], ['/demos/azure-devops', /^Resolve bug/],
  ['/demos/rolling-upgrade', /^Link/], ['/demos/load-shedding', /^Count/], 
];
journey('pages with one primary control', async (v) => {
  for (const [path, words] of pages) {
    await v.open(program.url + path);
    await primary(v, words, path);
  }
});

journey('edit a request, save a call', async (v) => {
  await begin(v, 'azure-devops');
  await v.round(1);
  const exchange = new URL(v.page.url()).pathname;
  for (const [path, words] of [[`${exchange}/edit?round=1`, /^Send$/], [`/saved?exchange=${exchange.split('/').at(-1)}`, /^Save$/]]) {
    await v.open(program.url + path);
    await primary(v, words, path);
  }
});

for (const slug of ['azure-devops', 'rolling-upgrade', 'load-shedding']) {
  for (const present of ['', '?present=1']) {
    journey(`the demo ${slug}${present}`, async (v) => {
      await v.open(`${program.url}/demos/${slug}${present}`);
      const next = /./;
      for (let n = 1; ; n++) {
        await press(v, next, `before step ${n}`);
        await v.page.locator(`main[data-step="${n}"]:not([data-live])`).waitFor();
        if (!await v.page.locator('[data-go="next"]').count()) break;
      }
    }, {}, present ? projector : sizes);
  }
}
