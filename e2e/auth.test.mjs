// Signing in to protected servers, with the tokens of a certified authorization
// server (npm oidc-provider).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { authorizationServer, browse, protectedTypeScript } from './servers/oauth.mjs';
import { protectedGoSDK } from './servers/programs.mjs';
import { program, temporary, tidy } from './program.mjs';

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
