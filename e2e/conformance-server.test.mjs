// Runs the official conformance suite against /mcp/conformance, for each revision
// of MCP that it scores and for the tasks extension.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { start, tidy } from './program.mjs';

let program;
before(async () => {
  program = await start();
});
after(tidy);

const suite = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

// run returns the summary of the suite: for each scenario, the number of checks
// that passed and failed, and whether it counts for the revision.
async function run(revision, query = '', option = '--requirements') {
  const output = await new Promise((on) => {
    // The exit code ignores scenarios that do not count, so read the lines.
    execFile(process.execPath, [suite, 'server', '--url', `${program.url}/mcp/conformance${query}`,
      option, revision], { maxBuffer: 64 << 20 }, (_, stdout, stderr) =>
      on(stdout + stderr));
  });
  const [, summary] = output.split('=== SUMMARY ===');
  assert.ok(summary, `no summary in the output of the suite:\n${output.slice(-2000)}`);
  const [counted, rest = ''] = summary.split('Not scored for');
  const unscored = new Set([...rest.matchAll(/[✓✗] (\S+) \(/g)].map(([, name]) => name));
  return [...counted.matchAll(/[✓✗] (\S+): (\d+) passed, (\d+) failed/g)].map(([, name, passed, failed]) => ({
    name, passed: Number(passed), failed: Number(failed), scored: !unscored.has(name),
  }));
}

function sum(list, key) {
  return list.reduce((n, s) => n + s[key], 0);
}

function report(t, title, list) {
  for (const s of list) t.diagnostic(`${s.failed ? 'FAILED' : 'passed'}  ${s.name}: ${s.passed} passed, ${s.failed} failed`);
  t.diagnostic(`${title}: ${list.length} scenarios, ${sum(list, 'passed')} checks passed, ${sum(list, 'failed')} failed`);
}

test('2026-07-28: all 37 scored scenarios, and the tasks extension', async (t) => {
  const all = await run('2026-07-28');
  const scored = all.filter((s) => s.scored);
  const tasks = all.filter((s) => s.name.startsWith('tasks-'));
  report(t, 'scored', scored);
  report(t, 'tasks', tasks);
  assert.equal(scored.length, 37);
  assert.equal(sum(scored, 'failed'), 0);
  assert.equal(tasks.length, 10);
  assert.equal(sum(tasks, 'failed'), 0);
  assert.ok(sum(tasks, 'passed') >= 40, 'too few checks ran in the tasks scenarios');
});

test('2026-07-28: three instances, each request on the next one', async (t) => {
  const scored = (await run('2026-07-28', '?instances=a,b,c')).filter((s) => s.scored);
  report(t, 'scored', scored);
  assert.equal(scored.length, 37);
  assert.equal(sum(scored, 'failed'), 0);
});

test('2025-11-25: all scored scenarios', async (t) => {
  const scored = (await run('2025-11-25')).filter((s) => s.scored);
  report(t, 'scored', scored);
  assert.ok(scored.length >= 30, `only ${scored.length} scenarios`);
  assert.equal(sum(scored, 'failed'), 0);
});

// The suite has no frozen requirements for these revisions, so it runs the
// scenarios that apply to them.
for (const [revision, least] of [['2025-06-18', 27], ['2025-03-26', 1]]) {
  test(`${revision}: all scenarios`, async (t) => {
    const all = await run(revision, '', '--spec-version');
    report(t, 'scenarios', all);
    assert.ok(all.length >= least, `only ${all.length} scenarios`);
    assert.equal(sum(all, 'failed'), 0);
  });
}
