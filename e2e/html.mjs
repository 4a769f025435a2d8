// Reader reads the program's pages by plain HTTP, as a browser without script
// does: it fills in forms, sends them and follows redirects.
import { CookieJar, JSDOM } from 'jsdom';

// parse returns the document of a page.
export function parse(html) {
  return new JSDOM(html).window.document;
}

export class Reader {
  sent = 0; // forms
  cookies = new CookieJar();

  constructor(base) {
    this.base = base;
  }

  async open(path, init = {}) {
    let url = new URL(path, this.base);
    for (let hops = 0; hops < 5; hops++) {
      const cookie = this.cookies.getCookieStringSync(url.href);
      const response = await fetch(url, { ...init, redirect: 'manual',
        headers: { ...init.headers, cookie } });
      for (const line of response.headers.getSetCookie()) this.cookies.setCookieSync(line, url.href);
      if (response.status !== 303) {
        this.url = url;
        this.status = response.status;
        this.html = await response.text();
        this.document = parse(this.html);
        return;
      }
      url = new URL(response.headers.get('location'), url);
      init = {};
    }
    throw new Error(`too many redirects: ${url}`);
  }

  // all returns the elements of the page that match a selector.
  all(selector) {
    return [...this.document.querySelectorAll(selector)];
  }

  // one returns the first element that matches a selector.
  one(selector) {
    const found = this.document.querySelector(selector);
    if (!found) throw new Error(`${this.url} has no ${selector}:\n${this.html.slice(0, 2000)}`);
    return found;
  }

  // form returns the form whose attribute has this value.
  form(attribute, value) {
    const found = [...this.document.forms].find((f) => f.getAttribute(attribute) === value);
    if (!found) throw new Error(`${this.url} has no form[${attribute}="${value}"]:\n${this.html.slice(0, 2000)}`);
    return found;
  }

  // fill returns what a form sends with these values, by property of a question
  // or, where no question has such a property, by name of a control.
  fill(attribute, value, values = {}) {
    const form = this.form(attribute, value);
    const body = contents(form);
    for (const [key, text] of Object.entries(values)) {
      const control = [...form.elements].find((e) => e.dataset.field === key);
      body.set(control?.name ?? key, text);
    }
    return { action: form.getAttribute('action'), body };
  }

  // call opens the form of a tool, prompt or resource on the page of a server,
  // fills it in and sends it.
  async call(name, values) {
    const link = this.all('#entries a[data-entry]').find((a) =>
      new URL(a.getAttribute('href'), this.url).searchParams.get(a.dataset.entry) === name);
    await this.open(link.getAttribute('href'));
    return this.send('data-name', name, values);
  }

  // send fills in and sends a form.
  async send(attribute, value, values) {
    const { action, body } = this.fill(attribute, value, values);
    return this.#post(action, body);
  }

  // questions returns those of the open form: key, method, and the names of the
  // controls by property. The property "action" stands for the choice to accept,
  // decline or cancel.
  get questions() {
    this.form('data-form', 'answers');
    return this.all('form[data-form="answers"] [data-input-key]').map((question) => {
      const names = {};
      for (const control of question.querySelectorAll('input, select, textarea')) {
        if (control.dataset.field !== undefined) names[control.dataset.field] = control.name;
        else if (control.name.endsWith('.action')) names.action = control.name;
      }
      return { key: question.dataset.inputKey, method: question.dataset.inputMethod, names };
    });
  }

  // answer fills in the open form question by question and sends it with its
  // button: for each key of a question the values by property.
  async answer(answers) {
    const form = this.form('data-form', 'answers');
    const body = contents(form);
    const questions = this.questions;
    for (const [key, values] of Object.entries(answers)) {
      const question = questions.find((q) => q.key === key);
      if (!question) throw new Error(`no question ${key}, only ${questions.map((q) => q.key)}`);
      for (const [property, given] of Object.entries(values)) {
        const name = question.names[property];
        if (!name) throw new Error(`${key} has no ${property}, only ${Object.keys(question.names)}`);
        body.delete(name);
        for (const text of [given].flat()) body.append(name, text);
      }
    }
    body.set('do', 'send');
    return this.#post(form.getAttribute('action'), body);
  }

  #post(action, body) {
    this.sent++;
    return this.open(action, { method: 'POST', body });
  }

  // settled opens the page again while its request is running, as the page
  // itself does without script, and returns the status that follows.
  async settled() {
    while (['running', 'connecting'].includes(this.main.dataset.status)) {
      await new Promise((done) => setTimeout(done, 200));
      await this.open(this.url.pathname);
    }
    return this.main.dataset.status;
  }

  get main() {
    return this.one('main');
  }

  get rounds() {
    return this.all('.ribbon [data-round]');
  }

  // bodies returns the exact bodies of one side, request or response, round by
  // round.
  async bodies(side) {
    return exactBytes(this.rounds.length, (n) => this.#read(exactPath(this.url.pathname, n)), side);
  }

  // exact returns the page of round n with its exact bytes.
  async exact(n) {
    return parse(await this.#read(exactPath(this.url.pathname, n)));
  }

  async #read(path) {
    const url = new URL(path, this.base);
    const cookie = this.cookies.getCookieStringSync(url.href);
    return (await fetch(url, { headers: { cookie } })).text();
  }
}

// exactPath returns the address of round n of an exchange with its exact bytes.
export function exactPath(exchange, n) {
  return `${exchange}?round=${n}&panel=wire&view=exact`;
}

// exactBytes returns the exact bodies of one side in the pages that read returns
// for each round.
export async function exactBytes(rounds, read, side) {
  const bodies = [];
  for (let n = 1; n <= rounds; n++) {
    const body = parse(await read(n)).querySelector(`section[data-frame="${side}"] [data-bytes]`);
    if (body) bodies.push(body.textContent);
  }
  return bodies;
}

// contents returns what a form sends unchanged, without a button. Line breaks are
// sent as CR LF.
function contents(form) {
  const { FormData } = form.ownerDocument.defaultView;
  return new URLSearchParams([...new FormData(form)].map(([name, value]) =>
    [name, value.replace(/\r\n?|\n/g, '\r\n')]));
}
