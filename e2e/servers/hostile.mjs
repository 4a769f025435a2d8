// A hostile server: markup in every string, endless bodies, compression bombs,
// silence, and headers that do not match its bodies.
import { createGzip, gzipSync } from 'node:zlib';
import { listen } from './wire.mjs';

// markup would run if a page inserted it as HTML: it closes any element and
// attribute around it and then tries script, event handlers, htmx and a form.
export const markup = `"'>--></title></textarea></pre></script></select></style><script>window.harmed=1</script><img src=x onerror="window.harmed=2"><div hx-get="/harm" hx-trigger="load" autofocus onfocus="window.harmed=3"></div><form action="/harm" class="harm"><input name=csrf></form>`;

const huge = 200 << 20;

export function hostile() {
  return listen({
    [`markup ${markup}`]: {
      title: `title ${markup}`,
      description: `description ${markup}`,
      inputSchema: {
        type: 'object',
        properties: { [`p${markup}`]: { type: 'string', title: `t${markup}`, description: `d${markup}`,
          default: `v${markup}` }, e: { type: 'string', enum: [`e${markup}`, 'b'] } },
      },
      call: () => ({ content: [{ type: 'text', text: markup }] }),
    },
    ask: {
      description: 'asks with markup in every string, and ends with markup',
      call: (message) => message.params.inputResponses
        ? { content: [{ type: 'text', text: `the end ${markup}` },
          { type: 'resource_link', uri: `javascript:window.harmed=4//${markup}`, name: markup,
          title: markup, description: markup }, { type: markup }], structuredContent: { [markup]: markup } }
        : question(),
    },
    refuse: {
      description: 'an error with markup',
      call: (message, req, res) => json(res,
        { jsonrpc: '2.0', id: message.id,
        error: { code: -32000, message: markup, data: { [markup]: markup } } }),
    },
    login: {
      description: 'a page instead of an answer',
      call: (message, req, res) => {
        res.writeHead(200, { 'Content-Type': 'text/html' });
        res.end(`<!doctype html><title>Log in</title><body>${markup}`);
      },
    },
    huge: {
      description: 'a body of 200 MB',
      call: async (message, req, res) => {
        res.on('error', () => {});
        res.writeHead(200, { 'Content-Type': 'application/json' });
        res.write(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"resultType":"complete","content":[{"type":"text","text":"`);
        const part = Buffer.alloc(1 << 20, 'a');
        for (let sent = 0; sent < huge && !res.destroyed; sent += part.length) {
          if (!res.write(part)) await Promise.race([new Promise((on) => res.once('drain', on)),
            new Promise((on) => res.once('close', on))]);
        }
        res.end('"}]}}');
      },
    },
    bomb: {
      description: 'a gzip bomb: 200 MB in 200 KB',
      call: (message, req, res) => {
        res.on('error', () => {});
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
        const zip = createGzip();
        zip.pipe(res);
        zip.write(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"x":"`);
        for (let n = 0; n < 200; n++) zip.write(Buffer.alloc(1 << 20, 'a'));
        zip.end('"}}');
      },
    },
    zipped: {
      description: 'a valid response, compressed without being asked',
      call: (message, req, res) => {
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
        res.end(gzipSync(JSON.stringify({ jsonrpc: '2.0', id: message.id,
          result: { resultType: 'complete', content: [] } })));
      },
    },
    silence: { description: 'never answers', call: () => undefined },
    state: { description: 'a state of 200 KB',
      call: () => ({ resultType: 'input_required', requestState: 'a'.repeat(200 << 10) }) },
    deep: {
      description: '100000 levels',
      call: (message, req, res) => {
        res.writeHead(200, { 'Content-Type': 'application/json' });
        res.end('['.repeat(100000) + ']'.repeat(100000));
      },
    },
  }, { name: `server ${markup}`, instructions: `instructions ${markup}` });
}

function question() {
  return {
    resultType: 'input_required',
    requestState: markup,
    inputRequests: {
      [`key ${markup}`]: {
        method: 'elicitation/create',
        params: {
          message: `message ${markup}`,
          requestedSchema: {
            type: 'object',
            properties: {
              [`property ${markup}`]: { type: 'string', title: `title ${markup}`,
                description: `description ${markup}`, default: `default ${markup}` },
              choice: { type: 'string', oneOf: [{ const: `const ${markup}`, title: `option ${markup}` },
                { const: 'b', title: 'b' }] },
              many: { type: 'array', title: markup,
                items: { type: 'string', enum: [`entry ${markup}`, 'b'] } },
            },
          },
        },
      },
      link: { method: 'elicitation/create',
        params: { mode: 'url', message: markup, url: `javascript:window.harmed=5//${markup}` } },
    },
  };
}

function json(res, message) {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify(message));
}
