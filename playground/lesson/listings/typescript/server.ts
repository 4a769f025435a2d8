// A server with one tool that asks two questions. Node 22.18 or later runs it
// without a build step:
//
//   npm init -y && npm pkg set type=module
//   npm install @modelcontextprotocol/server@2.4.0
//   MCP_KEY=$(openssl rand -hex 32) node server.ts 8080
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import {
  createMcpHandler, createRequestStateCodec, fromJsonSchema, inputRequired, inputResponse, McpServer,
  type InputResponses, type RequestStateCodec, type ServerContext,
} from '@modelcontextprotocol/server';

// What the server has to remember after round 2. Pitfall: store only what the
// retry doesn't contain. The retry contains the arguments, so the state has only
// their digest.
type State = { when: string; for: string };

// Pitfall: all instances need the same key, also after a restart.
const key = process.env.MCP_KEY ?? '';

// The codec signs the state and sets an expiry of ten minutes. It doesn't
// encrypt, so don't include secrets. Pitfall: without bind, the codec binds
// the state to nothing. If the server has users, bind it to their verified
// identity too.
const codec: RequestStateCodec<State> = createRequestStateCodec<State>({
  key, // at least 32 bytes, or this throws
  ttlSeconds: 600,
  bind: (ctx) => ctx.mcpReq.method,
});

// Pitfall: forms are flat. They have no nested objects, patterns or references.
const when = { type: 'object', properties: { when: { type: 'string', enum: ['now', 'tonight'] } }, required: ['when'] } as const;
const sure = { type: 'object', properties: { sure: { type: 'boolean', title: 'Yes, deploy' } }, required: ['sure'] } as const;

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

const digest = (app: string) => createHash('sha256').update(`deploy ${app}`).digest('base64url');

// Runs from the start in every round. Pitfall: have no side effects before the
// last answer. A retry may never come, or may come twice.
async function deploy({ app }: { app: string }, ctx: ServerContext) {
  const answers = ctx.mcpReq.inputResponses;
  const kept = ctx.mcpReq.requestState<State>(); // the SDK has verified it
  if (kept && kept.for !== digest(app)) throw new Error('this requestState belongs to another call');
  let time = kept?.when;
  if (!time) {
    const said = answer(answers, 'when');
    if (said.action === 'decline' || said.action === 'cancel') return text('Nothing was deployed: no time was chosen.');
    time = String(said.content?.when ?? '');
    // Pitfall: the SDK doesn't check that the answer matches the form.
    if (time !== 'now' && time !== 'tonight') {
      return inputRequired({ inputRequests: { when: inputRequired.elicit({ message: 'When?', requestedSchema: when }) } });
    }
  }
  const said = answer(answers, 'sure');
  if (said.action === undefined) {
    return inputRequired({
      inputRequests: { sure: inputRequired.elicit({ message: `Deploy ${app} ${time}?`, requestedSchema: sure }) },
      requestState: await codec.mint({ when: time, for: digest(app) }, ctx),
    });
  }
  if (said.action !== 'accept') return text('Nothing was deployed: it was not confirmed.');
  // Pitfall: accept means submitted, not yes. The box can be cleared.
  if (said.content?.sure !== true) return text('Nothing was deployed: the box was not ticked.');
  return text(`Deployed ${app} ${time}.`);
}

// Pitfall: acceptedContent() alone can't tell a decline from a missing answer.
function answer(answers: InputResponses | undefined, name: string): { action?: string; content?: Record<string, unknown> } {
  const found = inputResponse(answers, name);
  return found.kind === 'elicit' ? found : {};
}

// Pitfall: each request has its own server. Its memory is gone in the next one.
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'deployer', version: '1.0.0' }, { requestState: { verify: codec.verify } });
  server.registerTool('deploy', {
    description: 'Deploys an app after two questions.',
    inputSchema: fromJsonSchema<{ app: string }>({ type: 'object', properties: { app: { type: 'string' } }, required: ['app'] }),
  }, deploy);
  return server;
});

const web = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = new Headers(request.headers as Record<string, string>);
  const body = chunks.length ? Buffer.concat(chunks) : undefined;
  const answered = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, { method: request.method, headers, body }));
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(Buffer.from(await answered.arrayBuffer()));
});
web.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => {
  const { port } = web.address() as { port: number };
  console.log(`listening on http://127.0.0.1:${port}`);
});
