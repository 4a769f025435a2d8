// Third-party servers, and our own servers on third-party SDKs. Each call
// completes through the HTML forms of the pages, without script or browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Reader } from './html.mjs';
import { start, tidy } from './program.mjs';
import { asks } from './servers/asks.mjs';
import { goSDK, mcpGo, serverEverything } from './servers/programs.mjs';

const starts = {
  'go-sdk everything-server': goSDK,
  'TypeScript SDK': asks,
  'mcp-go': mcpGo,
  'mcp-go, only 2025-11-25': () => mcpGo('2025-11-25'),
  'server-everything': serverEverything,
};

// Each call: the server, the tool and its arguments; for each round the answers by
// key, none if the round asks nothing; the text on the page at the end; and the
// status of the call.
const calls = [
  ['go-sdk everything-server', 'test_input_required_result_elicitation', {},
    [{ user_name: { name: 'Ada' } }], /Hello, Ada!/],
  ['go-sdk everything-server', 'test_input_required_result_sampling', {},
    [{ capital_question: { text: 'Paris' } }], /Sampling response: Paris/],
  ['go-sdk everything-server', 'test_input_required_result_list_roots', {},
    [{ client_roots: { uri: ['file:///one', 'file:///two'], name: ['One', ''] } }],
    /Client exposed 2 root\(s\): file:\/\/\/one, file:\/\/\/two/],
  ['go-sdk everything-server', 'test_input_required_result_request_state', {},
    [{ confirm: { ok: 'true' } }], /state-ok/],
  ['go-sdk everything-server', 'test_input_required_result_multiple_inputs', {},
    [{ client_roots: { uri: 'file:///home' }, greeting: { text: 'Good day,' },
    user_name: { name: 'Ada' } }], /Good day, Ada — 1 root\(s\) visible/],
  ['go-sdk everything-server', 'test_input_required_result_multi_round', {},
    [{ step1: { name: 'Ada' } }, { step2: { color: 'violet' } }], /Ada likes violet/],
  ['go-sdk everything-server', 'test_input_required_result_prompt', {},
    [{ user_context: { context: 'a test' } }], /Context: a test/],

  ['TypeScript SDK', 'form', {}, [{ order: { name: 'Ada', email: 'ada@example.com', loaves: '2',
    weight: '1.5', sliced: 'true', gift: 'false', bread: 'spelt', spread: 'j', seeds: ['poppy', 'flax'] } }],
    /accept \{"name":"Ada","email":"ada@example\.com","loaves":2,"weight":1\.5,"sliced":true,"gift":false,"bread":"spelt","spread":"j","seeds":\["poppy","flax"\]\}/],
  ['TypeScript SDK', 'form', {}, [{ order: { action: 'decline' } }], /decline null/, 'declined'],
  ['TypeScript SDK', 'form', {}, [{ order: { action: 'cancel' } }], /cancel null/, 'cancelled'],
  ['TypeScript SDK', 'link', {}, [{ login: { action: 'accept' } }], /accept null for 7/],
  ['TypeScript SDK', 'link', {}, [{ login: { action: 'decline' } }], /decline null for 7/, 'declined'],
  ['TypeScript SDK', 'model', {}, [{ summary: { text: 'Bread, mostly.' } }],
    /assistant said: Bread, mostly\./],
  ['TypeScript SDK', 'roots', {}, [{ where: { uri: 'file:///bakery', name: 'Bakery' } }],
    /file:\/\/\/bakery \(Bakery\)/],
  ['TypeScript SDK', 'state', {}, [{}, {}], /third time lucky/],
  ['TypeScript SDK', 'all', {}, [{ who: { name: 'Ada' }, model: { text: 'Good day' },
    roots: { uri: 'file:///home' } }], /Ada: Good day \(1\)/],

  ['mcp-go', 'order', { bread: 'rye' }, [{ amount: { loaves: '3' } }], /ordered 3 of rye/],
  ['mcp-go', 'order', { bread: 'rye' }, [{ amount: { action: 'decline' } }],
    /nothing was ordered/, 'declined'],
  ['mcp-go', 'wrap', {}, [{ paper: { paper: 'brown paper' } }, { ribbon: { ribbon: 'red' } }],
    /wrapped in brown paper with a red ribbon/],
  ['mcp-go', 'inspect', {}, [{ who: { name: 'Ada' }, says: { text: 'warm' },
    where: { uri: 'file:///bakery' } }], /Ada heard "warm" in file:\/\/\/bakery/],
  ['mcp-go', 'queue', {}, [{}], /served with ticket 7/],
  ['mcp-go', 'price', { loaves: '4' }, [], /12 coins/],
];

// The same for servers that ask with their own requests while the call is open.
// Their questions have no keys and come one by one or together. So the answers are
// listed by method, and each question gets those that it has a control for.
const older = [
  ['mcp-go, only 2025-11-25', 'order', { bread: 'rye' }, { 'elicitation/create': { loaves: '3' } },
    /ordered 3 of rye/],
  ['mcp-go, only 2025-11-25', 'order', { bread: 'rye' }, { 'elicitation/create': { action: 'decline' } },
    /nothing was ordered/, 'declined'],
  ['mcp-go, only 2025-11-25', 'wrap', {}, { 'elicitation/create': { paper: 'brown paper', ribbon: 'red' } },
    /wrapped in brown paper with a red ribbon/],
  ['mcp-go, only 2025-11-25', 'inspect', {},
    { 'elicitation/create': { name: 'Ada' }, 'sampling/createMessage': { text: 'warm' } },
    /Ada heard "warm" in file:\/\/\/bakery/, 'complete', { uri: 'file:///bakery', name: '' }],
  ['mcp-go, only 2025-11-25', 'price', { loaves: '4' }, {}, /12 coins/],

  ['server-everything', 'trigger-elicitation-request', {},
    { 'elicitation/create': { name: 'Ada', check: 'true', email: 'ada@example.com', integer: '7' } },
    /Favorite Integer: 7/],
  ['server-everything', 'trigger-elicitation-request', {}, { 'elicitation/create': { action: 'decline' } },
    /User declined/, 'declined'],
  ['server-everything', 'trigger-elicitation-request', {}, { 'elicitation/create': { action: 'cancel' } },
    /User cancelled/, 'cancelled'],
  ['server-everything', 'trigger-url-elicitation',
    { url: 'https://login.example.com/', message: 'Log in.' },
    { 'elicitation/create': { action: 'accept' } }, /User completed the URL elicitation flow/],
  ['server-everything', 'trigger-sampling-request', { prompt: 'hello' },
    { 'sampling/createMessage': { text: 'good day' } }, /"text": "good day"/],
  ['server-everything', 'get-roots-list', {}, {}, /1\. Home\s+URI: file:\/\/\/home\/ada/, 'complete',
    { uri: 'file:///home/ada', name: 'Home' }],
  ['server-everything', 'echo', { message: 'back' }, {}, /Echo: back/],
];

let program;
const peers = {};
before(async () => {
  program = await start();
  await Promise.all(Object.entries(starts).map(async ([name, begin]) => { peers[name] = await begin(); }));
});
after(async () => {
  await Promise.all(Object.values(peers).map((peer) => peer.stop()));
  await tidy();
});

// call takes a visitor from the URL of a server to a running call.
async function call(peer, tool, args) {
  const r = new Reader(program.url);
  await r.open('/test');
  await r.send('action', '/servers', { url: peers[peer].url });
  assert.equal(await r.settled(), 'connected');
  await r.call(tool, args);
  return r;
}

for (const [peer, tool, args, rounds, end, status = 'complete'] of calls) {
  test([`${peer}: ${tool}`, ...rounds.map((answers) => JSON.stringify(answers))].join(', '), async () => {
    const r = await call(peer, tool, args);
    for (const answers of rounds) {
      assert.equal(await r.settled(), 'waiting');
      assert.deepEqual(r.questions.map((q) => q.key).sort(), Object.keys(answers).sort());
      await r.answer(answers);
    }
    assert.equal(await r.settled(), status);
    assert.match(r.one('[data-result]').textContent, end);
    assert.equal(r.rounds.length, rounds.length + 1);
    assert.deepEqual(await failures(r), []);
  });
}

// Servers from before 2026-07-28 ask for the roots outside the call, which get those of
// the settings: server-everything a moment after it was connected, whatever is called then.
for (const [peer, tool, args, answers, end, status = 'complete', roots] of older) {
  test([`${peer}: ${tool}`, JSON.stringify(answers)].join(', '), async () => {
    if (roots) {
      const settings = new Reader(program.url);
      await settings.open('/settings');
      await settings.send('data-form', 'roots', roots);
    }
    const r = await call(peer, tool, args);
    const methods = new Set();
    while (await r.settled() === 'waiting') {
      await r.answer(Object.fromEntries(r.questions.map(({ key, method, names }) => {
        const answer = answers[method];
        assert.ok(answer, `${method} was asked`);
        methods.add(method);
        return [key, Object.fromEntries(Object.entries(answer)
          .filter(([property]) => names[property]))];
      })));
      assert.equal(r.status, 200, r.all('.problem').map((e) => e.textContent).join());
    }
    assert.equal(r.main.dataset.status, status);
    assert.match(r.one('[data-result]').textContent, end);
    assert.deepEqual([...methods].sort(), Object.keys(answers).sort());
  });
}

// failures returns the rules that failed, as the page shows them.
async function failures(r) {
  await r.open(`${r.url.pathname}?panel=rules`);
  assert.ok(r.all('[data-rule]').length > 0, 'the panel is open');
  return r.all('[data-verdict="fail"]').map((e) => `${e.dataset.rule}: ${e.textContent}`);
}
