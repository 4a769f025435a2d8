// The official TypeScript client, with a user and a model who answer by themselves.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

// Each entry is a sample, a call and its expected end.
export const stories = [
  ['azure-devops', tool('update_work_item', { workItemId: 4522, fields: { 'System.State': 'Resolved' } }),
    /Bug #4522 resolved as Duplicate of Bug #4301\. State set to Resolved and duplicate link created\./],
  ['azure-devops', tool('list_work_items'), /Bug #4522/],
  ['rolling-upgrade', tool('link_accounts'), /Linked GitHub as Ada and Google as Ada/],
  ['load-shedding', tool('count_primes', { below: 100000 }), /9592 primes below 100000/],
  ['confirm', tool('delete_records', { table: 'orders' }), /Deleted 1,200,000 records/],
  ['checkout', tool('place_order', { item: 'bike', amount: 900 }), /second factor matched/],
  ['checkout', tool('place_order', { item: 'bell', amount: 20 }), /Ordered bell/],
  ['profile', tool('create_profile'), /Profile of Ada created/],
  ['trip', tool('plan_trip', { destination: 'Lisbon' }), /in Lisbon\. The castle\. To be saved in file:/],
  ['interview', tool('prepare_interview', { role: 'engineer' }), /Ask them: The castle\./],
  ['workspace', tool('describe_workspace'), /home: file:\/\/\/home\/ada/],
  ['sign-in', tool('list_invoices'), /Signed in as a guest/],
  ['wizard', tool('create_project'), /Created the service Ada/],
  ['voucher', tool('redeem_voucher', { value: 25 }), /redeemed for 25 euro/],
  ['prompt-resource', (client) => client.getPrompt({ name: 'review_code', arguments: { language: 'Go' } }),
    /Review this Go code/],
  ['prompt-resource', (client) => client.readResource({ uri: 'report://sales' }), /Sales in Q1/],
  ['slow', tool('wait', { seconds: 1 }), /Waited 1 seconds/],
  ['conformance', tool('test_input_required_result_multi_round'), /likes/],
];

export const before2026 = [['before-mrtr', tool('update_work_item',
  { workItemId: 4522, fields: { 'System.State': 'Resolved' } }), /Duplicate of Bug #4301/]];

function tool(name, args = {}) {
  return (client) => client.callTool({ name, arguments: args });
}

// connect returns a client of the server at a URL. base is the address of the program.
export function connect(base, url, mode) {
  return connectTo(base, new StreamableHTTPClientTransport(new URL(url)), mode);
}

// connectTo returns a client of the server behind a transport.
export async function connectTo(base, transport, mode) {
  const client = new Client({ name: 'mrtr-playground-e2e', version: '1.0.0' }, {
    capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
    versionNegotiation: { mode },
  });
  client.setRequestHandler('elicitation/create', ({ params }) => elicit(base, params));
  client.setRequestHandler('sampling/createMessage', ({ params }) => sample(params));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home/ada', name: 'home' }] }));
  await client.connect(transport);
  return client;
}

// elicit accepts. For a link, it does on the linked page what a user would.
async function elicit(base, params) {
  if (params.mode === 'url') {
    const link = new URL(params.url);
    const body = new URLSearchParams({ ticket: link.searchParams.get('ticket'), person: 'anonymous' });
    const page = await fetch(base + link.pathname, { method: 'POST', body });
    assert.equal(page.status, 200, await page.text());
    return { action: 'accept' };
  }
  const content = {};
  for (const [name, field] of Object.entries(params.requestedSchema.properties)) content[name] = value(name,
    field, params.message);
  return { action: 'accept', content };
}

function value(name, field, message) {
  const choices = field.enum ?? field.oneOf?.map((c) => c.const);
  if (name === 'duplicateOfId') return 4301;
  if (choices?.includes('Duplicate')) return 'Duplicate';
  if (choices) return choices.find((c) => message.includes(`shows ${c}`)) ?? choices[0];
  switch (field.type) {
    case 'boolean': return true;
    case 'array': return [field.items.enum?.[0] ?? field.items.anyOf[0].const];
    case 'integer':
    case 'number': return field.default ?? field.minimum ?? 1;
  }
  return { email: 'ada@example.com', uri: 'https://example.com/', date: '1815-12-10',
    'date-time': '2026-07-28T12:00:00Z' }[field.format] ?? 'Ada';
}

// sample acts as the model: it uses a tool once if there is one.
function sample(params) {
  const message = { role: 'assistant', model: 'test' };
  if (params.tools && params.toolChoice?.mode !== 'none' && !JSON.stringify(params.messages).includes('tool_result')) {
    return { ...message, stopReason: 'toolUse',
      content: [{ type: 'tool_use', id: 'u1', name: 'role_profile', input: { role: 'engineer' } }] };
  }
  return { ...message, stopReason: 'endTurn', content: { type: 'text', text: 'The castle.' } };
}
