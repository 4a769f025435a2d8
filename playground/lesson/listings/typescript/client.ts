// A client that answers every question by itself. The SDK does the rounds. Node
// 22.18 or later runs it without a build step. Save it as client.ts in an empty
// folder:
//
//   npm init -y && npm pkg set type=module
//   npm install @modelcontextprotocol/client@2.4.0
//   node client.ts http://127.0.0.1:2322/c/YOUR-TOKEN
//
// The address can also be in MRTR_SERVER_URL. With a name in MRTR_SCENARIO, it calls
// only the tool, prompt or resource of that name.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const address = process.argv[2] ?? process.env.MRTR_SERVER_URL;
if (!address) throw new Error('usage: node client.ts URL');
const only = process.env.MRTR_SCENARIO;

// Pitfall: declare only what has a handler below. Each request repeats it in _meta.
// Pitfall: without tasks in extensions, no server may make a task of a call. This
// SDK has no client for tasks.
const client = new Client({ name: 'typescript-listing', version: '1.0.0' }, {
  capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
  versionNegotiation: { mode: { pin: '2026-07-28' } },
  inputRequired: { maxRounds: 10 }, // Pitfall: a server can ask forever.
});

// The SDK calls a handler for each question, then repeats the call under a new id with
// these answers and the state as it came. An unknown kind of question ends the call.
client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
client.setRequestHandler('sampling/createMessage', () => ({
  role: 'assistant' as const, model: 'none', content: { type: 'text' as const, text: '5' },
}));
client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home/ada/project' }] }));

let called = ''; // Pitfall: a handler gets neither the call nor the key of its question.
let questions = 0; // of this call

// elicit stands for the user: a real client shows the question and waits. What the
// client test wants refused has decline or cancel in its name; of two questions, it
// is the second.
async function elicit(params: any): Promise<any> {
  questions++;
  const action = /decline|cancel/.exec(called)?.[0];
  if (action && (questions === 2 || !called.endsWith('_one'))) return { action }; // no content
  if (params.mode !== 'url') { // Pitfall: no mode means a form.
    return { action: 'accept', content: fill(params.requestedSchema) };
  }
  // Pitfall: a link can be javascript:. Show the user where it leads.
  if (!/^https?:/.test(params.url)) return { action: 'decline' };
  // As the browser of a user who agreed. Pitfall: don't fetch it before, not even for a
  // preview.
  await fetch(params.url);
  return { action: 'accept' }; // Pitfall: accept of a link has no content.
}

type Field = Record<string, any>;

// fill returns values that fit a schema: those of a form, or arguments.
function fill(schema: Field): Field {
  return Object.fromEntries(Object.entries<Field>(schema.properties ?? {})
    .map(([name, field]) => [name, value(name, field)]));
}

function value(name: string, field: Field): unknown {
  const options = field.oneOf ?? field.anyOf;
  if ('default' in field) return field.default; // Pitfall: a field without a change sends its default.
  if (field.enum) return field.enum[0];
  if (options) return options[0].const; // Pitfall: a choice with titles sends its const, not its title.
  switch (field.type) {
    case 'object': return fill(field);
    case 'array': return [value(name, field.items ?? {})];
    case 'boolean': return true;
    case 'integer': case 'number': return Math.max(field.minimum ?? 1, 1);
  }
  return { email: 'ada@example.com', date: '2026-07-28' }[field.format as string] ?? name;
}

// The arguments that the client test asks for. Others are filled in.
const asked: Record<string, Field> = {
  mirror_unicode: { text: 'Größe' }, mirror_nothing: { text: null },
  mirror_sentinel: { text: '=?base64?YQ==?=' },
};

// call prints how a call ended. Pitfall: when the time is over, the SDK closes the
// connection, which cancels the request. Don't repeat it: it may have done its work.
async function call(name: string, make: (options: { timeout: number }) => Promise<unknown>) {
  if (only && name !== only && !name.endsWith(`/${only}`)) return;
  [called, questions] = [name, 0];
  const ended = await make({ timeout: 10_000 }).then(() => 'complete', (error) => `${error.message}`);
  console.log(`${name}: ${ended.slice(0, 200)}`);
}

await client.connect(new StreamableHTTPClientTransport(new URL(address)));
const offers = client.getServerCapabilities() ?? {}; // Pitfall: ask only for what the server has.
if (offers.tools) {
  // The SDK reads all pages. It drops tools with invalid names of headers, and sends
  // the headers that the others want.
  for (const tool of (await client.listTools()).tools) {
    const params = { name: tool.name, arguments: asked[tool.name] ?? fill(tool.inputSchema) };
    const make = () => call(tool.name, (options) => client.callTool(params, options));
    await Promise.all(tool.name === 'parallel_calls' ? [make(), make()] : [make()]);
  }
}
if (offers.prompts) {
  for (const { name } of (await client.listPrompts()).prompts) {
    await call(name, (options) => client.getPrompt({ name }, options));
  }
}
if (offers.resources) {
  for (const { uri } of (await client.listResources()).resources) {
    await call(uri, (options) => client.readResource({ uri }, options));
  }
  // Pitfall: a cursor can expire between two pages. Begin again, once.
  await client.listResourceTemplates().catch(() => client.listResourceTemplates());
}
await client.close();
