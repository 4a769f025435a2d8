// The TypeScript program of which the lessons show lines does what they say: the
// flows are the ones that the Go program goes through (playground/lesson/testdata).
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { started, temporary, tidy } from './program.mjs';

const run = promisify(execFile);
const here = import.meta.dirname;
const lessons = join(here, '../playground/lesson');
const node = join(here, 'node_modules/.bin/node');
const flows = await readFlows();

let dir;
const urls = {};

before(async () => {
  dir = await temporary('lines');
  await copyFile(join(lessons, 'listings/typescript/lessons.ts'), join(dir, 'lessons.ts'));
  await symlink(join(here, 'node_modules'), join(dir, 'node_modules'));
  await mkdir(join(dir, 'shared'));
  const env = { PATH: process.env.PATH, MCP_KEY: 'k'.repeat(32), SHARED: join(dir, 'shared') };
  const instances = { a: { VERSION: '1' }, b: { VERSION: '2' }, c: { USERS: 'demo-alice=alice,demo-bob=bob,demo-guest=guest' } };
  for (const [name, more] of Object.entries(instances)) {
    const child = spawn(node, ['lessons.ts', '0'],
      { cwd: dir, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
    urls[name] = (await started(child)).url;
  }
});
after(tidy);

async function readFlows() {
  const found = {};
  let slug;
  for (const line of (await readFile(join(lessons, 'testdata/lines.txt'), 'utf8')).split('\n')) {
    if (line.startsWith('== ')) found[slug = line.slice(3)] = [];
    else if (line && !line.startsWith('#')) found[slug].push(line);
  }
  return found;
}

// Actor plays a client by hand, as the actor of the Go tests does.
class Actor {
  declared = { elicitation: {} };
  answers = {};
  edits = {};
  id = 0;

  // do executes one line of a flow.
  async do(line) {
    const [, verb, rest = ''] = /^(\S+) ?(.*)$/.exec(line);
    await this[verb](rest);
  }

  async call(rest) {
    const [, at, name, args] = /^(\S+) (\S+) (.*)$/.exec(rest);
    this.url = urls[at];
    this.params = { name, arguments: JSON.parse(args) };
    this.answers = {};
    await this.post('tools/call', this.params, name);
  }

  to(name) { this.url = urls[name]; }

  as(user) { this.user = user === 'anonymous' ? undefined : user; }

  declare(text) { this.declared = JSON.parse(text); }

  answer(rest) {
    const [, name, text] = /^(\S+) (.*)$/.exec(rest);
    if (['accept', 'decline', 'cancel'].includes(text)) this.answers[name] = { action: text };
    else if (/"(role|roots)"/.test(text)) this.answers[name] = JSON.parse(text);
    else this.answers[name] = { action: 'accept', content: JSON.parse(text) };
  }

  async send() {
    const { requestState } = this.got.result;
    const params = { ...this.params, inputResponses: this.answers, requestState, ...this.edits };
    if (Object.keys(this.answers).length === 0) delete params.inputResponses;
    this.answers = {};
    this.edits = {};
    await this.post('tools/call', params, params.name);
  }

  async resend() { await this.post('tools/call', this.sent, this.sent.name); }

  tamper() { this.edits.requestState = changed(this.got.result.requestState, -5); }

  // spare changes bits of the last character that Base64 doesn't use.
  spare() {
    const { requestState } = this.got.result;
    assert.notEqual(requestState.length % 4, 0, 'the last character has no spare bits');
    this.edits.requestState = changed(requestState, -1);
  }

  drop() { this.edits.requestState = undefined; }

  arguments(text) { this.edits.arguments = JSON.parse(text); }

  async request(rest) {
    const [, method, text] = /^(\S+) (.*)$/.exec(rest);
    const params = JSON.parse(text.replaceAll('$task', this.task));
    await this.post(method, params, params.taskId);
  }

  async post(method, params, name) {
    if (!name) return this.order(method, params);
    this.sent = params;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': this.declared,
    };
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, 'Mcp-Name': name,
        ...this.user && { Authorization: `Bearer demo-${this.user}` },
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++this.id, method, params: { ...params, _meta } }),
    });
    this.status = response.status;
    this.challenge = response.headers.get('WWW-Authenticate') ?? '';
    this.got = await response.json();
    this.task = this.got.result?.taskId ?? this.task;
  }

  // older makes a call as a client of 2025-11-25 does that has no session.
  async older(rest) {
    const [, at, name, args] = /^(\S+) (\S+) (.*)$/.exec(rest);
    const response = await fetch(urls[at], {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++this.id, method: 'tools/call',
        params: { name, arguments: JSON.parse(args) } }),
    });
    this.status = response.status;
    const body = await response.text();
    this.got = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body);
  }

  // visit finishes the page of the question.
  async visit() {
    const [question] = Object.values(this.got.result.inputRequests);
    await fetch(question.params.url, { method: 'POST' });
  }

  // get reads a document.
  async get(rest) {
    const [, at, path] = /^(\S+) (\S+)$/.exec(rest);
    this.got = await (await fetch(urls[at] + path)).json();
  }

  // order is the verb post: plain HTTP.
  async order(rest) {
    const [, at, path, text] = /^(\S+) (\S+) (.*)$/.exec(rest);
    const number = this.got?.message?.split(' ').at(-1);
    const body = text.replaceAll('$state', this.got?.state).replaceAll('$number', number);
    const response = await fetch(urls[at] + path, { method: 'POST', body });
    this.status = response.status;
    this.got = await response.json();
  }

  expect(rest) {
    const [, what, want = ''] = /^(\S+) ?(.*)$/.exec(rest);
    const { result, error } = this.got;
    const at = (path) => path.split('.').reduce((value, name) => value?.[name], this.got);
    switch (what) {
      case 'keys': return assert.equal(Object.keys(result.inputRequests).sort().join(' '), want);
      case 'outcome': return assert.equal(outcome(result), want);
      case 'state': return assert.ok(result.requestState);
      case 'unreadable': return assert.ok(!Buffer.from(result.requestState, 'base64url').includes(want));
      case 'text': return assert.ok(result.content[0].text.includes(want), result.content[0].text);
      case 'task': return assert.ok(result.result.content[0].text.includes(want.slice('text '.length)));
      case 'error': return assert.equal(String(error?.code), want);
      case 'refused': return assert.equal(error?.code, -32602);
      case 'http': return assert.equal(String(this.status), want);
      case 'challenge': {
        const [, name, value] = /^(\S+) (.*)$/.exec(want);
        return assert.match(this.challenge, new RegExp(`\\b${name}="${value}"`));
      }
      case 'received': return assert.partialDeepStrictEqual(this.got, JSON.parse(want));
      case 'no': return assert.equal(want === 'state' ? result.requestState : at(want.slice('field '.length)), undefined);
      case 'field': {
        const [, path, value] = /^(\S+) ?(.*)$/.exec(want);
        if (value) return assert.deepEqual(at(path), JSON.parse(value));
        return assert.notEqual(at(path), undefined);
      }
      default: throw new Error(`unknown claim ${what}`);
    }
  }
}

function outcome({ resultType, inputRequests }) {
  return resultType === 'input_required' && !inputRequests ? 'retry' : resultType;
}

// changed returns a state with one other character.
function changed(state, at) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const i = state.length + at;
  return state.slice(0, i) + letters[letters.indexOf(state[i]) ^ 1] + state.slice(i + 1);
}

for (const [slug, lines] of Object.entries(flows)) {
  test(`the lines of ${slug} do what the lesson says`, async () => {
    const actor = new Actor();
    for (const line of lines) {
      await actor.do(line).catch((failed) => { throw new Error(`${line}: ${failed.message}`, { cause: failed }); });
    }
  });
}

test('the client by hand completes a call', async () => {
  const done = await run(node, ['lessons.ts', 'call', urls.a], { cwd: dir });
  const [first, second] = done.stdout.trim().split('\n');
  assert.match(first, /^200 .*"resultType":"input_required"/);
  assert.match(second, /^200 .*Hello, Ada!/);
});
