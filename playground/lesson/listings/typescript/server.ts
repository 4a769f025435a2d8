// A server with one tool that asks two questions. Node 22.18 or later runs it
// without a build step. Save it as server.ts in an empty folder:
//
//   npm init -y && npm pkg set type=module
//   npm install @modelcontextprotocol/server@2.4.0
//   MCP_KEY=$(openssl rand -hex 32) node server.ts 8080
//
// With an older Node, install one beside it (npm install node@22) and start the
// server with npx node server.ts 8080.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import {
  createMcpHandler, createRequestStateCodec, inputRequired, inputResponse, OAuthError, OAuthErrorCode,
  ProtocolError, ProtocolErrorCode, requireBearerAuth, Server, type RequestStateCodec, type ServerContext,
} from '@modelcontextprotocol/server';

// What the server has to remember after round 2. Pitfall: store only what the
// retry doesn't contain. The retry contains the arguments, so the state has only
// their digest.
type State = { when: string; for: string };

// Pitfall: all instances need the same key, also after a restart.
const key = process.env.MCP_KEY ?? '';
if (key.length < 32) throw new Error('MCP_KEY: 32 characters or more');

// What a state belongs to, besides the arguments: the method and the user.
// Pitfall: not the token. A new token of the same user must be able to continue.
const bind = (ctx: ServerContext) => JSON.stringify([ctx.mcpReq.method, user(ctx)]);

// The user that requireBearerAuth verified. Without sign-in, it is anonymous.
const user = (ctx: ServerContext) => ctx.http?.authInfo?.extra?.user ?? 'anonymous';

// Pitfall: Node's Base64 is not strict, also in the SDK. A change of unused bits goes
// undetected.
const isBase64 = (text: string) => Buffer.from(text, 'base64url').toString('base64url') === text;

// signed only signs: the client can read the state, so put no secrets in it.
// Pitfall: without bind, it is bound to nothing.
const sdk = createRequestStateCodec<State>({ key, ttlSeconds: 600, bind });
const signed: RequestStateCodec<State> = {
  mint: sdk.mint,
  async verify(text, ctx) { // whatever it throws, the SDK answers with -32602
    if (!text.split('.').slice(1).every(isBase64)) throw new Error('malformed'); // v1.claims.signature
    return sdk.verify(text, ctx);
  },
};

// sealed encrypts with AES-GCM. The SDK has no such codec.
const secret = createHash('sha256').update(key).digest(); // 32 bytes
const sealed: RequestStateCodec<State> = {
  async mint(payload, ctx) {
    const nonce = randomBytes(12);
    const aes = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(bind(ctx!)));
    const claims = JSON.stringify({ payload, expires: Date.now() + 600_000 });
    return Buffer.concat([nonce, aes.update(claims), aes.final(), aes.getAuthTag()]).toString('base64url');
  },
  async verify(text, ctx) {
    const data = Buffer.from(text, 'base64url');
    if (data.length < 28 || !isBase64(text)) throw new Error('malformed');
    const aes = createDecipheriv('aes-256-gcm', secret, data.subarray(0, 12));
    aes.setAAD(Buffer.from(bind(ctx))).setAuthTag(data.subarray(-16));
    const { payload, expires } = JSON.parse(`${aes.update(data.subarray(12, -16))}${aes.final()}`);
    if (expires <= Date.now()) throw new Error('expired');
    return payload;
  },
};

const codec = process.env.SIGN ? signed : sealed;

// Pitfall: forms are flat. They have no nested objects, patterns or references. If
// the request doesn't declare forms, the SDK answers with error -32021 in their place.
type Form = Parameters<typeof inputRequired.elicit>[0]['requestedSchema'];
const when: Form = { type: 'object', properties: { when: { type: 'string', enum: ['now', 'tonight'] } }, required: ['when'] };
const sure: Form = { type: 'object', properties: { sure: { type: 'boolean', title: 'Yes, deploy' } }, required: ['sure'] };

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const invalid = (words: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, words); // -32602

// Pitfall: joined without separators, two different calls can give the same text.
const digest = (app: string) => createHash('sha256').update(JSON.stringify(['deploy', app])).digest('base64url');

// Runs from the start in every round. Pitfall: have no side effects before the
// last answer. A retry may never come, or may come twice.
async function deploy({ app }: { app: string }, ctx: ServerContext) {
  const kept = ctx.mcpReq.requestState<State>(); // the SDK has verified it
  // Pitfall: the codec knows nothing of the arguments.
  if (kept && kept.for !== digest(app)) throw invalid('this requestState belongs to another call');
  let time = kept?.when;
  if (!time) {
    const said = answer(ctx, 'when');
    if (said.action === 'decline' || said.action === 'cancel') return text('Nothing was deployed: no time was chosen.');
    time = String(said.content?.when ?? '');
    // Pitfall: the SDK doesn't check that the answer matches the form.
    if (time !== 'now' && time !== 'tonight') { // No state: there is nothing to remember.
      return inputRequired({ inputRequests: { when: inputRequired.elicit({ message: 'When?', requestedSchema: when }) } });
    }
  }
  const said = answer(ctx, 'sure');
  // Pitfall: without a state, this was not asked yet. Ignore an answer that came too
  // early. Pitfall: elicitInput() throws; a question is a result.
  const yes = said.content?.sure;
  if (!kept || said.action === undefined || said.action === 'accept' && typeof yes !== 'boolean') {
    return inputRequired({
      inputRequests: { sure: inputRequired.elicit({ message: `Deploy ${app} ${time}?`, requestedSchema: sure }) },
      requestState: await codec.mint({ when: time, for: digest(app) }, ctx),
    });
  }
  if (said.action !== 'accept') return text('Nothing was deployed: it was not confirmed.');
  // Pitfall: accept means submitted, not yes. The box can be cleared.
  if (!yes) return text('Nothing was deployed: the box was not ticked.');
  return text(`Deployed ${app} ${time}.`);
}

// Pitfall: acceptedContent() alone can't tell a decline from a missing answer.
function answer(ctx: ServerContext, name: string): { action?: string; content?: Record<string, unknown> } {
  const { inputResponses, droppedInputResponseKeys } = ctx.mcpReq;
  const found = inputResponse(inputResponses, name);
  if (found.kind === 'elicit') return found;
  // Pitfall: a malformed answer looks as if it were missing. The SDK has dropped it, or
  // kept it without knowing its kind.
  if (droppedInputResponseKeys?.includes(name) || inputResponses?.[name]) {
    throw invalid(`the answer to ${name} is malformed`);
  }
  return {};
}

const tool = {
  name: 'deploy', description: 'Deploys an app after two questions.',
  inputSchema: { type: 'object' as const, properties: { app: { type: 'string' } }, required: ['app'] },
};

// Pitfall: each request has its own server. Its memory is gone in the next one.
// Pitfall: this is the low-level Server, as in the lessons. A tool of McpServer can't
// end with a JSON-RPC error: whatever it throws becomes a result with isError.
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'deployer', version: '1.0.0' },
    { capabilities: { tools: {} }, requestState: { verify: codec.verify } });
  server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
  server.setRequestHandler('tools/call', async ({ params }, ctx): Promise<any> => {
    const { app } = params.arguments ?? {};
    if (params.name !== tool.name) throw invalid('unknown tool');
    // Pitfall: the low-level Server doesn't validate arguments.
    if (typeof app !== 'string') throw invalid('app must be a string');
    return deploy({ app }, ctx);
  });
  return server;
});

// The verifier stands for your authorization server. USERS is token=user,token=user.
const users = new URLSearchParams(process.env.USERS?.replaceAll(',', '&'));
const signIn = requireBearerAuth({
  verifier: {
    async verifyAccessToken(token) {
      const name = users.get(token);
      if (!name) throw new OAuthError(OAuthErrorCode.InvalidToken, 'unknown token');
      return { token, clientId: 'any', scopes: [], expiresAt: Date.now() / 1000 + 3600, extra: { user: name } };
    },
  },
});

const web = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  // Pitfall: to a request without a token, the SDK says that the token is invalid.
  if (process.env.USERS && !request.headers.authorization) {
    return response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
  }
  const headers = new Headers(request.headers as Record<string, string>);
  const body = chunks.length ? Buffer.concat(chunks) : undefined;
  const incoming = new Request(`http://${request.headers.host}${request.url}`, { method: request.method, headers, body });
  // Pitfall: without the sign-in, a token is not verified, and every user is anonymous.
  const authInfo = process.env.USERS ? await signIn(incoming) : undefined;
  const answered = authInfo instanceof Response ? authInfo : await handler.fetch(incoming, { authInfo });
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(Buffer.from(await answered.arrayBuffer()));
});
web.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => {
  const { port } = web.address() as { port: number };
  console.log(`listening on http://127.0.0.1:${port}`);
});
