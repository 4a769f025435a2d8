// A server on the TypeScript SDK with one tool: deploy asks for a confirmation and
// stores its data in a signed requestState.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { McpServer, acceptedContent, createMcpHandler, createRequestStateCodec, fromJsonSchema,
  inputRequired } from '@modelcontextprotocol/server';

export const typescript = () => serve(deploy());

// deploy returns what makes a server with the tool deploy.
export function deploy() {
  const codec = createRequestStateCodec({ key: 'a key of the tests, 32 bytes long' });
  return () => {
    const server = new McpServer({ name: 'typescript-deploy', version: '1.0.0' },
      { requestState: { verify: codec.verify } });
    server.registerTool('deploy', {
      description: 'Deploys a service after you confirmed it.',
      inputSchema: fromJsonSchema({ type: 'object',
        properties: { env: { type: 'string', enum: ['staging', 'prod'] } }, required: ['env'] }),
    }, async ({ env }, ctx) => {
      const answer = acceptedContent(ctx.mcpReq.inputResponses, 'confirm');
      if (!answer) {
        return inputRequired({
          inputRequests: {
            confirm: inputRequired.elicit({
              message: `Deploy to ${env}?`,
              requestedSchema: { type: 'object',
                properties: { ok: { type: 'boolean', title: 'Yes, deploy' } }, required: ['ok'] },
            }),
          },
          requestState: await codec.mint({ env }),
        });
      }
      const state = ctx.mcpReq.requestState();
      return { content: [{ type: 'text', text: answer.ok ? `deployed to ${state.env}`
        : `not deployed to ${state.env}` }] };
    });
    return server;
  };
}

// serve listens on a free port and creates a new SDK server for each request.
export async function serve(make) {
  const handler = createMcpHandler(make);
  const server = createServer(async (req, res) => {
    const answer = await handler.fetch(new Request(`http://${req.headers.host}${req.url}`, {
      method: req.method,
      headers: req.headers,
      body: req.method === 'POST' ? Readable.toWeb(req) : undefined,
      duplex: 'half',
    }));
    res.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (!answer.body) return res.end();
    Readable.fromWeb(answer.body).pipe(res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
