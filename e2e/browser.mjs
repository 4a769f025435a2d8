// A browser, and a visitor in it whose every action is counted and whose every
// page is watched: whatever the browser complains about fails the test.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

// launch starts Chromium: the one that CHROMIUM names, else the distribution's.
export async function launch() {
  const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';
  assert.ok(existsSync(executablePath), `no browser at ${executablePath}: install Chromium, or name it in CHROMIUM`);
  return chromium.launch({ executablePath, headless: true, args: flags, timeout: 120_000 });
}

// visit opens a visitor's own context: no cookies, no history.
export async function visit(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  return new Visitor(context, page);
}

// Visitor does what a person does and counts it.
class Visitor {
  clicks = 0;
  keys = 0;
  documents = 0; // whole pages loaded
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
      if (request.isNavigationRequest() && request.frame() === page.mainFrame() && !request.redirectedFrom()) this.documents++;
    });
  }

  #complain(text) {
    if (!this.#expected.some((pattern) => pattern.test(text))) this.complaints.push(`${this.page.url()}: ${text}`);
  }

  // expects names a complaint that is part of the test, like the line that a
  // browser writes for each response of 400 and above.
  expects(pattern) {
    this.#expected.push(pattern);
  }

  async open(url) {
    return this.page.goto(url, { waitUntil: 'load' });
  }

  async click(locator) {
    this.clicks++;
    await this.#on(locator).click();
  }

  // choose opens a list and picks an entry: two clicks for a mouse. A browser's
  // own list cannot be clicked by a test, so its effect is made directly.
  async choose(locator, value) {
    this.clicks += 2;
    await this.#on(locator).selectOption(value);
  }

  // type clicks into a control and replaces its text, key by key.
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

  // reach moves to a control that is next by the Tab key; one that is far away
  // is clicked.
  async reach(locator) {
    if (!(await this.#tab(locator, 2))) await this.click(locator);
  }

  // walk moves to a control by the Tab key, however far it is.
  async walk(locator) {
    assert.ok(await this.#tab(locator, 60), `the Tab key does not lead to ${locator}`);
  }

  async #tab(locator, most) {
    const control = this.#on(locator);
    for (let n = 0; n < most; n++) {
      await this.press('Tab');
      if (await control.evaluate((node) => node === document.activeElement)) return true;
    }
    return false;
  }

  #on(locator) {
    return typeof locator === 'string' ? this.page.locator(locator).first() : locator;
  }

  // status waits until an exchange or server has this status.
  async status(status) {
    await this.page.locator(`main[data-status="${status}"]`).waitFor();
  }

  // round waits until round n is the one that is open for an answer.
  async round(n) {
    await this.page.locator(`form[data-form="answers"] input[name="round"][value="${n}"]`).waitFor({ state: 'attached' });
  }

  async text(selector) {
    return (await this.page.locator(selector).first().innerText()).trim();
  }

  // picture keeps a screenshot for people to look at.
  async picture(name, options = {}) {
    const dir = join(import.meta.dirname, 'artefacts');
    await mkdir(dir, { recursive: true });
    await this.page.screenshot({ path: join(dir, `${name}.png`), fullPage: true, ...options });
  }

  // leave closes the context and fails on anything the browser complained about.
  async leave() {
    await this.context.close();
    assert.deepEqual(this.complaints, [], 'the browser complained');
  }
}
