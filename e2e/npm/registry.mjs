// A registry of npm packages on loopback.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, temporary } from '../program.mjs';

const run = promisify(execFile);

// registry starts a registry with no packages. What it lacks, it gets from upstream, if that is
// the URL of another one.
export async function registry(upstream) {
  const dir = await temporary('registry');
  const url = `http://127.0.0.1:${await freePort()}`;
  const mine = { access: '$all', publish: '$anonymous' };
  await writeFile(join(dir, 'config.json'), JSON.stringify({ // YAML, too
    storage: join(dir, 'storage'),
    uplinks: upstream ? { upstream: { url: upstream, timeout: '120s' } } : {},
    packages: {
      'mrtr-playground': mine, '@mrtr-playground/*': mine,
      '**': { access: '$all', ...(upstream && { proxy: 'upstream' }) },
    },
    max_body_size: '100mb',
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'warn' },
  }));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'node_modules/verdaccio/bin/verdaccio'),
    '--config', join(dir, 'config.json'), '--listen', url], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = [];
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text) => log.push(text));
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the registry has ended:\n${log.join('')}`);
    if (await fetch(`${url}/-/ping`).then((r) => r.ok, () => false)) break;
  }
  return {
    url,
    log,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

// clean returns the environment of a user of a registry who has nothing in any cache.
export async function clean({ url }) {
  const home = await temporary('home');
  await writeFile(join(home, '.npmrc'), `registry=${url}/
//${new URL(url).host}/:_authToken=anyone
update-notifier=false
audit=false
fund=false
`);
  return { PATH: process.env.PATH, HOME: home };
}

// publish publishes the package in a folder.
export async function publish(store, folder) {
  await run('npm', ['publish', '--tag', 'latest', folder], { env: await clean(store), maxBuffer: 16 << 20 });
}
