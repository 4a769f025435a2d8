// People sign in at a certified identity provider, to three replicas behind the nginx of
// .deploy, in a real browser; and others attack that.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { freePort, temporary, tidy } from './program.mjs';
import { Client, identityProvider, password, stand, withProxySignIn } from './servers/people.mjs';

let browser, idp, site, named;
before(async () => {
  const port = await freePort();
  idp = await identityProvider(`https://localhost:${port}`);
  const config = join(await temporary('proxy'), 'nginx.conf');
  await writeFile(config, await withProxySignIn());
  [browser, site, named] = await Promise.all([
    launch(),
    stand({ port, flags: ['-oidc-issuer', idp.url, '-oidc-client', 'playground'] }),
    stand({ config, flags: ['-user-header', 'X-Remote-User'] }),
  ]);
});
after(async () => {
  await browser?.close();
  await Promise.all([site?.stop(), named?.stop()]);
  await idp?.stop();
  await tidy();
});

// open opens a browser that takes the certificate of the test. The pages of the identity
// provider ask for fonts on the internet, and get none.
async function open() {
  const v = await visit(browser, { ignoreHTTPSErrors: true });
  await v.page.route(({ hostname }) => !['localhost', '127.0.0.1'].includes(hostname),
    (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  return v;
}

// signIn signs in with the forms of the site and of the identity provider.
async function signIn(v, login) {
  await v.click('[data-do="sign-in"]');
  await identify(v, login);
}

// identify fills in the forms of the identity provider.
async function identify(v, login) {
  await v.page.fill('input[name="login"]', login);
  await v.page.fill('input[name="password"]', 'secret');
  await v.page.click('button[type="submit"]');
  await v.page.locator('input[name="prompt"][value="consent"]').waitFor({ state: 'attached' });
  await v.page.click('button[type="submit"]');
  await v.page.waitForURL((url) => url.origin === site.origin);
}

// cookiesOf returns a Client with the cookies of a browser.
async function cookiesOf(v) {
  const client = new Client(site.origin);
  for (const { name, value } of await v.context.cookies(site.origin)) client.cookies.set(name, value);
  return client;
}

// isRefused fails unless a sign-in was refused with a code and words, and the browser is not signed in.
async function isRefused(got, client, status, code, words) {
  assert.deepEqual([got.status, got.code], [status, code], got.text.slice(0, 2000));
  assert.match(got.text, words);
  assert.equal(await client.who(), null);
}

const foreign = /This sign-in was begun in another browser, was used before, or took too long\./;

test('one person, one workspace: two browsers, three replicas, one call, until they sign out', async () => {
  const [first, second] = [await open(), await open()];
  await first.open(`${site.origin}/history`);
  assert.equal(new URL(first.page.url()).pathname, '/sign-in');
  await first.accessible();
  await signIn(first, 'ada');
  assert.equal(new URL(first.page.url()).pathname, '/history', 'the page that was asked for');

  await first.open(`${site.origin}/`);
  await first.click('form[data-start="azure-devops"] button');
  await first.round(1);
  const call = new URL(first.page.url()).pathname;
  await first.page.selectOption('[data-field="resolution"]', 'Duplicate');
  await first.click('[data-do="send"]');
  await first.round(2);

  await second.open(site.origin + call);
  await signIn(second, 'ada');
  assert.equal(new URL(second.page.url()).pathname, call);
  await second.round(2);
  await second.page.fill('[data-field="duplicateOfId"]', '4301');
  await second.click('[data-do="send"]');
  await second.status('complete');
  assert.match(await second.text('[data-result]'), /Duplicate of Bug #4301/);
  const ada = await cookiesOf(second);
  for (const at of site.replicas) {
    const got = await ada.ask(call, { at });
    assert.equal(got.status, 200);
    assert.match(got.text, /data-status="complete"/);
  }
  const bob = new Client(site.origin);
  await bob.signIn('bob');
  for (const at of site.replicas) assert.equal((await bob.ask(call, { at })).status, 404);

  await first.open(`${site.origin}/sign-in`);
  assert.equal(await first.text('h1'), 'Signed in as ada');
  await first.accessible();
  await first.click('form[action="/sign-out"] button');
  await first.page.locator('[data-do="sign-in"]').waitFor();
  await first.open(site.origin + call);
  assert.equal(new URL(first.page.url()).pathname, '/sign-in');
  await second.open(site.origin + call);
  assert.equal(new URL(second.page.url()).pathname, call, 'the other browser is still signed in');
  await first.leave();
  await second.leave();
});

describe('attacks on a sign-in', () => {
  test('next= leads to no other site', async () => {
    for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)',
      '/%09/evil.example', 'https:evil.example']) {
      const client = new Client(site.origin);
      const got = await client.signIn('ada', next);
      assert.equal(got.status, 303);
      assert.equal(new URL(got.location, site.origin).origin, site.origin, `${next}: ${got.location}`);
      assert.equal(await client.who(), 'ada');
    }
  });

  test('a cookie that was planted before is of no use after it', async () => {
    const eve = new Client(site.origin);
    await eve.signIn('eve');
    const planted = new Map(eve.cookies);
    const v = await open();
    await v.context.addCookies([...planted].map(([name, value]) => ({ name, value, url: site.origin, secure: true })));
    await v.open(`${site.origin}/sign-in`);
    assert.equal(await v.text('h1'), 'Signed in as eve');
    await v.open(`${site.origin}/sign-in/start`); // the victim signs in all the same
    await identify(v, 'ada');
    const victim = await cookiesOf(v);
    assert.equal(await victim.who(), 'ada');
    for (const [name, value] of planted) assert.notEqual(victim.cookies.get(name), value, name);
    eve.cookies = planted;
    assert.equal(await eve.who(), 'eve', 'the planted cookie does not become that of the victim');
    await v.leave();
  });

  test('the answer for another browser signs no one in, nor anyone out', async () => {
    const [victim, attacker, busy, signedIn] = [1, 2, 3, 4].map(() => new Client(site.origin));
    const back = await attacker.leave('eve');
    await isRefused(await victim.ask(back), victim, 400, 'sign_in_foreign', foreign);
    await busy.leave('ada');
    await isRefused(await busy.ask(back), busy, 400, 'sign_in_foreign', foreign);
    await signedIn.signIn('ada');
    assert.equal((await signedIn.ask(back)).code, 'sign_in_foreign');
    assert.equal(await signedIn.who(), 'ada');

    const v = await open(); // a link of the attacker's, clicked
    v.expects(/status of 400/);
    await v.open(site.origin + back);
    assert.match(await v.text('[data-error="sign_in_foreign"]'), foreign);
    await v.leave();
  });

  test('two browsers that swap their answers are both refused', async () => {
    const [one, two] = [new Client(site.origin), new Client(site.origin)];
    const [first, second] = [await one.leave('ada'), await two.leave('bob')];
    await isRefused(await one.ask(second), one, 400, 'sign_in_foreign', foreign);
    await isRefused(await two.ask(first), two, 400, 'sign_in_foreign', foreign);
  });

  test('a code works once, at whatever replica', async () => {
    const ada = new Client(site.origin);
    const back = await ada.leave('ada');
    const ticket = new Map(ada.cookies);
    assert.equal((await ada.ask(back, { at: site.replicas[0] })).status, 303);
    for (const at of site.replicas) {
      const thief = new Client(site.origin);
      thief.cookies = new Map(ticket);
      await isRefused(await thief.ask(back, { at }), thief, 400, 'sign_in_foreign', foreign);
    }
    assert.equal(await ada.who(), 'ada');
  });

  test('a stolen code does not fit into another sign-in', async () => {
    const [victim, thief] = [new Client(site.origin), new Client(site.origin)];
    const stolen = new URL(await victim.leave('ada'), site.origin).searchParams.get('code');
    const own = new URL(await thief.leave('eve'), site.origin);
    own.searchParams.set('code', stolen);
    await isRefused(await thief.ask(own.pathname + own.search), thief, 401, 'sign_in_invalid',
      /The answer of the identity provider is not valid\./);
  });

  test('another site sends no form', async () => {
    const v = await open();
    await v.open(`${site.origin}/sign-in`);
    await signIn(v, 'ada');
    const evil = createServer((req, res) => res.writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<link rel="icon" href="data:,"><form method="post" action="${site.origin}${new URL(req.url, 'http://x').searchParams.get('to')}">
        <input name="sample" value="azure-devops"><button>Win a prize</button></form>`));
    evil.listen(0, '127.0.0.1');
    await once(evil, 'listening');
    v.expects(/status of 403/);
    for (const to of ['/sign-out', '/exchanges', '/history/delete', '/settings/tokens']) {
      await v.open(`http://127.0.0.1:${evil.address().port}/?to=${to}`);
      await v.click('button');
      await v.page.waitForURL((url) => url.origin === site.origin);
      assert.match(await v.text('[data-error="cross_site"]'), /Another site tried to send this form\./);
      // Even if a browser sent the cookies with it.
      const victim = await cookiesOf(v);
      const got = await victim.ask(to, { form: { sample: 'azure-devops' }, headers: { origin: 'https://evil.example' } });
      assert.deepEqual([got.status, got.code], [403, 'cross_site']);
      assert.equal(await victim.who(), 'ada');
    }
    evil.closeAllConnections();
    evil.close();
    await v.leave();
  });

  test('the header of a proxy names no one where people sign in with OpenID Connect', async () => {
    for (const at of [site.origin, ...site.replicas]) {
      const got = await new Client(site.origin).ask('/history', { at, headers: { 'X-Remote-User': 'ada' } });
      assert.deepEqual([got.status, got.location], [303, '/sign-in?next=%2Fhistory']);
    }
  });
});

describe('people whom the proxy names', () => {
  const as = (name, forged) => ({ ...name && { authorization: password(name) }, ...forged && { 'X-Remote-User': forged } });

  test('the proxy says who it is, whatever the browser says', async () => {
    const ada = new Client(named.origin);
    const { status, location: call } = await ada.ask('/exchanges', { form: { sample: 'azure-devops' }, headers: as('ada') });
    assert.equal(status, 303);
    const again = new Client(named.origin); // no cookie is needed
    assert.equal((await again.ask(call, { headers: as('ada') })).status, 200);
    assert.equal((await again.ask(call, { headers: as('bob') })).status, 404);
    assert.equal((await again.ask(call, { headers: as('bob', 'ada') })).status, 404, 'forged by another person');
    for (const name of ['X-Remote-User', 'x-remote-user', 'X-REMOTE-USER', 'X_Remote_User']) {
      const got = await again.ask(call, { headers: { [name]: 'ada' } });
      assert.deepEqual([got.status, got.code], [401, 'no_user'], name);
      assert.match(got.text, /The proxy in front of this site has not signed you in\./);
    }
  });

  test('a replica takes the header from the proxy only', async () => {
    const client = new Client(named.origin);
    for (const at of named.replicas) {
      const got = await client.ask('/history', { at, from: '127.0.0.2', headers: as('', 'ada') });
      assert.deepEqual([got.status, got.code], [401, 'no_user']);
      assert.equal((await client.ask('/history', { at, headers: as('', 'ada') })).status, 200,
        'the same from the address of the proxy');
    }
  });
});
