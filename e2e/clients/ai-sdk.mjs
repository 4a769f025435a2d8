// The MCP client of Vercel's AI SDK against the server in MRTR_SERVER_URL. It calls
// everything that the server offers, or only what MRTR_SCENARIO names. It has
// questions with forms, and no others.
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { answer, fill, wanted } from './user.mjs';

const offers = await connect('', listAll);
for (const { name, call } of offers) {
  if (!wanted(name)) continue;
  const twice = name === 'parallel_calls' ? [call, call] : [call];
  const ended = await connect(name, async (client) => {
    await everyPage((params) => client.listTools({ params })); // for the headers of arguments
    return Promise.all(twice.map((make) => make(client)));
  }).then(() => 'complete', (error) => `${error.cause ?? error}`);
  console.log(`${name}: ${ended.slice(0, 200)}`);
}

// connect runs a function with a client. Each has its own, because some errors
// close it.
async function connect(called, use) {
  const client = await createMCPClient({
    transport: { type: 'http', url: process.env.MRTR_SERVER_URL },
    clientName: 'ai-sdk', version: '2.0.99', capabilities: { elicitation: {} },
  });
  let questions = 0;
  client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => answer(params, called, ++questions));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function everyPage(list) {
  const pages = [];
  for (let cursor; ;) {
    const page = await list(cursor === undefined ? undefined : { cursor });
    pages.push(page);
    if (page.nextCursor === undefined) return pages;
    cursor = page.nextCursor;
  }
}

async function listAll(client) {
  const options = { timeout: 10_000 };
  const tools = (await everyPage((params) => client.listTools({ params }))).flatMap((page) => page.tools);
  const none = () => []; // the client rejects what the server does not offer
  const prompts = (await everyPage((params) => client.listPrompts({ params })).catch(none))
    .flatMap((page) => page.prompts);
  const resources = (await everyPage((params) => client.listResources({ params })).catch(none))
    .flatMap((page) => page.resources);
  await client.listResourceTemplates().catch(none);
  return [
    ...tools.map(({ name, inputSchema }) => ({ name,
      call: (c) => c.callTool({ name, arguments: fill(inputSchema, name), options }) })),
    ...prompts.map(({ name }) => ({ name, call: (c) => c.getPrompt({ name, options }) })),
    ...resources.map(({ uri }) => ({ name: uri, call: (c) => c.readResource({ uri, options }) })),
  ];
}
