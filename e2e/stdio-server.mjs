// A server of the official TypeScript SDK on standard input, with a tool that asks.
import {
  fromJsonSchema, inputRequired, inputResponse, McpServer,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(() => {
  const server = new McpServer({ name: 'desk', version: '1.0.0' }, { capabilities: { tools: {} } });
  const nothing = fromJsonSchema({ type: 'object', properties: {} });
  server.registerTool('book', { inputSchema: nothing }, async (_, ctx) => {
    const who = inputResponse(ctx.mcpReq.inputResponses, 'who');
    if (who.kind !== 'elicit') {
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
      return inputRequired({
        inputRequests: { who: inputRequired.elicit({ message: 'Who comes?', requestedSchema }) },
      });
    }
    return { content: [{ type: 'text', text: `Booked for ${who.content.name}` }] };
  });
  return server;
});
