// Runs the official TypeScript client against the samples, in both eras. It
// answers automatically and must complete every call. The output lists the calls.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, tidy } from './program.mjs';
import { before2026, connect, stories } from './typescript-client.mjs';

let program;
before(async () => {
  program = await start();
});
after(tidy);

async function tell([slug, call], mode) {
  const client = await connect(program.url, `${program.url}/mcp/${slug}`, mode);
  try {
    return JSON.stringify(await call(client));
  } finally {
    await client.close();
  }
}

for (const [era, mode, list] of [
  ['2026-07-28', { pin: '2026-07-28' }, stories],
  ['2025-11-25', 'legacy', [...stories, ...before2026]],
  ['whatever the server speaks', 'auto', [...stories, ...before2026]],
]) {
  test(`TypeScript client 2.4.0, ${era}`, async (t) => {
    const failures = [];
    for (const story of list) {
      const [slug, , ends] = story;
      const said = await tell(story, mode).catch((err) => String(err));
      const finished = ends.test(said);
      t.diagnostic(`${finished ? 'finishes' : 'FAILS   '}  ${slug}`);
      if (!finished) failures.push(`${slug}: ${said.slice(0, 400)}`);
    }
    assert.deepEqual(failures, []);
  });
}
