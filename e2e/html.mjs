// Reads a page the way a browser without script does: which forms there are,
// what they would send, and where the redirects lead. No more HTML than the
// program's own pages need.

const names = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

export function decode(text) {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return names[name] ?? all;
  });
}

const tags = /<(\/?)([a-z][\w:-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi;

function attributes(text) {
  const found = {};
  for (const [, name, double, single, bare] of text.matchAll(/([^\s=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g)) {
    found[name.toLowerCase()] = decode(double ?? single ?? bare ?? '');
  }
  return found;
}

// elements are all start tags with their attributes, and the text up to the
// next tag of the same name's end.
export function elements(html) {
  const list = [];
  for (const tag of html.matchAll(tags)) {
    if (tag[1]) continue;
    const start = tag.index + tag[0].length;
    const name = tag[2].toLowerCase();
    list.push({
      name,
      attributes: attributes(tag[3]),
      index: tag.index,
      get text() {
        const end = html.indexOf(`</${name}`, start);
        return decode(html.slice(start, end).replace(tags, ''));
      },
    });
  }
  return list;
}

// one is the first element with this attribute (and value).
export function one(html, attribute, value) {
  const found = elements(html).find((e) => attribute in e.attributes && (value === undefined || e.attributes[attribute] === value));
  if (!found) throw new Error(`the page has no [${attribute}${value === undefined ? '' : `="${value}"`}]:\n${html.slice(0, 2000)}`);
  return found;
}

// inner is the text inside the first element with this attribute, whatever is
// nested in it.
export function inner(html, attribute, value) {
  const { name, index } = one(html, attribute, value);
  let depth = 0;
  for (const tag of html.slice(index).matchAll(tags)) {
    if (tag[2].toLowerCase() !== name) continue;
    depth += tag[1] ? -1 : 1;
    if (depth === 0) return decode(html.slice(index, index + tag.index).replace(tags, ''));
  }
  throw new Error(`<${name} ${attribute}> has no end`);
}

// form is the form with this attribute: where it goes, and what it would send
// as it stands.
export function form(html, attribute, value) {
  const all = elements(html);
  const start = all.find((e) => e.name === 'form' && e.attributes[attribute] === value);
  if (!start) throw new Error(`the page has no form[${attribute}="${value}"]:\n${html.slice(0, 2000)}`);
  const end = html.indexOf('</form', start.index);
  const inside = all.filter((e) => e.index > start.index && e.index < end);
  return {
    action: start.attributes.action,
    fields: controls(inside),
    sends: new URLSearchParams(inside.flatMap(sent(inside))),
  };
}

// controls maps a field of a question to the name of its control.
function controls(inside) {
  const found = {};
  for (const e of inside) if (e.attributes['data-field'] !== undefined) found[e.attributes['data-field']] = e.attributes.name;
  return found;
}

const sent = (inside) => (e) => {
  const { name, type, value = '', checked, disabled } = e.attributes;
  if (!name || disabled !== undefined) return [];
  if (e.name === 'textarea') return [[name, e.text.replace(/^\n/, '')]];
  if (e.name === 'select') return [[name, chosen(inside, e)]];
  if (e.name !== 'input') return [];
  if (type === 'radio' || type === 'checkbox') return checked === undefined ? [] : [[name, value || 'on']];
  return [[name, value]];
};

function chosen(inside, select) {
  const next = inside.find((e) => e.name === 'select' && e.index > select.index)?.index ?? Infinity;
  const options = inside.filter((e) => e.name === 'option' && e.index > select.index && e.index < next);
  const option = options.find((o) => o.attributes.selected !== undefined) ?? options[0];
  return option?.attributes.value ?? '';
}

// Reader goes from page to page by plain HTTP.
export class Reader {
  sent = 0; // forms
  #cookies = new Map();

  constructor(base) {
    this.base = base;
  }

  async open(path, init = {}) {
    let url = new URL(path, this.base);
    for (let hops = 0; hops < 5; hops++) {
      const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie: this.#cookie() } });
      for (const line of response.headers.getSetCookie()) {
        const [pair] = line.split(';');
        this.#cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      if (response.status !== 303) {
        this.url = url;
        this.status = response.status;
        this.html = await response.text();
        return this.html;
      }
      url = new URL(response.headers.get('location'), url);
      init = {};
    }
    throw new Error(`too many redirects: ${url}`);
  }

  #cookie() {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  // send fills the form in and sends it; values go by property, or by control
  // name where no question has such a property.
  async send(attribute, value, values = {}, button = {}) {
    const found = form(this.html, attribute, value);
    for (const [key, text] of Object.entries(values)) found.sends.set(found.fields[key] ?? key, text);
    for (const [key, text] of Object.entries(button)) found.sends.set(key, text);
    this.sent++;
    return this.open(found.action, { method: 'POST', body: found.sends });
  }

  // questions are those of the open form: key, method, and the names of the
  // controls by property; action is the name of the radios of the action.
  get questions() {
    const start = one(this.html, 'data-form', 'answers').index;
    const list = [];
    for (const { attributes: e } of elements(this.html.slice(start, this.html.indexOf('</form', start)))) {
      const question = list.at(-1);
      if (e['data-input-key'] !== undefined) list.push({ key: e['data-input-key'], method: e['data-input-method'], names: {} });
      else if (question && e['data-field'] !== undefined) question.names[e['data-field']] = e.name;
      else if (question && e.type === 'radio' && e.name.endsWith('.action')) question.names.action = e.name;
    }
    return list;
  }

  // answer fills in the open form question by question and sends it as its
  // button does: by key of the question the values of its controls.
  async answer(answers) {
    const { action, sends } = form(this.html, 'data-form', 'answers');
    const questions = this.questions;
    for (const [key, values] of Object.entries(answers)) {
      const question = questions.find((q) => q.key === key);
      if (!question) throw new Error(`${key} is not asked, but ${questions.map((q) => q.key)}`);
      for (const [property, given] of Object.entries(values)) {
        const name = question.names[property];
        if (!name) throw new Error(`${key} has no ${property}, but ${Object.keys(question.names)}`);
        sends.delete(name);
        for (const text of [given].flat()) sends.append(name, text);
      }
    }
    sends.set('do', 'send');
    this.sent++;
    return this.open(action, { method: 'POST', body: sends });
  }

  // settled opens the page again while its request is under way, as the page
  // itself does without script.
  async settled() {
    while (this.main['data-status'] === 'running' || this.main['data-status'] === 'connecting') {
      await new Promise((done) => setTimeout(done, 200));
      await this.open(this.url.pathname);
    }
    return this.main['data-status'];
  }

  get main() {
    return elements(this.html).find((e) => e.name === 'main')?.attributes ?? {};
  }

  // rounds are the rounds on the page with what they are known to be.
  get rounds() {
    return elements(this.html).filter((e) => 'data-round' in e.attributes).map((e) => e.attributes);
  }

  // bodies are the exact bodies on one side, round by round.
  bodies(side) {
    const all = elements(this.html);
    const found = [];
    let inside = null;
    for (const e of all) {
      if ('data-frame' in e.attributes) inside = e.attributes['data-frame'];
      if ('data-bytes' in e.attributes && inside === side) found.push(e.text);
    }
    return found;
  }
}
