// A server with one tool that asks two questions. Node 22.18 or later runs it as
// it is: MCP_KEY=SECRET node server.ts 8080
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import {
  createMcpHandler, createRequestStateCodec, fromJsonSchema, inputRequired, inputResponse, McpServer,
  type InputResponses, type RequestStateCodec, type ServerContext,
} from '@modelcontextprotocol/server';

// What round 2 must not forget. Trap: only what nobody sends again. The
// arguments come with every retry; it carries a digest of them, no copy.
type State = { when: string; for: string };

// Trap: all instances need the same key, and so does the next process.
const key = process.env.MCP_KEY ?? '';

// The codec signs and lets the state expire after ten minutes; it does not
// encrypt, so put no secrets inside. Trap: it binds the state to nothing unless
// told so. With users, their verified identity belongs in here too.
const codec: RequestStateCodec<State> = createRequestStateCodec<State>({
  key, // 32 bytes or more, or this throws
  ttlSeconds: 600,
  bind: (ctx) => ctx.mcpReq.method,
});

// Trap: forms are flat. No objects in objects, no patterns, no references.
const when = { type: 'object', properties: { when: { type: 'string', enum: ['now', 'tonight'] } }, required: ['when'] } as const;
const sure = { type: 'object', properties: { sure: { type: 'boolean', title: 'Yes, deploy' } }, required: ['sure'] } as const;

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

const digest = (app: string) => createHash('sha256').update(`deploy ${app}`).digest('base64url');

// Runs from the top in every round. Trap: no side effect before the last answer
// is there, because nobody promises that a retry comes, or comes once.
async function deploy({ app }: { app: string }, ctx: ServerContext) {
  const answers = ctx.mcpReq.inputResponses;
  const kept = ctx.mcpReq.requestState<State>(); // verified before we run
  if (kept && kept.for !== digest(app)) throw new Error('this requestState belongs to another call');
  let time = kept?.when;
  if (!time) {
    const said = answer(answers, 'when');
    if (said.action === 'decline' || said.action === 'cancel') return text('Nothing was deployed: no time was chosen.');
    time = String(said.content?.when ?? '');
    // Trap: nobody checked the answer before you.
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
  // Trap: accept means submitted, not yes. The box may be empty.
  if (said.content?.sure !== true) return text('Nothing was deployed: the box was not ticked.');
  return text(`Deployed ${app} ${time}.`);
}

// Trap: acceptedContent() alone cannot tell a decline from a missing answer.
function answer(answers: InputResponses | undefined, name: string): { action?: string; content?: Record<string, unknown> } {
  const found = inputResponse(answers, name);
  return found.kind === 'elicit' ? found : {};
}

// Trap: one server per request. What it keeps in memory is gone in the next.
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
