// Accessibility: axe finds no violation on any page, and no page is
// wider than a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';
import { listen } from './servers/wire.mjs';
import { typescript } from './servers/typescript.mjs';

let browser, program, pages;
const closing = [];
before(async () => {
  program = await start();
  browser = await launch();
  pages = await prepare();
});
after(async () => {
  await browser?.close();
  for (const close of closing) await close();
  await tidy();
});

// prepare creates one page of each kind and returns their paths by name.
async function prepare() {
  const ts = await typescript();
  const slow = await listen({ silent: { call: () => undefined },
    broken: { call: (message, req, res) => { res.writeHead(500); res.end('no'); } },
    noted: { description: 'every kind of field', inputSchema: everyField, call: () => everyQuestion } });
  closing.push(ts.stop, slow.stop);

  const path = (r) => r.url.pathname;
  const sample = async (...answers) => {
    const r = new Reader(program.url);
    await r.open('/');
    await r.send('data-start', 'azure-devops');
    await r.settled();
    for (const answer of answers) {
      await r.send('data-form', 'answers', answer);
      await r.settled();
    }
    return path(r);
  };
  const connect = async (url) => {
    const r = new Reader(program.url);
    await r.open('/test');
    await r.send('action', '/servers', { url });
    await r.settled();
    return r;
  };
  const call = async (tool, values) => {
    const r = await connect(slow.url);
    await r.call(tool, values);
    return r;
  };
  const savedCall = async () => {
    const r = await call('broken');
    await r.settled();
    await r.open(`/saved?exchange=${path(r).split('/').at(-1)}`);
    await r.send('data-form', 'save', { title: 'Broken' });
    return r.url.pathname + r.url.search;
  };
  const broken = await call('broken');
  await broken.settled();
  for (const words of ['the first of two', 'the second of two']) await call('noted', { words });
  return {
    landing: '/',
    servers: '/servers',
    'server with tools': path(await connect(slow.url)),
    'server with a saved call and a last result': await savedCall(),
    'saved calls': '/history?kind=saved',
    'a sample': '/servers/azure-devops',
    'server on the TypeScript SDK': path(await connect(ts.url)),
    'unreachable server': path(await connect('http://127.0.0.1:9/mcp')),
    'exchange waiting': await sample(),
    'exchange waiting with a state': await sample({ resolution: 'Duplicate' }),
    'a selected message': `${await sample({ resolution: 'Duplicate' })}?message=response`,
    'exact bytes': `${await sample({ resolution: 'Duplicate' })}?message=request&view=exact`,
    'exchange complete': await sample({ resolution: 'Duplicate' }, { duplicateOfId: '4301' }),
    'the editor of a request': `${await sample({ resolution: 'Duplicate' })}/edit?round=2`,
    'exchange declined': await sample({ 'a0.action': 'decline' }),
    'exchange failed': path(broken),
    'exchange running': path(await call('silent')),
    'every kind of question': path(await call('noted')),
    history: '/history',
    lessons: '/learn',
    'a lesson': '/learn/sealed-state',
    'a lesson with listings': '/learn/build',
    'the specification': '/learn/specification',
    'a page of the specification': '/learn/specification#mrtr.echo',
    'what is not kept': '/learn/specification#not-kept',
    glossary: '/glossary',
    'a question of the quiz': '/quiz/2?q1=2',
    'result of the quiz': '/quiz/result?q1=2&q2=2&q6=1&q10=1',
    'spot the fault': '/learn/spot-the-fault/1',
    'the exercise': '/learn/your-turn',
    'reference page': '/learn/reference/http',
    'the requestState workbench': '/state',
    'the workbench with a state': `/state?round=2&x=${(await sample({ resolution: 'Duplicate' })).split('/').at(-1)}`,
    search: '/search?q=state',
    settings: '/settings',
    'error page': '/x/nothing',
  };
}

// The panels of the others have the same parts.
const withPanels = ['exchange waiting with a state', 'exchange complete', 'exchange failed', 'every kind of question'];

// own is what a page has that the same page without its fragment has not shown.
const own = (path) => /#/.test(path) ? `.clause:has([id="${path.split('#')[1]}"])` : 'html';

for (const width of [1280, 768, 390]) {
  test(`at ${width} px: no axe violation, no horizontal scrolling`, async (t) => {
    const v = await visit(browser, { viewport: { width, height: 844 } });
    v.expects(/status of (404|500|422)/);
    for (const [name, path] of Object.entries(pages)) {
      await t.test(name, async () => {
        await v.open(program.url + path);
        for (const panel of ['wire', 'state', 'rules', 'timing']) {
          const tab = v.page.locator(`.tabs [data-panel="${panel}"]`);
          if (panel !== 'wire' && !withPanels.includes(name)) break;
          if (await tab.count()) {
            await tab.click();
            await v.page.locator(`.drawer[data-panel="${panel}"]`).waitFor();
          }
          await narrow(v, width);
          if (panel !== 'wire' && !(await tab.count())) continue;
          // A panel changes the tabs and itself. On a phone the whole page is asked
          // with each, for the rules that compare its parts.
          const changed = panel === 'wire' ? own(path) : '.tabs, .drawer';
          await v.accessible(width === 390 && panel !== 'wire' ? 'html' : changed);
          if (width === 768) continue;
          await v.inTheDark(() => v.accessible(changed, ['color-contrast'])); // nothing else differs
        }
      });
    }
    await v.leave();
  });
}

async function narrow(v, width) {
  const wide = await v.page.evaluate(() => document.documentElement.scrollWidth);
  if (wide <= width) return;
  const culprits = await v.page.evaluate((limit) =>
    [...document.querySelectorAll('main *, header *, footer *')]
    .filter((e) => e.getBoundingClientRect().right > limit + 1).slice(0, 5)
      .map((e) => e.outerHTML.slice(0, 160)), width);
  assert.fail(`the page is ${wide} px wide at ${width}: ${culprits.join('\n')}`);
}

// hear collects what a screen reader is told without moving the focus: each text
// of a region that was on the page before.
async function hear(v) {
  await v.page.evaluate(() => {
    globalThis.heard = [];
    for (const region of document.querySelectorAll('[role="status"], [aria-live]')) {
      new MutationObserver(() => globalThis.heard.push(region.textContent.trim()))
        .observe(region, { childList: true, characterData: true, subtree: true });
    }
  });
  return async () => {
    assert.deepEqual(await v.page.$$eval('main :is([role="status"], [aria-live])', (list) => list.map((e) => e.outerHTML)), [],
      'no region is swapped with the page');
    return v.page.evaluate(() => globalThis.heard.splice(0));
  };
}

test('a screen reader hears once how each round stands', async () => {
  const v = await visit(browser);
  await v.open(program.url);
  await v.click('form[data-start="azure-devops"] button');
  await v.round(1);
  const heard = await hear(v);
  await v.page.selectOption('select[data-field="resolution"]', 'Duplicate');
  await v.page.locator('#preview', { hasText: 'Duplicate' }).waitFor();
  assert.deepEqual(await heard(), [], 'typing is not announced');
  await v.click('[data-do="send"]');
  await v.round(2);
  assert.deepEqual(await heard(), ['Round 2: asks for duplicate_of, waiting for you.']);
  await v.click('.ribbon li[data-round="1"] a');
  await v.page.locator('main[data-shown="1"]').waitFor();
  await v.click('.tabs [data-panel="lab"]');
  await v.page.locator('.drawer[data-panel="lab"] [data-experiment]').first().waitFor();
  assert.equal(await v.page.locator('.drawer > .panel').getAttribute('aria-label'), 'Check', 'as on its tab');
  assert.deepEqual(await heard(), [], 'what was opened is not announced');
  await v.click('.ribbon li[data-round="2"] a');
  await v.round(2);
  await v.page.locator('[data-field="duplicateOfId"]').fill('4301');
  await v.click('[data-do="send"]');
  await v.status('complete');
  assert.deepEqual(await heard(), ['Round 3: complete.']);
  await v.leave();
});

test('a screen reader hears of a task when its state changes, and not at each poll', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/test`);
  const start = v.page.locator('form[data-start="tasks"] button').first();
  await start.evaluate((b) => b.closest('details')?.setAttribute('open', ''));
  await start.click();
  await v.round(1);
  const heard = await hear(v);
  await v.page.selectOption('[data-form="answers"] select[data-field]', { index: 1 });
  await v.click('[data-do="send"]');
  await v.page.locator('main[data-status="waiting"]:not([data-shown="1"])').waitFor();
  const list = await heard();
  assert.ok(list.length > 0 && list.every((words) => /^Round \d: .+\.$/.test(words)), list.join(' | '));
  assert.deepEqual(list, [...new Set(list)], 'nothing is said twice');
  assert.match(list.at(-1), /waiting for you\.$/);
  await v.leave();
});

test('a screen reader hears the verdict of a check', async (t) => {
  const v = await visit(browser);
  await v.open(`${program.url}/servers/confirm/check`);
  await v.click('[data-do="check"]');
  await v.page.locator('main[data-check]').waitFor();
  const running = await v.page.locator('main[data-check][data-status="running"]').count();
  const heard = await hear(v), end = 'The check has ended. No violation by this server in ';
  await v.page.locator(`main[data-check][data-said^="${end}"]`).waitFor();
  assert.deepEqual((await heard()).filter((words) => !words.startsWith(end)), [], 'how far it is, is not announced');
  t.diagnostic(running ? 'seen running' : 'ended before the page came');
  await v.leave();
});

test('text can be enlarged to 200 %', async () => {
  const v = await visit(browser, { viewport: { width: 640, height: 800 } });
  v.expects(/status of 404/);
  for (const path of Object.values(pages)) {
    await v.open(program.url + path);
    await v.page.evaluate(() => { document.documentElement.style.setProperty('font-size', '200%'); });
    await narrow(v, 640);
  }
  await v.leave();
});

test('on a phone, the history cuts neither the name of a server nor the arguments', async () => {
  const v = await visit(browser, { viewport: { width: 390, height: 844 } });
  await v.open(`${program.url}/history`);
  const cut = await v.page.locator('.calls .what, .calls .arguments').evaluateAll((list) =>
    list.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent.trim()));
  assert.ok(await v.page.locator('.calls .what').count() > 5);
  assert.ok(await v.page.locator('.calls .arguments').count() > 1, 'calls of one tool that differ');
  assert.deepEqual(cut, []);
  await v.leave();
});

test('what a row of the history can do shows on the row, and moves no column', async () => {
  const v = await visit(browser, { viewport: { width: 1440, height: 900 } });
  await v.open(`${program.url}/history`);
  const rows = v.page.locator('.calls > li');
  const places = () => rows.evaluateAll((list) => [...new Set(list.map((row) =>
    ['.status', '.what', '.came', 'time'].map((name) => Math.round(row.querySelector(name).getBoundingClientRect().x)).join()))]);
  const before = await places();
  assert.equal(before.length, 1, 'rows of every kind have the same columns');
  const tools = rows.nth(1).locator('.row-tools');
  assert.equal(await tools.isVisible(), false);
  await rows.nth(1).hover();
  assert.equal(await tools.isVisible(), true);
  assert.deepEqual(await places(), before);
  await rows.nth(2).locator('.what a').first().focus();
  assert.equal(await rows.nth(2).locator('.row-tools').isVisible(), true, 'for the keyboard');
  await v.leave();
  const phone = await visit(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
    javaScriptEnabled: false });
  await phone.open(`${program.url}/history`);
  const first = phone.page.locator('.calls > li').first();
  assert.equal(await first.locator('.row-tools').isVisible(), false);
  await first.locator('.more > summary').click();
  assert.equal(await first.locator('.row-tools').isVisible(), true, 'without script');
  await phone.leave();
});

const everyField = {
  type: 'object',
  properties: {
    words: { type: 'string', title: 'Words', description: 'Some words', default: 'hello' },
    mail: { type: 'string', format: 'email' },
    day: { type: 'string', format: 'date' },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    ratio: { type: 'number' },
    sure: { type: 'boolean' },
    colour: { type: 'string', enum: ['red', 'green'] },
    raw: { type: 'object' },
  },
};

const everyQuestion = {
  resultType: 'input_required',
  requestState: 'x'.repeat(600),
  inputRequests: {
    form: { method: 'elicitation/create',
      params: { message: 'Every kind of field', requestedSchema: { type: 'object', properties: {
      ...everyField.properties, raw: undefined, apiKey: { type: 'string', title: 'API key' },
      many: { type: 'array', title: 'Many', items: { type: 'string', enum: ['a', 'b', 'c'] } },
      titled: { type: 'string', oneOf: [{ const: 'a', title: 'Title of a' },
        { const: 'b', title: 'Title of b' }] },
    } } } },
    link: { method: 'elicitation/create', params: { mode: 'url', message: 'Please look at this',
      url: 'https://example.com/a/very/long/path/that/does/not/end/anywhere/soon?with=a&long=query' } },
    model: { method: 'sampling/createMessage', params: { maxTokens: 10, systemPrompt: 'Be short.',
      messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }] } },
    roots: { method: 'roots/list' },
  },
};
