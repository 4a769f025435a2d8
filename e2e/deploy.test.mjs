// Tests what .deploy has, each file with its own validator, and plays a call with
// the program behind nginx.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { get } from 'node:http';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { end, freePort, program, start, temporary, tidy } from './program.mjs';
import { Client, identityProvider, password } from './servers/people.mjs';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..', '.deploy');
const read = (name) => readFile(join(folder, name), 'utf8');
process.env.PATH += ':/usr/sbin'; // nginx of Debian

const proxies = [];
after(async () => {
  await Promise.all(proxies.map((nginx) => end(nginx, 'SIGTERM')));
  await tidy();
});

test('systemd takes the unit, and rates its exposure as low', async () => {
  const dir = await temporary('unit');
  const unit = join(dir, 'mrtr-playground.service');
  const text = await read('mrtr-playground.service');
  const installed = join(dir, 'mrtr-playground');
  await copyFile(await program(), installed);
  await writeFile(unit, text.replace('/usr/local/bin/mrtr-playground', installed));
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--recursive-errors=no', unit]);
  assert.equal(stdout + stderr, '');
  // 20 of 100: exit code 1 above it.
  await run('systemd-analyze', ['security', '--offline=yes', '--threshold=20', '--no-pager', unit]);
});

test('the files agree on addresses, settings and secrets', async () => {
  const [compose, proxy, unit] = await Promise.all(
    ['compose.yaml', 'nginx.conf', 'mrtr-playground.service'].map(read));
  const replicas = [...proxy.matchAll(/server (\S+):2322 /g)].map(([, address]) => address);
  assert.equal(replicas.length, 3);
  for (const address of replicas) assert.ok(compose.includes(`ipv4_address: ${address}\n`), address);
  const trusted = /MRTR_TRUSTED_PROXY: (\S+)/.exec(compose)[1];
  assert.match(compose, new RegExp(`proxy:[\\s\\S]*ipv4_address: ${trusted}\\n`));
  assert.equal(/MRTR_REPLICAS: "(\d)"/.exec(compose)[1], '3');
  for (const [, name] of proxy.matchAll(/\/run\/secrets\/([\w.]+)/g)) {
    assert.ok(compose.includes(`      - ${name}\n`), name);
  }
  const published = [...compose.matchAll(/^      - "(\d+):\d+"$/gm)].map(([, port]) => port);
  assert.deepEqual(published, ['80', '443'], 'only the proxy has public ports');
  const { stdout } = await run(await program(), ['-help']);
  for (const [, name] of (compose + unit).matchAll(/\b(MRTR_[A-Z_]+)\b/g)) {
    assert.ok(stdout.includes(`(${name}`), name);
  }
});

test('the proxy of one program is that of three with one upstream', async () => {
  const [three, one] = await Promise.all([read('nginx.conf'), read('nginx-one.conf')]);
  const cut = (text, from, to) => text.slice(0, text.indexOf(from)) + text.slice(text.indexOf(to));
  const events = '        # Event streams of pages';
  let want = cut(cut(three, '# The reverse', 'worker_processes'), '    # Any replica', '    proxy_http_version');
  want = cut(want, '        # A page that', events).replaceAll('$holder', 'playground').replaceAll('/run/secrets/', '/etc/nginx/')
    .replace('    proxy_http_version', `    upstream playground {
        server 127.0.0.1:2322;
        keepalive 32;
    }

    proxy_http_version`)
    .replace(events, `        location / {\n            proxy_pass http://playground;\n        }\n\n${events}`);
  assert.equal(cut(one, '# The reverse', 'worker_processes'), want);
});

test('the settings of a team are those of the program', async () => {
  const settings = [...(await read('team.env')).matchAll(/^#?(MRTR_\w+)=(.*)$/gm)]
    .map(([, name, value]) => [name, name === 'MRTR_OIDC_SECRET' ? 'secret' : value]);
  assert.ok(settings.length > 6);
  const data = await temporary('settings');
  const started = run(await program(), ['serve', '-addr', '127.0.0.1:0', '-data', data],
    { env: { HOME: data, ...Object.fromEntries(settings) }, timeout: 3_600_000 });
  started.child.stdout.once('data', () => started.child.kill('SIGTERM'));
  assert.match((await started).stdout, /^listening on /);
});

let site, web, plain, certificate, log;

// proxied starts the program in public mode behind nginx, with the configuration
// of .deploy but for addresses, ports and paths. Of its three replicas the first
// is down, and the others are the program.
async function proxied() {
  [web, plain] = [await freePort(), await freePort()];
  site = await start({ flags: ['-public', '-base-url', `https://localhost:${web}`, '-trusted-proxy',
    '127.0.0.1', '-log-requests', '-limit', 'wrong-links=2/10m', '-limit', 'drain-delay=1ms'] });
  const own = new URL(site.url).host;
  certificate = await proxy((await read('nginx.conf'))
    .replaceAll('172.30.23.21:2322', `127.0.0.1:${await freePort()}`)
    .replaceAll(/172\.30\.23\.2[23]:2322/g, own), web, plain);
}

// proxy starts nginx with a configuration of .deploy, at other ports, and returns its
// certificate.
async function proxy(text, secure, insecure) {
  const dir = await temporary('nginx');
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj',
    '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', join(dir, 'certificate.key'),
    '-out', join(dir, 'certificate.pem')]);
  const conf = text.replaceAll(/\/(run\/secrets|etc\/nginx)\/certificate/g, `${dir}/certificate`)
    .replace('listen 80;', `listen 127.0.0.1:${insecure};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${secure} ssl http2;`)
    .replace('http {', `http {\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${dir}/${name};`).join('\n')}`);
  assert.ok(!conf.includes('172.30.'));
  await writeFile(join(dir, 'nginx.conf'), conf);
  log = join(dir, 'error.log');
  const args = ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', log,
    '-g', `daemon off; pid ${join(dir, 'pid')};`];
  await mkdir(join(dir, 'client_body'));
  await run('nginx', ['-t', ...args]);
  const nginx = spawn('nginx', args, { stdio: 'inherit' });
  proxies.push(nginx);
  while (!await accepts(secure)) assert.equal(nginx.exitCode, null, 'nginx ended');
  return readFile(join(dir, 'certificate.pem'));
}

// accepts reports whether a port takes a connection.
function accepts(port) {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.on('connect', () => { socket.destroy(); resolve(true); });
    socket.on('error', () => resolve(false));
  });
}

// ask sends a request by HTTPS and returns the response, whose body is not read.
function ask(path, { method = 'GET', headers = {}, form, body } = {}) {
  return new Promise((resolve, reject) => {
    const req = request(`https://localhost:${web}${path}`, { method, ca: certificate, family: 4,
      headers: { ...headers, ...form && { 'Content-Type': 'application/x-www-form-urlencoded',
        Origin: `https://localhost:${web}` } } }, resolve);
    req.on('error', reject);
    req.end(form ? new URLSearchParams(form).toString() : body);
  });
}

async function text(res) {
  let body = '';
  for await (const chunk of res.setEncoding('utf8')) body += chunk;
  return body;
}

let cookie;

// visit is ask for one visitor.
async function visit(path, form) {
  const res = await ask(path, { method: form ? 'POST' : 'GET', form, headers: cookie ? { cookie } : {} });
  const set = res.headers['set-cookie'];
  if (set) cookie = set.map((line) => line.split(';')[0]).join('; ');
  return res;
}

describe('behind nginx', () => {
  before(proxied);

  test('HTTP leads to HTTPS', async () => {
    const [res] = await once(get(`http://127.0.0.1:${plain}/learn?a=b`, { headers: { host: 'localhost' } }),
      'response');
    assert.equal(res.statusCode, 308);
    assert.equal(res.headers.location, 'https://localhost/learn?a=b');
  });

  test('a call is played to its end', async () => {
    let res = await visit('/exchanges', { sample: 'azure-devops' });
    const path = res.headers.location;
    assert.equal(res.statusCode, 303);
    assert.match(cookie, /__Host-/);
    for (const [round, answer] of [['1', 'Duplicate'], ['2', '4301']]) {
      res = await visit(`${path}/rounds`, { round, 'a0.action': 'accept', 'a0.f0': answer });
      assert.equal(res.statusCode, 303);
    }
    assert.match(await text(await visit(path)), /Duplicate of Bug #4301/);
  });

  test('an event arrives while the call runs', async () => {
    const { headers: { location: path } } = await visit('/exchanges',
      { target: 'slow', kind: 'tool', tool: 'wait', raw: 'true', json: '{"seconds":6}' });
    const stream = await visit(`${path}/events`);
    assert.equal(stream.headers['content-type'], 'text/event-stream');
    assert.match(await text(await visit(path)), /data-status="running"/);
    assert.match(await text(stream), /event: changed/);
  });

  test('another client lists the tools of a sample', async () => {
    const method = 'tools/list';
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'deploy', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {} } };
    const res = await ask('/mcp/confirm', { method: 'POST',
      headers: { 'Content-Type': 'application/json', accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
    const answer = await text(res);
    assert.equal(res.statusCode, 200, answer);
    assert.match(answer, /"tools":\[\{/);
  });

  test('a visitor cannot claim another address', async () => {
    const statuses = [];
    for (let n = 1; n <= 4; n++) {
      const res = await ask(`/s/${'A'.repeat(26)}${n}`, { headers: { 'X-Forwarded-For': `203.0.113.${n}` } });
      statuses.push(res.statusCode);
      res.resume();
    }
    assert.deepEqual(statuses, [404, 404, 429, 429]);
  });

  test('the log names routes, and no address or query', async () => {
    const lines = site.log.join('').trim().split('\n').map((line) => JSON.parse(line));
    const routes = lines.filter(({ msg }) => msg === 'request').map(({ route }) => route);
    assert.ok(routes.includes('/x/:id/rounds'));
    assert.ok(routes.includes('/s/:token'));
    assert.ok(!/203\.0\.113|AAAA/.test(site.log.join('')));
  });

  test('SIGTERM ends the program in order, and the proxy says that it is away', async () => {
    assert.equal(await site.stop(), 0);
    const res = await ask('/');
    assert.equal(res.statusCode, 502);
    res.resume();
  });
});

// A program behind nginx-one.conf: at an identity provider, and at the proxy itself.
describe('one program whose people sign in', () => {
  // team starts it with flags, and returns the port of its proxy.
  async function team(port, flags, change = (text) => text) {
    const one = await start({ flags: ['-base-url', `https://localhost:${port}`, '-trusted-proxy', '127.0.0.1', ...flags] });
    await proxy(change((await read('nginx-one.conf')).replace('127.0.0.1:2322', new URL(one.url).host)), port, await freePort());
    return one;
  }

  test('with OpenID Connect', async () => {
    const port = await freePort();
    const origin = `https://localhost:${port}`;
    const idp = await identityProvider(origin, true);
    await team(port, ['-oidc-issuer', idp.url, '-oidc-client', 'playground']);
    const ada = new Client(origin);
    assert.equal((await ada.ask('/history', { headers: { 'X-Remote-User': 'ada' } })).location, '/sign-in?next=%2Fhistory');
    assert.equal((await ada.signIn('ada', '/history')).location, '/history');
    const { location: call } = await ada.ask('/exchanges', { form: { sample: 'azure-devops' } });
    const again = new Client(origin);
    await again.signIn('ada');
    assert.equal((await again.ask(call)).status, 200);
    await ada.ask('/sign-out', { form: {} });
    assert.equal(await ada.who(), null);
    await idp.stop();
  });

  test('by the proxy, with the lines that README.md shows', async () => {
    const port = await freePort();
    const dir = await temporary('people');
    await chmod(dir, 0o755); // the workers of nginx are another user
    await writeFile(join(dir, 'people'), 'ada:{PLAIN}secret\n');
    const lines = /```nginx\n([\s\S]*?)```/.exec(await read('README.md'))[1].replace('/etc/nginx/people', join(dir, 'people'));
    await team(port, ['-user-header', 'X-Remote-User'], (text) => {
      assert.ok(text.includes('proxy_set_header X-Remote-User "";'));
      return text.replace('proxy_set_header X-Remote-User "";', () => lines);
    });
    const client = new Client(`https://localhost:${port}`);
    const ask = async (path, headers) => {
      const { status, code } = await client.ask(path, { headers });
      return [status, code];
    };
    const wrong = { authorization: `Basic ${Buffer.from('ada:wrong').toString('base64')}`, 'X-Remote-User': 'ada' };
    assert.deepEqual(await ask('/history', { authorization: password('ada') }), [200, undefined]);
    assert.deepEqual(await ask('/history', { 'X-Remote-User': 'ada' }), [401, undefined], 'nginx asks for a password');
    for (const path of ['/history', '/sign-in', '/c/../history', '/c%2f..%2fhistory', '/mcp/%2e%2e/history']) {
      assert.deepEqual(await ask(path, wrong), [401, undefined], path);
    }
    // What is open takes no one for a person.
    assert.deepEqual(await ask('/follow/0000-0000', wrong), [404, 'not_found']);
    assert.deepEqual(await ask('/samples/../history', { ...wrong, 'X-Remote-User': 'ada' }), [401, undefined]);
  });
});
