// Runs the official TypeScript client against the samples, in both eras, and through
// client -stdio. It answers automatically and must complete every call. The output
// lists the calls.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { program as path, start, temporary, tidy } from './program.mjs';
import { before2026, connect, connectTo, stories } from './typescript-client.mjs';

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

for (const [era, mode] of [['2026-07-28', { pin: '2026-07-28' }], ['2025-11-25', 'legacy'], ['either', 'auto']]) {
  test(`TypeScript client and server over standard input, ${era}: nothing is wrong`, async () => {
    const report = join(await temporary('report'), 'report.json');
    const command = `'${process.execPath}' '${join(import.meta.dirname, 'stdio-server.mjs')}'`;
    const client = await connectTo(program.url, new StdioClientTransport({
      command: await path(), args: ['client', '-stdio', command, '-report', report],
    }), mode);
    const said = JSON.stringify(await client.callTool({ name: 'book', arguments: {} }));
    await client.close();
    assert.match(said, /Booked for Ada/);
    const board = JSON.parse(await readFile(report, 'utf8'));
    const wrong = [...board.rules, ...board.server_rules].filter((line) => line.verdict === 'fail');
    assert.deepEqual(wrong, []);
    assert.equal(board.runs[0].ended, 'exit status 0');
    assert.ok(board.clients.includes('mrtr-playground-e2e 1.0.0'));
  });
}
