// One page of each kind, for the tests that hold for all pages.
import { Reader } from './html.mjs';
import { listen } from './servers/wire.mjs';
import { typescript } from './servers/typescript.mjs';
import { connect as client } from './typescript-client.mjs';

// everyPage creates one page of each kind in the program at an address. It returns their
// paths by name, and a function that ends the servers behind them.
export async function everyPage(url) {
  const ts = await typescript();
  const slow = await listen({ silent: { call: () => undefined },
    broken: { call: (message, req, res) => { res.writeHead(500); res.end('no'); } },
    noted: { description: 'every kind of field', inputSchema: everyField, call: () => everyQuestion } });

  const path = (r) => r.url.pathname;
  const begin = async (form, value, values, at = '/') => {
    const r = new Reader(url);
    await r.open(at);
    await r.send(form, value, values);
    if (r.main.dataset.status) await r.settled();
    return r;
  };
  const sample = async (...answers) => {
    const r = await begin('data-start', 'azure-devops');
    for (const answer of answers) {
      await r.send('data-form', 'answers', answer);
      await r.settled();
    }
    return path(r);
  };
  const connect = (to) => begin('action', '/servers', { url: to }, '/test');
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
  const capture = (server) => begin('data-form', 'capture', { server }, '/test');
  const tested = async () => {
    const r = await capture('client-test');
    const c = await client(url, r.one('[data-address]').textContent, { pin: '2026-07-28' });
    for (const name of ['echo_unicode', 'echo_quotes']) await c.callTool({ name, arguments: {} });
    await c.close();
    return path(r);
  };
  const checked = async () => {
    const r = new Reader(url);
    await r.open('/servers/naughty/check?tool=state_unverified');
    const action = r.one('[data-do="check"]').closest('form').getAttribute('action');
    await r.send('action', action, { mine: 'yes' });
    await r.settled();
    return path(r);
  };
  const broken = await call('broken');
  await broken.settled();
  for (const words of ['the first of two', 'the second of two']) await call('noted', { words });
  const complete = await sample({ resolution: 'Duplicate' }, { duplicateOfId: '4301' });
  const id = (at) => at.split('/').at(-1);
  const declined = await sample({ 'a0.action': 'decline' });
  const made = new Reader(url);
  await made.open(complete);
  const share = made.one('a[data-share-link]').getAttribute('href');
  await made.open(share);
  await made.send('data-form', 'share', { do: 'create' });
  const flow = await begin('data-form', 'new-flow', { example: 'refund' }, '/build');
  const pages = {
    landing: '/',
    'what can be tested': '/test',
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
    'exchange complete': complete,
    'the editor of a request': `${await sample({ resolution: 'Duplicate' })}/edit?round=2`,
    'what can be expected': `${complete}/expectation`,
    'exchange declined': declined,
    'exchange failed': path(broken),
    'exchange running': path(await call('silent')),
    'every kind of question': path(await call('noted')),
    'two calls side by side': `/compare?a=${id(complete)}&b=${id(declined)}`,
    'a call that is shared': share,
    'the reader of a link': `/s/${made.url.searchParams.get('made')}`,
    'form of a check': '/servers/confirm/check',
    'report of a check': await checked(),
    'address that waits for a client': path(await capture('azure-devops')),
    'what a client did': await tested(),
    'the field': '/field',
    'facts about one requirement': '/field?requirement=mrtr.echo',
    'what can be built': '/build',
    'the editor of a flow': path(flow),
    'a flow as a program': `${path(flow)}/code/go`,
    'a demo of a flow': `/stories/new?kind=flow&id=${id(path(flow))}`,
    'a demo': '/demos/azure-devops',
    'a slide': '/demos/rolling-upgrade?present=1',
    history: '/history',
    'a session': share.replace(/\/share\?.*/, ''),
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
    'the exercise for clients': '/learn/your-turn/client',
    'reference page': '/learn/reference/http',
    'the requestState workbench': '/state',
    'the workbench with a state': `/state?round=2&x=${(await sample({ resolution: 'Duplicate' })).split('/').at(-1)}`,
    search: '/search?q=state',
    settings: '/settings',
    'for agents': '/learn/reference/agents',
    'error page': '/x/nothing',
  };
  return { pages, close: () => Promise.all([ts.stop(), slow.stop()]) };
}

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
