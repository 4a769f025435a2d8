// Signing in to protected servers, with the tokens of a certified authorization
// server (npm oidc-provider).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { authorizationServer, browse, protectedTypeScript } from './servers/oauth.mjs';
import { protectedGoSDK } from './servers/programs.mjs';
import { program, start, temporary, tidy } from './program.mjs';

let issuer, servers;
const robot = { client_id: 'robot', client_secret: 'the secret of the robot of the tests', redirect_uris: [],
  response_types: [], grant_types: ['client_credentials'] };
before(async () => {
  issuer = await authorizationServer([robot]);
  servers = { 'TypeScript SDK': await protectedTypeScript(issuer.url), 'go-sdk': await protectedGoSDK(issuer.url) };
});
after(async () => {
  for (const server of Object.values(servers ?? {})) await server.stop();
  await issuer?.stop();
  await tidy();
});

// command runs the program. Where it asks for a browser, it gets one.
async function command(args, env = {}) {
  const child = spawn(await program(), args, { env: { ...process.env, ...env } });
  const out = { stdout: '', stderr: '', browsed: 0 };
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (text) => { out.stdout += text; });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    out.stderr += text;
    seen += text;
    for (let at; (at = /^Sign in with your browser at\n(.*)\n/m.exec(seen)); seen = seen.slice(at.index + at[0].length)) {
      out.browsed++;
      browse(at[1]).catch((error) => child.kill() && assert.fail(error));
    }
  });
  [out.code] = await once(child, 'close');
  return out;
}

const yes = async () => {
  const file = join(await temporary('answers'), 'answers.json');
  await (await import('node:fs/promises')).writeFile(file, '{"confirm":{"ok":true}}');
  return file;
};

test('call signs in to a server on the TypeScript SDK, and again for a further scope', async () => {
  const { url } = servers['TypeScript SDK'];
  const got = await command(['call', '-sign-in', '-answers', await yes(), url, 'deploy', '{"env":"prod"}']);
  assert.equal(got.code, 0, got.stderr);
  assert.match(got.stdout, /deployed to prod/);
  assert.equal(got.browsed, 2, 'once to be let in, once for deploy:write');
  assert.match(got.stderr, /scope=deploy%3Aread\+offline_access\+deploy%3Awrite/);
});

test('call signs in to a server on go-sdk', async () => {
  const got = await command(['call', '-sign-in', '-answers', await yes(), servers['go-sdk'].url, 'deploy', '{"env":"prod"}']);
  assert.equal(got.code, 0, got.stderr);
  assert.match(got.stdout, /ada deployed to prod: true/);
  assert.equal(got.browsed, 1);
});

test('call signs in to the protected sample, and again for a further scope', async () => {
  const site = await start();
  try {
    const url = `${site.url}/mcp/protected`;
    const file = join(await temporary('kept'), 'tokens.json');
    const answers = join(await temporary('answers'), 'answers.json');
    await writeFile(answers, '{"send":{"to":"Dave"},"delete":{"delete":true}}');
    const call = (...args) => command(['call', '-sign-in', '-keep', file, '-answers', answers, url, ...args]);
    const sent = await call('send_note', '{"note":"talk"}');
    assert.equal(sent.code, 0, sent.stderr);
    assert.match(sent.stdout, /Alice sent “Begin with the question” to Dave/);
    assert.equal(sent.browsed, 1);
    assert.doesNotMatch(sent.stderr, /^sign-in: /m, 'a warning about the sample');
    const deleted = await call('delete_note', '{"note":"talk"}');
    assert.equal(deleted.code, 0, deleted.stderr);
    assert.match(deleted.stdout, /Alice deleted the note/);
    assert.equal(deleted.browsed, 1, 'the kept token lets in, but not delete');
    assert.match(deleted.stderr, /scope=notes%3Aread\+offline_access\+notes%3Awrite/);
    assert.ok(!site.log.join('').includes('state='), site.log.join(''));
  } finally {
    await site.stop();
  }
});

test('a token that has expired is refreshed', async () => {
  const site = await start();
  try {
    const url = `${site.url}/mcp/protected`;
    const file = join(await temporary('kept'), 'tokens.json');
    const args = ['call', '-sign-in', '-keep', file, url, 'list_notes'];
    const first = await command(args);
    assert.equal(first.browsed, 1, first.stderr);
    const kept = JSON.parse(await readFile(file, 'utf8'));
    const { access, refresh } = kept.token;
    kept.token.expires = new Date(Date.now() - 1000).toISOString();
    await writeFile(file, JSON.stringify(kept));
    const again = await command(args);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /Notes of Alice/);
    assert.equal(again.browsed, 0);
    const { token } = JSON.parse(await readFile(file, 'utf8'));
    assert.notEqual(token.access, access);
    assert.notEqual(token.refresh, refresh);
  } finally {
    await site.stop();
  }
});

test('kept tokens are used again, and only their user can read them', async () => {
  const file = join(await temporary('kept'), 'tokens.json');
  const args = ['call', '-sign-in', '-keep', file, servers['go-sdk'].url];
  assert.equal((await command(args)).browsed, 1);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const again = await command(args);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(again.browsed, 0);
  const { token } = JSON.parse(await readFile(file, 'utf8'));
  const json = await command(['call', '-json', ...args.slice(1), 'deploy', '{"env":"x"}']);
  assert.ok(!json.stdout.includes(token.access), 'the record has the token');
});

test('without -sign-in the challenge is told, and nothing is asked', async () => {
  const got = await command(['call', servers['go-sdk'].url, 'deploy', '{"env":"x"}']);
  assert.equal(got.code, 1);
  assert.equal(got.browsed, 0);
  assert.match(got.stdout, /requires a sign-in/);
});

test('check signs in', async () => {
  const got = await command(['check', '-sign-in', '-tool', 'deploy', '-args', '{"env":"x"}', '-answers', await yes(),
    '-format', 'json', '-wait', '1s', servers['go-sdk'].url]);
  assert.equal(got.browsed, 1, got.stderr);
  assert.ok(JSON.parse(got.stdout), got.stderr);
});
