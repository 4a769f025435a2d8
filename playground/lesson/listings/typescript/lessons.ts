// A server with one tool per lesson. The lines between // [slug] and // [/slug]
// are those that the lesson shows. Below them, it shows what they name. Node
// 22.18 or later runs it as it is:
//
//   MCP_KEY=$(openssl rand -hex 32) node lessons.ts 8080
import { createCipheriv, createDecipheriv, createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { access, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  CLIENT_CAPABILITIES_META_KEY, createMcpHandler, fromJsonSchema, getOAuthProtectedResourceMetadataUrl,
  inputRequired, inputResponse, MissingRequiredClientCapabilityError, OAuthError, OAuthErrorCode,
  oauthMetadataResponse, ProtocolError, ProtocolErrorCode, requireBearerAuth, Server, type ClientCapabilities, type ServerContext,
} from '@modelcontextprotocol/server';

// MCP_KEY and SHARED are the same for all instances.
const key = createHash('sha256').update(process.env.MCP_KEY ?? '').digest();
const shared = process.env.SHARED ?? tmpdir();
let address = ''; // of this server
const users = new Map((process.env.USERS ?? '').split(',').filter(Boolean).map((pair) => pair.split('=') as [string, string]));

// What the server has to remember between two rounds.
type Memory = { answers?: Answers; done?: number; sum?: number; id?: string };
type Answers = Record<string, unknown>;
type Arguments = { workItemId?: number; city?: string; below?: number; name?: string };

// One request: the call, the answers to the latest questions, and the context.
type Round = { name: string; args: Arguments; answers: Answers; ctx: ServerContext };
type Tool = (round: Round) => unknown;

const greet: Tool = ({ answers }) => {
  // [why]
  const answer = inputResponse(answers, 'name');
  if (answer.kind !== 'elicit') {
    // The request ends with this result. No process waits for the answer.
    return ask('name', 'What is your name?', { type: 'string' });
  }
  // The same call again, with the answer. Another instance may have asked.
  const name = answer.content?.name;
  if (answer.action !== 'accept' || typeof name !== 'string') return say('Hello!');
  return say(`Hello, ${name}!`);
  // [/why]
};

const closeTask: Tool = ({ args, answers }) => {
  // [one-round]
  const answer = inputResponse(answers, 'completed_work');
  if (answer.kind !== 'elicit') {
    const question = inputRequired.elicit({
      message: `Hours of work on task #${args.workItemId}?`,
      requestedSchema: field('hours', { type: 'number' }),
    });
    return inputRequired({ inputRequests: { completed_work: question } }); // your key
  }
  const hours = answer.content?.hours; // the SDK doesn't check answers
  if (answer.action !== 'accept' || typeof hours !== 'number') {
    return say('The task stays open.');
  }
  return say(`Task #${args.workItemId} closed after ${hours} hours.`);
  // [/one-round]
};

const resolveBug: Tool = (round) => {
  const { answers } = round;
  // [rounds]
  const kept = recall(round); // what the state remembers: nothing in rounds 1 and 2
  const resolution = form(kept.answers, 'resolution') ?? form(answers, 'resolution');
  const original = form(answers, 'duplicate_of');
  if (!resolution) {
    const either = { type: 'string', enum: ['Fixed', 'Duplicate'] } as const;
    return ask('resolution', 'Which resolution?', either);
  }
  if (resolution.content?.resolution === 'Duplicate' && !original) {
    // The client answers only the latest question, so the state has the first answer.
    const requestState = seal(about(round), { answers: { resolution } });
    return ask('duplicate_of', 'Of which bug?', { type: 'integer' }, requestState);
  }
  return say(resolved(resolution, original));
  // [/rounds]
};

// Both questions can be declined, and the SDK doesn't check answers.
function resolved(resolution: Form, original?: Form) {
  if (resolution.content?.resolution === 'Fixed') return 'Resolved as fixed.';
  if (typeof original?.content?.id === 'number') return `Resolved as a duplicate of bug ${original.content.id}.`;
  return 'The bug stays open.';
}

const prompt = { role: 'user' as const, content: { type: 'text' as const, text: 'One sight, please.' } };

const tripInputs = () => ({
  wishes: inputRequired.elicit({ message: 'What do you like?', requestedSchema: mood }),
  // [questions]
  ideas: inputRequired.createMessage({ maxTokens: 100, messages: [prompt] }),
  // [/questions]
  folders: inputRequired.listRoots(),
});

const planTrip: Tool = (round) => {
  const { have, result } = collect(round, tripInputs());
  if (result) return result;
  // An answer doesn't say its kind. The key does, so check that they agree.
  const wishes = inputResponse(have, 'wishes');
  const folders = inputResponse(have, 'folders');
  // [questions]
  const ideas = inputResponse(have, 'ideas'); // a model's answer has the kind sampling
  const idea = ideas.kind === 'sampling' ? firstText(ideas.result.content) : '';
  // [/questions]
  if (wishes.kind !== 'elicit' || ideas.kind !== 'sampling' || folders.kind !== 'roots') {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'an answer of another kind');
  }
  if (wishes.action !== 'accept') return say('No trip.');
  return say(`${wishes.content?.mood} in ${round.args.city}, ${folders.roots.length} folders. ${idea}`);
};

// The first text that a model wrote. The content is one block, or a list of them.
function firstText(content: object | object[]) {
  for (const block of [content].flat()) if ('text' in block) return block.text;
  return '';
}

const deleteRecords: Tool = ({ answers }) => {
  // [saying-no]
  const answer = form(answers, 'confirm');
  if (!answer) return ask('confirm', 'Delete old orders?', { type: 'boolean' });
  switch (answer.action) {
    case 'accept': // means submitted, not yes
      if (answer.content?.confirm === true) return say('Deleted.');
      return say('Nothing was deleted: the box was not ticked.');
    case 'decline':
      return say('Nothing was deleted: the person said no. Do not try again.');
    default:
      return say('Nothing was deleted: the form was closed. It may be asked again.');
  }
  // [/saying-no]
};

const connect: Tool = async (round) => {
  const answer = form(round.answers, 'connect');
  const visit = recall(round).id ?? randomUUID();
  const requestState = seal(about(round), { id: visit });
  // [url-mode]
  // visit names this visit. It is in the link, and comes back in the state.
  const url = `${address}/connect?visit=${visit}`;
  if (answer && answer.action !== 'accept') return say('Not connected.');
  // Whether it is finished is in a record of the server: the page has the key.
  if (await isFinished(visit)) return say('Connected.');
  // accept means "I agree to open it", so ask until the page is finished.
  const question = inputRequired.elicitUrl({ message: 'Enter your key.', url });
  return inputRequired({ inputRequests: { connect: question }, requestState });
  // [/url-mode]
};

// The record of a visit, in a directory that all instances share.
const recordOf = (visit: string) => join(shared, `visit-${basename(visit)}`);

const isFinished = (visit: string) => access(recordOf(visit)).then(() => true, () => false);

const welcome: Tool = ({ args, answers, ctx }) => {
  // [legacy]
  const name = args.name ?? form(answers, 'name')?.content?.name;
  if (typeof name === 'string') return say(`Welcome, ${name}!`);
  if (!isModern(ctx)) { // Without a session, an older client can't be asked.
    return fail('welcome needs the argument name from this client');
  }
  return ask('name', 'What is your name?', { type: 'string' });
  // [/legacy]
};

// Only a request of 2026-07-28 or later has an envelope: what _meta says of it.
const isModern = (ctx: ServerContext) => ctx.mcpReq.envelope !== undefined;

const countPrimes: Tool = (round) => {
  const below = Math.min(round.args.below ?? 0, 1_000_000);
  // [nothing-to-ask]
  let { done = 0, sum = 0 } = recall(round); // the state, opened
  for (let stage = done; stage < 10; stage++) {
    if (stage === done + 6) { // Six stages are enough for one request.
      const requestState = seal(about(round), { done: stage, sum });
      return inputRequired({ requestState }); // only a state
    }
    sum += primesIn(below * stage / 10, below * (stage + 1) / 10);
  }
  return say(`${sum} primes below ${below}`);
  // [/nothing-to-ask]
};

function primesIn(from: number, to: number) {
  let count = 0;
  for (let n = Math.max(Math.ceil(from), 2); n < to; n++) {
    let d = 2;
    while (d * d <= n && n % d) d++;
    if (d * d > n) count++;
  }
  return count;
}

type Questions = Record<string, ReturnType<typeof inputRequired.elicit>>;

// collect returns the answers to all inputs, or a result that asks for those that
// are missing.
function collect(round: Round, inputs: Questions) {
  const kept = recall(round);
  // [rolling-upgrade]
  const have: Answers = {}, missing: Questions = {};
  for (const [key, question] of Object.entries(inputs)) { // this version's
    // Other keys are ignored. The state is maybe of another version.
    const answer = kept.answers?.[key] ?? round.answers[key]; // no late answer changes it
    if (answer) have[key] = answer;
    else missing[key] = question;
  }
  if (Object.keys(missing).length === 0) return { have };
  // [/rolling-upgrade]
  const requestState = Object.keys(have).length ? seal(about(round), { answers: have }) : undefined;
  return { have, result: inputRequired({ inputRequests: missing, requestState }) };
}

const services = process.env.VERSION === '1' ? ['github', 'google'] : ['github', 'microsoft'];

const linkAccounts: Tool = (round) => {
  const inputs = Object.fromEntries(services.map((name) => [name, inputRequired.elicit(
    { message: `Your name at ${name}?`, requestedSchema: field('name', { type: 'string' }) })]));
  const { have, result } = collect(round, inputs);
  if (result) return result;
  return say('Linked' + services.map((name) => ` ${name}=${form(have, name)?.content?.name}`).join(''));
};

// [sealed-state]
function seal(about: string, memory: Memory) {
  const nonce = randomBytes(12);
  const aes = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  const claims = JSON.stringify({ ...memory, expires: Date.now() + 600_000 });
  const parts = [nonce, aes.update(claims), aes.final(), aes.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}
function open(about: string, state: string): Memory {
  const data = Buffer.from(state, 'base64url'); // not strict by itself
  if (data.length < 28 || data.toString('base64url') !== state) throw new Error();
  const aes = createDecipheriv('aes-256-gcm', key, data.subarray(0, 12));
  aes.setAAD(Buffer.from(about)).setAuthTag(data.subarray(-16));
  return fresh(JSON.parse(`${aes.update(data.subarray(12, -16))}${aes.final()}`));
}
// [/sealed-state]

// fresh throws if a state has expired.
function fresh(memory: Memory & { expires: number }) {
  if (memory.expires <= Date.now()) throw new Error();
  return memory;
}

// recall returns what the state of a request remembers: nothing in round 1.
function recall(round: Round): Memory {
  const state = round.ctx.mcpReq.requestState<string>();
  if (!state) return {};
  try {
    return open(about(round), state);
  } catch { // not ours, changed, too old, or of another user or call: the same words for all
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState was not accepted; start the call again without it');
  }
}

const redeem: Tool = async (round) => {
  const answer = form(round.answers, 'redeem');
  // [attacks]
  const { id } = recall(round); // the state, opened
  if (!id || !answer) {
    const state = seal(about(round), { id: randomUUID() }); // of this one voucher
    return ask('redeem', 'Redeem it?', { type: 'boolean' }, state);
  }
  if (answer.action !== 'accept' || answer.content?.redeem !== true) {
    return say('The voucher was not redeemed.');
  }
  // The same retry can come twice. One of the two creates the record, as with a
  // unique key in a database. All instances share the records.
  const record = join(shared, id);
  const first = await writeFile(record, '', { flag: 'wx' }).then(() => true, exists);
  if (!first) return fail('This voucher was redeemed before; it counts once.');
  return say('The voucher was redeemed for 25 euro.');
  // [/attacks]
};

function exists(error: NodeJS.ErrnoException) {
  if (error.code !== 'EEXIST') throw error;
  return false;
}

// [who-are-you]
// What a state is bound to: the user and the call. The token is not in it,
// because a new token of the same user must be able to continue.
function about({ name, args, ctx }: Round) {
  const user = ctx.http?.authInfo?.extra?.user ?? ''; // verified; '' is anonymous
  return JSON.stringify([user, name, sorted(args)]);
}
// [/who-are-you]

// sorted returns the arguments in one order, whatever the order of the client.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v)]);
}

// The verifier stands for your authorization server. It knows the tokens of USERS, and
// a guest may not write. Yours checks the signature, the expiry and the audience.
const verifier = {
  async verifyAccessToken(token: string) {
    const user = users.get(token);
    if (!user) throw new OAuthError(OAuthErrorCode.InvalidToken, 'unknown token');
    const scopes = user === 'guest' ? [] : ['bugs:write'];
    return { token, clientId: 'any', scopes, expiresAt: Date.now() / 1000 + 60, extra: { user } };
  },
};

// protect answers a request for the metadata, or one without a token that is enough.
// To any other, it returns whose token it is.
async function protect(request: Request) {
  // [signing-in]
  const resource = new URL(address); // tokens name it as their audience: see verifier
  const metadata = oauthMetadataResponse(request, {
    resourceServerUrl: resource,
    oauthMetadata: login, // of your authorization server
    scopesSupported: ['bugs:write'],
  });
  if (metadata) return metadata;
  const gate = requireBearerAuth({
    verifier,
    // The challenge of a 401 or 403: where the metadata is, and what to ask for.
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
    requiredScopes: ['bugs:write'], // a token without it gets 403
  });
  return gate(request);
  // [/signing-in]
}

const login = {
  issuer: 'https://login.example.com',
  authorization_endpoint: 'https://login.example.com/authorize',
  token_endpoint: 'https://login.example.com/token',
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};

// The capabilities that this request declares.
const declared = (ctx: ServerContext): ClientCapabilities =>
  (ctx.mcpReq.envelope as any)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};

// Whether a client shows a question: a page to open, or a form. An empty object
// means forms only.
const shows = ({ elicitation: can }: ClientCapabilities, mode: string) =>
  mode === 'url' ? can?.url : can && (can.form || !can.url);

type Question = { method: string; params?: { mode?: string } };

// mayAsk rejects a request that didn't declare what a question needs. The SDK does
// the same for what a tool returns, so this is for tools that want to know before.
function mayAsk(ctx: ServerContext, questions: Record<string, Question>) {
  // [questions]
  const can = declared(ctx); // of this request
  const need: Record<string, object> = {};
  for (const { method, params } of Object.values(questions)) {
    const mode = method === 'elicitation/create' && (params?.mode ?? 'form');
    if (mode && !shows(can, mode)) need.elicitation = { [mode]: {} };
    if (method === 'sampling/createMessage' && !can.sampling) need.sampling = {};
    if (method === 'roots/list' && !can.roots) need.roots = {};
  }
  if (Object.keys(need).length > 0) { // error -32021
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: need });
  }
  // [/questions]
}

// With several instances, the tasks have to be in a store that all of them share.
const tasks = new Map<string, { taskId: string; createdAt: string; tone?: string }>();
const tasksExtension = 'io.modelcontextprotocol/tasks';

const report: Tool = ({ ctx }) => {
  if (!declared(ctx).extensions?.[tasksExtension]) return say('A report without questions.');
  const task = { taskId: randomUUID(), createdAt: new Date().toISOString() };
  tasks.set(task.taskId, task);
  return { ...describe(task), resultType: 'task', status: 'working' };
};

function getTask({ taskId }: { taskId: string }) {
  // [tasks]
  const task = tasks.get(taskId);
  if (!task) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown taskId');
  if (!task.tone) { // tasks/update stores the answer
    // The request is complete. The task is what needs input.
    const inputRequests = { 'tone-1': tone };
    return { ...describe(task), status: 'input_required', inputRequests };
  }
  const result = say(`A ${task.tone} report.`);
  return { ...describe(task), status: 'completed', result };
  // [/tasks]
}

function updateTask({ taskId }: { taskId: string }, ctx: ServerContext) {
  const task = tasks.get(taskId);
  if (!task) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown taskId');
  const chosen = form(ctx.mcpReq.inputResponses, 'tone-1')?.content?.tone;
  if (typeof chosen === 'string') task.tone = chosen;
  return {};
}

const describe = ({ taskId, createdAt }: { taskId: string; createdAt: string }) =>
  ({ resultType: 'complete', taskId, createdAt, lastUpdatedAt: createdAt, ttlMs: 600_000, pollIntervalMs: 200 });

type Reply = (code: number, body: object) => void;

// The checkout without MCP: a JSON API of one's own.
function order({ item, state, answer }: { item: string; state?: string; answer?: string }, reply: Reply) {
  // [without-mcp]
  const about = JSON.stringify(['order', item]); // the order, not the answer
  if (!state) {
    const number = String(randomInt(10, 100));
    // Sealed, because it has the right number.
    const state = seal(about, { id: number });
    const message = `Your banking app shows ${number}`;
    return reply(200, { status: 'input_required', message, state });
  }
  const kept = opened(about, state); // undefined: of another order, changed, or too old
  if (!kept || kept.id !== answer) return reply(400, { status: 'refused' });
  return reply(200, { status: 'complete', message: `Ordered ${item}.` });
  // [/without-mcp]
}

function opened(about: string, state: string) {
  try {
    return open(about, state);
  } catch {
    return undefined;
  }
}

type Form = Extract<ReturnType<typeof inputResponse>, { kind: 'elicit' }>;

// form returns the answer to a form, if there is one.
function form(answers: Answers | undefined, name: string): Form | undefined {
  const answer = inputResponse(answers, name);
  return answer.kind === 'elicit' ? answer : undefined;
}

type Field = { type: 'string' | 'boolean' | 'number' | 'integer'; enum?: readonly string[] };

const field = (name: string, schema: Field) =>
  ({ type: 'object', properties: { [name]: schema }, required: [name] }) as any;

const mood = field('mood', { type: 'string' });
const tone = inputRequired.elicit({ message: 'Which tone?', requestedSchema: field('tone', { type: 'string' }) });

const fields: Record<string, string> = { duplicate_of: 'id' };

const ask = (name: string, message: string, schema: Field, requestState?: string) => inputRequired({
  inputRequests: { [name]: inputRequired.elicit({ message, requestedSchema: field(fields[name] ?? name, schema) }) },
  requestState,
});

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const fail = (text: string) => ({ ...say(text), isError: true });

const tools: Record<string, Tool> = {
  greet, close_task: closeTask, resolve_bug: resolveBug, plan_trip: planTrip, delete_records: deleteRecords,
  count_primes: countPrimes, link_accounts: linkAccounts, redeem, report, connect, welcome,
};

// The low-level Server, so that a tool can end with a JSON-RPC error: McpServer
// makes a tool error of it.
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'lessons', version: '1.0.0' },
    { capabilities: { tools: {}, extensions: { [tasksExtension]: {} } } });
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, ctx): Promise<any> => {
    const tool = Object.hasOwn(tools, params.name) && tools[params.name];
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown tool');
    const result: any = await tool({ name: params.name, args: params.arguments ?? {}, answers: ctx.mcpReq.inputResponses ?? {}, ctx });
    mayAsk(ctx, result.inputRequests ?? {});
    return result;
  });
  const any = { params: fromJsonSchema<any>({ type: 'object', properties: { taskId: { type: 'string' } }, required: ['taskId'] }) };
  server.setRequestHandler('tasks/get', any, getTask);
  server.setRequestHandler('tasks/update', any, updateTask);
  return server;
});

// One round by hand: a request of its own, with headers that say what is in it.
async function post(url: string, id: number, params: object) {
  // [http]
  const _meta = { // in every request
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const whole = { ...params, name: 'greet', _meta };
  const call = { jsonrpc: '2.0', id, method: 'tools/call', params: whole };
  const headers = {
    'Content-Type': 'application/json',
    'Accept': 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28', // as in _meta
    'Mcp-Method': 'tools/call', // as method
    'Mcp-Name': 'greet', // as params.name
  };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(call) });
  // [/http]
}

if (process.argv[2] === 'call') {
  const answer = { action: 'accept', content: { name: 'Ada' } };
  for (const [i, params] of [{}, { inputResponses: { name: answer } }].entries()) {
    const response = await post(process.argv[3], i + 1, { arguments: {}, ...params });
    console.log(response.status, await response.text());
  }
} else {
  if ((process.env.MCP_KEY ?? '').length < 32) throw new Error('MCP_KEY: 32 characters or more');
  serve();
}

function serve() {
  const web = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (request.url === '/orders') {
      order(JSON.parse(body.toString()), (code, reply) => {
        response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply));
      });
      return;
    }
    const visit = /^\/connect\?visit=([\w-]+)$/.exec(request.url ?? '')?.[1];
    if (visit) { // A real page shows a form for the key, and checks who its user is.
      await writeFile(recordOf(visit), '');
      response.end();
      return;
    }
    const fetched = new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method, headers: request.headers as Record<string, string>, body: body.length ? body : undefined,
    });
    const authInfo = users.size ? await protect(fetched) : undefined;
    const answered = authInfo instanceof Response ? authInfo : await handler.fetch(fetched, { authInfo });
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  });
  web.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => {
    address = `http://127.0.0.1:${(web.address() as { port: number }).port}`;
    console.log(`listening on ${address}`);
  });
}
