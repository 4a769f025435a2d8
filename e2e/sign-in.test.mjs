// The pages sign in to protected servers, with the tokens of a certified
// authorization server (npm oidc-provider), in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { authorizationServer, protectedTypeScript, stallingTokens } from './servers/oauth.mjs';
import { protectedGoSDK } from './servers/programs.mjs';
import { start, temporary, tidy } from './program.mjs';

let browser, program, issuer, servers;
before(async () => {
  issuer = await authorizationServer();
  servers = { 'TypeScript SDK': await protectedTypeScript(issuer.url), 'go-sdk': await protectedGoSDK(issuer.url) };
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  for (const server of Object.values(servers ?? {})) await server.stop();
  await issuer?.stop();
  await tidy();
});

// connect enters a URL on the page of servers.
async function connect(v, url) {
  await v.open(`${program.url}/test`);
  await v.page.fill('#url', url);
  await v.click('form[data-form="connect"] button.first');
}

// signIn goes from the page of a sign-in to the authorization server, signs in
// there and agrees. The browser comes back by itself.
async function signIn(v, shot) {
  await v.click('[data-do="sign-in"]');
  await v.page.waitForSelector('[data-sign-in-stage="ready"]');
  await shot?.();
  await v.click('[data-do="leave"]');
  await v.page.waitForURL((url) => url.origin !== program.url);
  if (await v.page.locator('input[name="login"]').count()) {
    await v.page.fill('input[name="login"]', 'ada');
    await v.page.fill('input[name="password"]', 'secret');
    await v.page.click('button[type="submit"]');
    await v.page.waitForLoadState();
  }
  if (new URL(v.page.url()).origin !== program.url) await v.page.click('button[type="submit"]');
  await v.page.waitForURL((url) => url.origin === program.url);
}

for (const javaScriptEnabled of [true, false]) {
  test(`from 401 to the finished call in two rounds, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    const v = await visit(browser, { javaScriptEnabled });
    await connect(v, servers['TypeScript SDK'].url);
    assert.equal(await v.page.locator('[data-error="http_401"]').count(), 1);
    await signIn(v);
    assert.equal(await v.page.locator('#main').getAttribute('data-status'), 'connected');
    assert.match(await v.page.locator('[data-signed-in]').innerText(), /deploy:read/);

    const form = v.page.locator('form[data-name="deploy"]');
    await form.locator('[data-field="env"]').selectOption('prod');
    await form.locator('[data-do="call"]').click();
    await v.page.waitForSelector('[data-exchange] [data-do="sign-in"]'); // 403: the call needs deploy:write
    const exchange = v.page.url().replace(/[?#].*/, '');
    await signIn(v);
    assert.equal(v.page.url().replace(/[?#].*/, ''), exchange, 'the user comes back to the call');
    await v.page.waitForSelector('[data-status="waiting"]');
    await v.page.locator('[data-do="send"]').first().click();
    await v.page.waitForSelector('[data-status="complete"]');
    assert.match(await v.page.locator('#main').innerText(), /deployed to prod/);

    const record = await (await v.context.request.get(`${exchange}.json`)).text();
    assert.match(record, /Bearer \*{20,}/);
    assert.doesNotMatch(record, /Bearer ey/);
    for (const format of ['har', 'md', 'txt']) {
      assert.doesNotMatch(await (await v.context.request.get(`${exchange}.${format}`)).text(), /eyJ/);
    }
  });
}

test('a check of a protected server tries its tokens', async () => {
  const v = await visit(browser);
  await connect(v, servers['TypeScript SDK'].url);
  await signIn(v);
  const server = v.page.url().replace(/[?#].*/, '');
  const form = v.page.locator('form[data-name="deploy"]');
  await form.locator('[data-field="env"]').selectOption('prod');
  await form.locator('[data-do="call"]').click();
  await v.page.waitForSelector('[data-exchange] [data-do="sign-in"]');
  await signIn(v); // now for deploy:write too
  await v.open(`${server}/check?tool=deploy`);
  await v.page.fill('#check-args', '{"env":"prod"}');
  await v.page.check('input[name="mine"]');
  await v.page.click('form[data-form="check"] button[type="submit"], form[data-form="check"] button.first');
  await v.page.waitForSelector('[data-check][data-status="complete"], [data-status="complete"]');
  for (const id of ['no-token', 'made-up-token', 'other-audience', 'expired-token', 'narrow-token']) {
    const row = v.page.locator(`.board-row[data-experiment="${id}"]`);
    assert.equal(await row.getAttribute('data-verdict'), 'pass', `${id}: ${await row.innerText()}`);
  }
  assert.doesNotMatch(await v.page.content(), /eyJ/, 'a token is on the page');
});

for (const sdk of ['TypeScript SDK', 'go-sdk']) {
  test(`a user signs out of a server on the ${sdk}`, async () => {
    const v = await visit(browser);
    await connect(v, servers[sdk].url);
    await signIn(v);
    const page = v.page.url().replace(/[?#].*/, '');
    await v.confirm('sign-out');
    await v.page.waitForSelector('#main');
    assert.equal(await v.page.locator('[data-signed-in]').count(), 0);
    await v.open(`${page}/sign-in`);
    assert.match(await v.page.locator('[data-purpose="revocation"]').innerText(), /revoked the token/);
    assert.doesNotMatch(await v.page.content(), /eyJ/, 'a token is on the page');
  });
}

// allow decides on the page of the sample authorization server.
async function allow(v, person) {
  await v.click('[data-do="sign-in"]');
  await v.accessible();
  await v.click('[data-do="leave"]');
  await v.page.check(`input[name="person"][value="${person}"]`);
  await v.click('button[value="allow"]');
  await v.page.waitForURL((url) => !url.pathname.startsWith('/samples/'));
}

for (const colorScheme of ['light', 'dark']) {
  test(`the protected sample, from its page to a finished call, ${colorScheme}`, async () => {
    const v = await visit(browser, { colorScheme });
    await v.open(`${program.url}/servers/protected`);
    await allow(v, 'alice');
    await v.page.waitForSelector('[data-signed-in]');
    await v.open(`${program.url}/servers/protected?tool=send_note`);
    await v.page.fill('form[data-name="send_note"] [data-field="note"]', 'shopping');
    await v.page.locator('form[data-name="send_note"] [data-do="call"]').click();
    await v.page.waitForSelector('[data-status="waiting"]');
    const call = v.page.url().replace(/[?#].*/, '');

    // Another person signs in between the rounds: the state is not theirs.
    await v.open(`${program.url}/servers/protected`);
    await v.confirm('sign-out');
    await allow(v, 'bob');
    await v.open(call);
    await v.page.locator('[data-do="send"]').first().click();
    await v.page.waitForSelector('[data-status="failed"]');
    await v.open(`${program.url}/servers/protected/sign-in`);
    await v.accessible();
  });
}

test('a step-up at the protected sample revokes the token that it replaced', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/servers/protected`);
  await v.click('[data-do="sign-in"]');
  await v.click('[data-do="leave"]');
  await v.page.check('input[name="person"][value="alice"]');
  const write = v.page.locator('input[name="scope"][value="notes:write"]');
  if (await write.count()) await write.uncheck();
  await v.click('button[value="allow"]');
  await v.page.waitForSelector('[data-signed-in]');
  await v.open(`${program.url}/servers/protected?tool=delete_note`);
  await v.page.fill('form[data-name="delete_note"] [data-field="note"]', 'shopping');
  await v.page.locator('form[data-name="delete_note"] [data-do="call"]').click();
  await v.page.waitForSelector('[data-exchange] [data-do="sign-in"]'); // 403
  await allow(v, 'alice');
  await v.page.waitForSelector('[data-status="waiting"]');
  await v.page.locator('[data-do="send"]').first().click();
  await v.page.waitForSelector('[data-status="complete"]');
  await v.open(`${program.url}/servers/protected/sign-in`);
  assert.match(await v.page.locator('[data-purpose="revocation"]').innerText(), /revoked the access token/);
  await v.accessible();
});

test('a sign-in in a lesson comes back to the lesson', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/learn/who-are-you`);
  await v.page.locator('[data-start="protected"] button').first().click();
  await v.page.waitForSelector('#live [data-do="sign-in"]');
  await allow(v, 'alice');
  assert.equal(new URL(v.page.url()).pathname, '/learn/who-are-you');
  await v.page.locator('#live [data-do="send"]').first().click();
  await v.page.locator('#live p.text', { hasText: 'Alice sent' }).waitFor();
  await v.accessible();
});

test('the lesson on signing in leads through a step-up in the middle of its call', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/learn/signing-in`);
  assert.equal(await v.page.locator('.drawn-sign-in svg').first().isVisible(), true);
  await v.page.locator('[data-start="protected"] button').first().click();
  await v.page.waitForSelector('#live [data-do="sign-in"]'); // 401
  await allow(v, 'alice');
  assert.equal(new URL(v.page.url()).pathname, '/learn/signing-in');
  await v.page.waitForSelector('#live [data-do="sign-in"]'); // 403
  await allow(v, 'alice');
  await v.page.locator('#live [data-do="send"]').first().click();
  await v.page.locator('#live p.text', { hasText: 'Alice deleted the note' }).waitFor();
  await v.accessible();
  await v.click('article a[href="/servers/protected/sign-in"]');
  await v.page.locator('h2', { hasText: 'What was sent and received' }).waitFor();
  await v.leave();
});

test('a sign-in that a kill cut off is over, and another one works', async () => {
  const v = await visit(browser);
  const data = await temporary('killed');
  const stalled = await stallingTokens();
  let mine = await start({ data });
  const port = new URL(mine.url).port;
  await v.open(`${mine.url}/test`);
  await v.page.fill('#url', stalled.url);
  await v.click('form[data-form="connect"] button.first');
  await v.click('[data-do="sign-in"]');
  const server = v.page.url().replace(/[?#].*/, '');
  const leave = new URL(await v.page.locator('[data-do="leave"]').getAttribute('href')).searchParams;
  const back = fetch(`${leave.get('redirect_uri')}?state=${leave.get('state')}&code=x`, { headers: { Cookie: (await v.context.cookies())
    .map(({ name, value }) => `${name}=${value}`).join('; ') } }).catch(() => 'cut off');
  await stalled.asked; // the program waits for a token
  await mine.kill();
  assert.equal(await back, 'cut off');
  mine = await start({ data, flags: ['-addr', `127.0.0.1:${port}`] });
  await v.open(server);
  assert.equal(await v.page.locator('main').getAttribute('data-sign-in-stage'), 'cut');
  await v.click('[data-do="sign-in"]');
  await v.page.waitForSelector('[data-sign-in-stage="ready"]');
  await mine.stop();
  await stalled.stop();
});

test('the page of the sample for URL mode works in a browser', async () => {
  const v = await visit(browser);
  await v.open(`${program.url}/servers/sign-in?tool=list_invoices`);
  await v.page.locator('form[data-name="list_invoices"] [data-do="call"]').click();
  await v.page.waitForSelector('[data-status="waiting"]');
  const link = await v.page.locator('a[href*="/samples/sign-in/page"]').first().getAttribute('href');
  const call = v.page.url();
  await v.open(link);
  await v.click('button[value="anonymous"]');
  assert.match(await v.page.locator('main').innerText(), /You are signed in as a guest/);
  await v.open(call);
});
