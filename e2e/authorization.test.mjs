// The page of the sample authorization server, in a real browser: its policy
// must let the form's redirect through, and nothing else.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';

let browser, site, client, callback;
before(async () => {
  [browser, site] = await Promise.all([launch(), start()]);
  client = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<link rel="icon" href="data:,"><h1>Back at the client</h1>');
  }).listen(0, '127.0.0.1');
  await once(client, 'listening');
  callback = `http://127.0.0.1:${client.address().port}/callback`;
});
after(async () => {
  await browser?.close();
  await site?.stop();
  client?.close();
  await tidy();
});

const server = () => `${site.url}/samples/authorization`;

// authorize registers a client and returns the address that its user opens.
async function authorize(change = {}) {
  const answer = await fetch(`${server()}/register`, { method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [callback], client_name: 'Browser test', token_endpoint_auth_method: 'none' }) });
  const { client_id } = await answer.json();
  return `${server()}/authorize?${new URLSearchParams({ response_type: 'code', client_id, redirect_uri: callback, state: 'x',
    scope: 'notes:read notes:write', code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256',
    ...change })}`;
}

test('a user chooses who they are and is back at the client', async () => {
  const visitor = await visit(browser);
  const { page } = visitor;
  await page.goto(await authorize());
  assert.match(await page.textContent('main'), /never asks for a password/);
  assert.ok(await page.getByLabel('Alice').isChecked());
  await page.getByLabel('Bob').check();
  await page.getByLabel('notes:write').uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Back at the client').waitFor();
  const back = new URL(page.url());
  assert.equal(back.searchParams.get('state'), 'x');
  assert.equal(back.searchParams.get('iss'), server());
  assert.ok(back.searchParams.get('code'));
  assert.deepEqual(visitor.complaints, []);
  await visitor.context.close();
});

test('a user denies, without choosing who they are', async () => {
  const visitor = await visit(browser);
  await visitor.page.goto(await authorize());
  await visitor.page.getByRole('button', { name: 'Deny' }).click();
  await visitor.page.getByText('Back at the client').waitFor();
  assert.equal(new URL(visitor.page.url()).searchParams.get('error'), 'access_denied');
  assert.deepEqual(visitor.complaints, []);
  await visitor.context.close();
});

test('another site can neither frame the page nor post its form', async () => {
  const visitor = await visit(browser);
  const { page } = visitor;
  await page.goto(await authorize());
  const request = await page.inputValue('[name=request]');
  const action = `${server()}/consent`;
  await page.goto(callback.replace('127.0.0.1', 'localhost')); // another site
  const status = await page.evaluate(async ({ action, request }) => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action });
    for (const [name, value] of Object.entries({ request, person: 'alice', decision: 'allow', scope: 'notes:read' })) {
      form.append(Object.assign(document.createElement('input'), { name, value }));
    }
    document.body.append(form);
    form.submit();
  }, { action, request }).then(() => page.waitForResponse((response) => response.url() === action)).then((r) => r.status());
  assert.equal(status, 403);
  await visitor.context.close();
});

test('the page of the sample sign-in takes its form from a browser', async () => {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } };
  const answer = await fetch(`${site.url}/mcp/sign-in`, { method: 'POST', headers: {
    'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call', 'Mcp-Name': 'list_invoices', Authorization: 'Bearer demo-alice',
  }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call',
    params: { name: 'list_invoices', arguments: {}, _meta: meta } }) });
  const { result } = await answer.json();
  const visitor = await visit(browser);
  await visitor.page.goto(result.inputRequests.sign_in.params.url);
  await visitor.page.getByRole('button', { name: 'Continue as Alice' }).click();
  await visitor.page.getByText('You are signed in as Alice').waitFor();
  assert.deepEqual(visitor.complaints, []);
  await visitor.context.close();
});
