// A certified authorization server (npm oidc-provider) and MCP servers that its
// tokens protect.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { Provider } from 'oidc-provider';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { deploy } from './typescript.mjs';

const scopes = 'deploy:read deploy:write';

// authorizationServer listens on a free port. Anybody may sign in with any name and
// password. Clients register themselves; others are given.
export async function authorizationServer(clients = []) {
  const server = createServer();
  const url = await listening(server);
  const provider = new Provider(url, {
    clients,
    scopes: ['openid', 'offline_access', ...scopes.split(' ')],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({ scope: scopes, audience: resource, accessTokenFormat: 'jwt' }),
        useGrantedResource: () => true,
      },
    },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, Interaction: 600, Session: 600, RefreshToken: 600, IdToken: 600 },
    cookies: { keys: ['a key of the tests'] },
  });
  server.on('request', provider.callback());
  return { url, provider, stop: () => stop(server) };
}

// protectedTypeScript is the server with the tool deploy on the TypeScript SDK,
// behind tokens of the authorization server. Its metadata is where the
// specification says; each request needs the scope deploy:read, and a call
// deploy:write.
export async function protectedTypeScript(issuer) {
  const handler = createMcpHandler(deploy());
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const server = createServer();
  const origin = await listening(server);
  const resource = `${origin}/mcp`;
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const refuse = (res, status, rest) => res.writeHead(status, {
    'WWW-Authenticate': `Bearer resource_metadata="${metadata}", ${rest}` }).end();
  server.on('request', async (req, res) => {
    if (req.url === new URL(metadata).pathname) {
      res.writeHead(200, { 'Content-Type': 'application/json' });
      return res.end(JSON.stringify({ resource, authorization_servers: [issuer], scopes_supported: ['deploy:read'] }));
    }
    const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1];
    if (!token) return refuse(res, 401, 'scope="deploy:read"');
    const claims = await jwtVerify(token, keys, { issuer, audience: resource }).then((v) => v.payload, () => null);
    if (!claims) return refuse(res, 401, 'error="invalid_token"');
    if (req.headers['mcp-method'] === 'tools/call' && !claims.scope.split(' ').includes('deploy:write')) {
      return refuse(res, 403, 'error="insufficient_scope", scope="deploy:write"');
    }
    const answer = await handler.fetch(new Request(`${origin}${req.url}`, {
      method: req.method, headers: req.headers,
      body: req.method === 'POST' ? Readable.toWeb(req) : undefined, duplex: 'half',
    }));
    res.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (!answer.body) return res.end();
    Readable.fromWeb(answer.body).pipe(res);
  });
  return { url: resource, stop: () => stop(server) };
}

// stallingTokens is a protected server with an authorization server that never
// answers a request for a token. asked resolves when there is one.
export async function stallingTokens() {
  const server = createServer();
  const origin = await listening(server);
  let arrived;
  const asked = new Promise((resolve) => { arrived = resolve; });
  const send = (res, status, body, head = {}) => res.writeHead(status, { 'Content-Type': 'application/json', ...head })
    .end(JSON.stringify(body));
  server.on('request', (req, res) => {
    switch (req.url) {
      case '/.well-known/oauth-protected-resource/mcp':
        return send(res, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
      case '/.well-known/oauth-authorization-server':
        return send(res, 200, { issuer: origin, authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`, registration_endpoint: `${origin}/register`,
          code_challenge_methods_supported: ['S256'] });
      case '/register': return send(res, 201, { client_id: 'registered' });
      case '/token': return arrived();
    }
    return send(res, 401, {}, { 'WWW-Authenticate': 'Bearer' });
  });
  return { url: `${origin}/mcp`, asked, stop: () => stop(server) };
}

// browse does what a user does in a browser: it follows redirects, signs in and
// agrees, until the browser is back at the client. It returns the client's page.
// Boxes stay as they are; ticked has the names of more to tick. With client, the
// client's origin, it stops before it goes back, and returns the URL that it would open.
export async function browse(url, ticked = [], { login = 'ada', client } = {}) {
  const cookies = new Map();
  let request = { url, method: 'GET' };
  for (let i = 0; i < 20; i++) {
    const response = await fetch(request.url, {
      method: request.method, body: request.body, redirect: 'manual',
      headers: { Cookie: [...cookies].map(([k, v]) => `${k}=${v}`).join('; ') },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    if (response.headers.has('location')) {
      request = { url: new URL(response.headers.get('location'), request.url).href, method: 'GET' };
      if (client && new URL(request.url).origin === client) return request.url;
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (!action) return page;
    const body = new URLSearchParams({ login, password: 'secret', person: 'alice', decision: 'allow' });
    for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)) body.set(name, value);
    for (const [, name, value, checked] of page.matchAll(/<input type="checkbox" name="([^"]+)" value="([^"]*)"( checked)?/g)) {
      if (checked || ticked.includes(name)) body.append(name, value);
    }
    request = { url: new URL(action, request.url).href, method: 'POST', body };
  }
  throw new Error('the sign-in does not end');
}

async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

function stop(server) {
  server.closeAllConnections();
  return new Promise((done) => server.close(done));
}
