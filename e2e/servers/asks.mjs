// A server on the TypeScript SDK that asks in every possible way: a form, a link,
// a model, roots, and a retry with a state but no question.
import { McpServer, acceptedContent, createRequestStateCodec, inputRequired,
  inputResponse } from '@modelcontextprotocol/server';
import { serve } from './typescript.mjs';

const text = (words) => ({ content: [{ type: 'text', text: words }] });

export function asks() {
  const codec = createRequestStateCodec({ key: 'another key of tests, 32 bytes.!' });
  return serve(() => {
    const server = new McpServer({ name: 'typescript-asks', version: '1.0.0' },
      { requestState: { verify: codec.verify } });
    const tool = (name, description, call) =>
      server.registerTool(name, { description }, (ctx) => call(ctx.mcpReq.inputResponses, ctx.mcpReq));

    tool('form', 'Asks by form, with a field of every type.', (answers) => {
      const answer = inputResponse(answers, 'order');
      if (answer.kind === 'elicit') return text(`${answer.action} ${JSON.stringify(answer.content ?? null)}`);
      return inputRequired({ inputRequests: { order: inputRequired.elicit({ message: 'What is it to be?',
        requestedSchema: order }) } });
    });

    tool('link', 'Asks to open a page.', async (answers, { requestState }) => {
      const answer = inputResponse(answers, 'login');
      if (answer.kind === 'elicit') return text(`${answer.action} ${JSON.stringify(answer.content ?? null)} for ${requestState()?.login}`);
      return inputRequired({
        inputRequests: { login: inputRequired.elicitUrl({ message: 'Log in over there.',
          url: 'https://login.example.com/start?id=7' }) },
        requestState: await codec.mint({ login: 7 }),
      });
    });

    tool('model', 'Asks a model.', (answers) => {
      const answer = inputResponse(answers, 'summary');
      if (answer.kind === 'sampling') return text(`${answer.result.role} said: ${[answer.result.content].flat()[0].text}`);
      return inputRequired({
        inputRequests: {
          summary: inputRequired.createMessage({ messages: [{ role: 'user',
            content: { type: 'text', text: 'Sum it up.' } }],
            systemPrompt: 'You are brief.', maxTokens: 40 }),
        },
      });
    });

    tool('roots', 'Asks for the roots.', (answers) => {
      const answer = inputResponse(answers, 'where');
      if (answer.kind === 'roots') return text(answer.roots.map((root) => `${root.uri} (${root.name})`)
        .join(', '));
      return inputRequired({ inputRequests: { where: inputRequired.listRoots() } });
    });

    tool('state', 'Asks nothing, twice, and counts in its state.', async (answers, { requestState }) => {
      const times = requestState()?.times ?? 0;
      if (times === 2) return text('third time lucky');
      return inputRequired({ requestState: await codec.mint({ times: times + 1 }) });
    });

    tool('all', 'Asks a person, a model and for roots in one round.', (answers) => {
      const who = acceptedContent(answers, 'who');
      const model = inputResponse(answers, 'model');
      const roots = inputResponse(answers, 'roots');
      if (who && model.kind === 'sampling' && roots.kind === 'roots') {
        return text(`${who.name}: ${[model.result.content].flat()[0].text} (${roots.roots.length})`);
      }
      return inputRequired({
        inputRequests: {
          who: inputRequired.elicit({ message: 'Who are you?',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } },
            required: ['name'] } }),
          model: inputRequired.createMessage({ messages: [{ role: 'user',
            content: { type: 'text', text: 'Greet.' } }], maxTokens: 40 }),
          roots: inputRequired.listRoots(),
        },
      });
    });
    return server;
  });
}

const order = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    email: { type: 'string', format: 'email' },
    loaves: { type: 'integer', minimum: 1 },
    weight: { type: 'number' },
    sliced: { type: 'boolean' },
    gift: { type: 'boolean' },
    bread: { type: 'string', enum: ['rye', 'spelt'] },
    spread: { type: 'string', oneOf: [{ const: 'b', title: 'Butter' }, { const: 'j', title: 'Jam' }] },
    seeds: { type: 'array', items: { type: 'string', enum: ['poppy', 'sesame', 'flax'] }, minItems: 1 },
    note: { type: 'string' },
  },
  required: ['name', 'email', 'loaves', 'weight', 'sliced', 'bread', 'spread', 'seeds'],
};
