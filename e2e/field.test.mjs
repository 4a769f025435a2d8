// The facts of the page The field, measured again: a server, a client and a gateway that need no
// packages beside those of the other tests. The facts are the same on every day.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { build, program, tidy } from './program.mjs';

after(tidy);

for (const slug of ['typescript-server', 'go-sdk-client', 'gateway-nginx']) {
  test(`${slug}: the facts are those that the page has`, async () => {
    const tool = await build('./e2e/field');
    const { stdout } = await promisify(execFile)(tool, ['-compare', slug], { cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, MRTR_PROGRAM: await program() } }).catch((error) => error);
    assert.match(stdout, /^facts: \d{2,3} the same, 0 changed\n$/);
  });
}
