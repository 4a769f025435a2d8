// Tests the container image without a container engine: its build command makes a
// binary that serves from an empty root as an unprivileged user, and passes its
// health check.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort, started, temporary, tidy } from './program.mjs';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

let recipe, binary;
before(async () => {
  recipe = await readFile(join(root, 'Dockerfile'), 'utf8');
  binary = join(await temporary('image'), 'mrtr-playground');
  const [, command] = /^RUN (make static .*)$/m.exec(recipe);
  await run('sh', ['-c', command.replace('/out/mrtr-playground', binary)],
    { cwd: root, env: { ...process.env, VERSION: 'from-the-image' }, maxBuffer: 16 << 20 });
});
after(tidy);

test('the build command makes one static binary', async () => {
  const { stdout, stderr } = await run('ldd', [binary]).catch((error) => error);
  assert.match(stdout + stderr, /not a dynamic executable|statically linked/);
  assert.equal((await run(binary, ['version'])).stdout.trim(), 'mrtr-playground from-the-image');
});

test('the binary serves from an empty root as an unprivileged user, and its health check passes',
  { skip: process.getuid() !== 0 && 'chroot needs root' }, async () => {
  const empty = await temporary('root');
  await mkdir(join(empty, 'data'));
  await copyFile(binary, join(empty, 'mrtr-playground'));
  await chmod(join(empty, 'mrtr-playground'), 0o755);
  await chmod(empty, 0o755);
  await chown(join(empty, 'data'), 65532, 65532);

  const [, lines] = /^ENV (.*)$/m.exec(recipe);
  const env = Object.fromEntries(lines.split(' ').map((pair) => pair.split('=')));
  env.MRTR_ADDR = env.MRTR_ADDR.replace(/\d+$/, await freePort());
  const inside = (...args) => ['chroot', ['--userspec=65532:65532', empty, '/mrtr-playground', ...args],
    { env: { ...env, PATH: process.env.PATH } }];

  const asked = (...args) => run(...inside(...args))
    .then(({ stdout }) => ({ code: 0, stdout }), (error) => error);
  assert.equal((await asked('health')).code, 1, 'the health check fails before the program runs');

  const [command, args, options] = inside('serve');
  const program = await started(spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
  assert.equal((await asked('health')).code, 0);
  const page = await fetch(`http://127.0.0.1:${env.MRTR_ADDR.split(':')[1]}/`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /data-start="azure-devops"/);
  assert.equal(await program.stop(), 0, 'SIGTERM ends it with exit code 0');
});

test('the image declares an unprivileged user, a port and a health check', () => {
  for (const line of [/^FROM scratch$/m, /^USER 65532:65532$/m, /^EXPOSE 2322$/m, /^VOLUME \/data$/m,
    /^HEALTHCHECK .*"\/mrtr-playground", "health"\]$/m, /ca-certificates\.crt/]) {
    assert.match(recipe, line);
  }
});
