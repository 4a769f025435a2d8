// A browser and a Visitor that counts its actions. Any error or warning that the
// browser reports on a page fails the test.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { exactBytes, exactPath } from './html.mjs';

const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// launch starts Chromium from the path in CHROMIUM, or else the distribution's.
export async function launch() {
  const paths = process.env.CHROMIUM ? [process.env.CHROMIUM] : ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
  const executablePath = paths.find((path) => existsSync(path));
  assert.ok(executablePath, `no browser at ${paths.join(' or ')}: install Chromium, or set CHROMIUM to its path`);
  return chromium.launch({ executablePath, headless: true, args: flags, timeout: 0 });
}

// visit opens a new browser context, without cookies or history.
export async function visit(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  // Less than a file may take: this error names what was waited for, the end of a file does not.
  context.setDefaultTimeout(600_000);
  const page = await context.newPage();
  return new Visitor(context, page);
}

// Visitor performs and counts the actions of a user.
class Visitor {
  clicks = 0;
  keys = 0;
  documents = 0; // full page loads
  complaints = [];
  #expected = [];

  constructor(context, page) {
    this.context = context;
    this.page = page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.#complain(message.text());
    });
    page.on('pageerror', (error) => this.#complain(`script error: ${error.message}`));
    page.on('dialog', (dialog) => {
      this.#complain(`a dialog opened: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame() &&
        !request.redirectedFrom()) this.documents++;
    });
  }

  #complain(text) {
    if (!this.#expected.some((pattern) =>
      pattern.test(text))) this.complaints.push(`${this.page.url()}: ${text}`);
  }

  // expects allows a report that is part of the test, such as the line that a
  // browser logs for each response with status 400 or above.
  expects(pattern) {
    this.#expected.push(pattern);
  }

  // expectsAnEnd allows what a browser reports of a page's stream of events when
  // the program ends, and of the stream that it then opens.
  expectsAnEnd() {
    this.expects(/ERR_(INCOMPLETE_CHUNKED_ENCODING|CONNECTION_(REFUSED|RESET))/);
  }

  async open(url) {
    return this.page.goto(url, { waitUntil: 'load' });
  }

  async click(locator) {
    this.clicks++;
    await this.#on(locator).click();
  }

  // confirm presses a button that asks, and the one that does it.
  async confirm(name, within = this.page) {
    await this.click(within.locator(`[data-asks="${name}"]`));
    await this.click(within.locator(`.confirm:popover-open [data-do="${name}"]`));
  }

  // choose selects an entry of a list, which takes two clicks with a mouse. A test
  // cannot click a native list, so it selects the entry directly.
  async choose(locator, value) {
    this.clicks += 2;
    await this.#on(locator).selectOption(value);
  }

  // type clicks a control and replaces its text, key by key.
  async type(locator, text) {
    const control = this.#on(locator);
    this.clicks++;
    await control.click();
    await control.fill('');
    this.keys += text.length;
    await control.pressSequentially(text);
  }

  async press(...keys) {
    for (const key of keys) {
      this.keys++;
      await this.page.keyboard.press(key);
    }
  }

  // reach focuses a control by the Tab key if it is near, and clicks it otherwise.
  async reach(locator) {
    if (!(await this.#tab(locator, 2))) await this.click(locator);
  }

  // walk focuses a control by the Tab key, at any distance.
  async walk(locator) {
    assert.ok(await this.#tab(locator, 60), `the Tab key does not lead to ${locator}`);
  }

  async #tab(locator, most) {
    const control = this.#on(locator);
    if (await control.evaluate((node) => node === document.activeElement)) return true;
    for (let n = 0; n < most; n++) {
      await this.press('Tab');
      if (await control.evaluate((node) => node === document.activeElement)) return true;
    }
    return false;
  }

  #on(locator) {
    return typeof locator === 'string' ? this.page.locator(locator).first() : locator;
  }

  // status waits until an exchange or a server has the given status.
  async status(status) {
    await this.page.locator(`main[data-status="${status}"]`).waitFor();
    await this.#scripts();
  }

  // round waits until round n can be answered.
  async round(n) {
    await this.page.locator(`form[data-form="answers"] input[name="round"][value="${n}"]`)
      .waitFor({ state: 'attached' });
    await this.#scripts();
  }

  // #scripts waits until the scripts of the page have run, which is after its elements
  // are there.
  #scripts() {
    return this.page.waitForLoadState('domcontentloaded');
  }

  // bodies returns the exact bodies of one side of an exchange, request or
  // response, round by round.
  async bodies(side) {
    const rounds = await this.page.locator('[data-round]').count();
    const { origin, pathname } = new URL(this.page.url());
    const read = async (n) => (await this.page.request.get(origin + exactPath(pathname, n))).text();
    return exactBytes(rounds, read, side);
  }

  // accessible fails if axe finds something on the page or in one part of it. It waits
  // for what is being loaded, and shows the colors without transitions and without those
  // of a form that is being sent: a faded color is no fault.
  // axe is put into each document once, without a script element, so that the page keeps
  // its content security policy.
  // It tests every rule, or those that are named.
  async accessible(part = 'html', rules = null) {
    await this.page.waitForFunction(() => !document.querySelector('.htmx-request'));
    await this.page.evaluate(() => {
      const still = new CSSStyleSheet();
      still.replaceSync('* { transition: none !important; } .htmx-request .button { opacity: 1 !important; }');
      document.adoptedStyleSheets = [still];
      document.getAnimations().forEach((animation) => {
        if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
      });
    });
    if (!await this.page.evaluate(() => globalThis.axe?.run !== undefined)) await this.page.evaluate(axe);
    const { violations } = await this.page.evaluate(([p, runOnly]) =>
      axe.run(p, { resultTypes: ['violations'], ...runOnly && { runOnly } }), [part, rules]);
    await this.page.evaluate(() => { document.adoptedStyleSheets = []; });
    assert.deepEqual(violations.map((x) => `${x.impact} ${x.id}: ${x.help}\n${x.nodes.slice(0, 3)
      .map((n) => `${n.html.slice(0, 200)}\n${n.failureSummary}`).join('\n')}`), [], this.page.url());
  }

  // inTheDark does something while the page has its dark colors.
  async inTheDark(work) {
    await this.page.emulateMedia({ colorScheme: 'dark' });
    await work();
    await this.page.emulateMedia({ colorScheme: 'light' });
  }

  async text(selector) {
    return (await this.page.locator(selector).first().innerText()).trim();
  }

  // leave closes the context. It fails if the browser reported an error or a
  // warning.
  async leave() {
    await this.context.close();
    assert.deepEqual(this.complaints, [], 'the browser complained');
  }
}
