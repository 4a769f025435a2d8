// A minimal MCP server, written from the specification without a library, so that
// a test controls every byte of a response.
import { once } from 'node:events';
import { createServer } from 'node:http';

// listen serves tools, a map from name to { description, inputSchema, call }.
// call gets the message, the request, the response and the number of earlier calls
// of the tool. It returns the result, or undefined if it has responded itself or
// never will. methods, a map from method to a function of the message that
// returns the result, adds other methods. times counts calls by tool, and
// messages by method.
export async function listen(tools, { name = 'a server of the tests', instructions, methods = {},
  extensions } = {}) {
  const times = new Map();
  const server = createServer(async (req, res) => {
    const message = parsed(await body(req));
    if (!message) {
      return reply(res, { jsonrpc: '2.0', error: { code: -32700, message: 'this is not JSON' } }, 400);
    }
    const answer = (result) => reply(res,
      { jsonrpc: '2.0', id: message.id, result: { resultType: 'complete', ...result } });
    switch (message.method) {
      case 'server/discover':
        return answer({ supportedVersions: ['2026-07-28'], capabilities: { tools: {}, extensions },
          serverInfo: { name, version: '1' }, instructions, ttlMs: 0, cacheScope: 'private' });
      case 'tools/list':
        return answer({ tools: Object.entries(tools)
          .map(([tool, t]) => ({ name: tool, title: t.title, description: t.description,
          inputSchema: t.inputSchema ?? { type: 'object' } })), ttlMs: 0, cacheScope: 'private' });
      case 'tools/call': {
        const tool = message.params.name;
        const n = times.get(tool) ?? 0;
        times.set(tool, n + 1);
        const result = await tools[tool].call(message, req, res, n);
        if (result) answer(result);
        return;
      }
      default:
        times.set(message.method, (times.get(message.method) ?? 0) + 1);
        if (methods[message.method]) return answer(methods[message.method](message));
        reply(res, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no such method' } },
          404);
    }
  });
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    times: (tool) => times.get(tool) ?? 0,
    stop: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

export const text = (words) => ({ content: [{ type: 'text', text: words }] });

// parsed returns undefined for what is not JSON.
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

async function body(req) {
  const parts = [];
  for await (const part of req) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

function reply(res, message, status = 200) {
  res.writeHead(status, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify(message));
}
