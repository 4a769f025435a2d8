// An identity provider (npm oidc-provider, which is certified) for people who sign in to the
// site itself, and the site: three replicas behind nginx.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build, end, program } from '../program.mjs';
import { authorizationServer, browse } from './oauth.mjs';

const secret = 'a secret of the tests';

// identityProvider knows the site at an origin as its only client, which has a secret unless it
// is a public one.
export function identityProvider(origin, isPublic = false) {
  return authorizationServer([{ client_id: 'playground', redirect_uris: [`${origin}/sign-in/callback`],
    ...isPublic ? { token_endpoint_auth_method: 'none' } : { client_secret: secret } }]);
}

// stand starts three replicas behind nginx. Its config is by default that of .deploy.
export async function stand({ port, config = join(import.meta.dirname, '..', '..', '.deploy', 'nginx.conf'), flags }) {
  const args = ['-program', await program(), '-config', config, ...port ? ['-port', `${port}`] : [], '--', ...flags];
  const child = spawn(await build('./e2e/stand'), args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, MRTR_OIDC_SECRET: secret },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log = [];
  child.stderr.setEncoding('utf8').on('data', (text) => log.push(text));
  for await (const line of createInterface({ input: child.stdout })) {
    return { ...JSON.parse(line), log, stop: () => { child.stdin.end(); return end(child, 0); } };
  }
  throw new Error(`the site did not start:\n${log.join('')}`);
}

// Client is a browser without pages: it keeps cookies and follows nothing.
export class Client {
  cookies = new Map();

  constructor(origin) {
    this.origin = origin;
  }

  // ask sends a request to the site, or to a replica of it, which gets the same cookies. With
  // from, it comes from that address of this machine.
  async ask(path, { method, form, headers = {}, at = this.origin, from = '127.0.0.1' } = {}) {
    const { protocol, hostname, port } = new URL(at);
    const send = protocol === 'https:' ? secure : plain;
    const body = form && new URLSearchParams(form).toString();
    const response = await new Promise((resolve, reject) => {
      const req = send({ // the path goes as it is, with all its dots
        hostname, port, path, method: method ?? (form ? 'POST' : 'GET'), family: 4, localAddress: from, rejectUnauthorized: false,
        headers: { ...this.cookies.size && { cookie: this.cookie() },
          ...form && { 'content-type': 'application/x-www-form-urlencoded', origin: this.origin }, ...headers },
      }, resolve);
      req.on('error', reject);
      req.end(body);
    });
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (/Max-Age=0|01 Jan 1970/.test(line) || value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.statusCode, location: response.headers.location, text,
      code: /data-error="([^"]+)"/.exec(text)?.[1] };
  }

  cookie() {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  // leave goes to the identity provider and signs in there. It returns the path of the site
  // that the provider would send this browser to.
  async leave(login, next = '/') {
    const { location } = await this.ask(`/sign-in/start?next=${encodeURIComponent(next)}`);
    const back = await browse(location, [], { login, client: this.origin });
    return back.slice(this.origin.length);
  }

  // signIn is leave and the way back.
  async signIn(login, next) {
    return this.ask(await this.leave(login, next));
  }

  // who returns as whom the site knows this browser, or null.
  async who() {
    return /<h1>Signed in as ([^<]*)</.exec((await this.ask('/sign-in')).text)?.[1] ?? null;
  }
}

// withProxySignIn returns the configuration of nginx of a proxy that signs people in: it knows
// ada and bob by a password, and lets the others through as no one.
export async function withProxySignIn() {
  const conf = await readFile(join(import.meta.dirname, '..', '..', '.deploy', 'nginx.conf'), 'utf8');
  return conf.replace('proxy_set_header X-Remote-User "";', 'proxy_set_header X-Remote-User $person;')
    .replace('http {', `http {\nmap $http_authorization $person { default "";\n${['ada', 'bob'].map((name) =>
      `"${password(name)}" ${name};`).join('\n')} }`);
}

// password returns the header with which a person signs in to that proxy.
export function password(name) {
  return `Basic ${Buffer.from(`${name}:secret`).toString('base64')}`;
}
