// Runs the official conformance suite as the server against the program's
// command `call` as the client.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { program, temporary, tidy } from './program.mjs';

const run = promisify(execFile);
const suite = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

after(tidy);

// Each scenario and the checks that must have passed in it.
const scenarios = {
  'sep-2322-client-request-state': [
    'sep-2322-client-request-state-echoed',
    'sep-2322-client-jsonrpc-id-different',
    'sep-2322-client-no-state-omitted',
    'sep-2322-client-parallel-isolation',
    'sep-2322-default-result-type-complete',
  ],
  'request-metadata': ['sep-2575-client-populates-meta', 'sep-2575-client-retry-supported-version'],
  'http-standard-headers': ['sep-2243-client-includes-standard-headers'],
  'http-custom-headers': [
    'sep-2243-client-supports-custom-headers',
    'sep-2243-client-mirrors-designated-params',
    'sep-2243-client-encode-values',
    'sep-2243-client-base64-unsafe',
    'sep-2243-client-omit-null',
  ],
  'http-invalid-tool-headers': ['sep-2243-client-reject-invalid-tool'],
  'json-schema-ref-no-deref': [],
  tools_call: ['tool-add-numbers'],
  // servers of an earlier revision, which the client has to detect
  initialize: ['mcp-client-initialization'],
  'sse-retry': ['client-sse-graceful-reconnect', 'client-sse-retry-timing', 'client-sse-last-event-id'],
  'elicitation-sep1034-client-defaults': [],
};

// The revision of scenarios that are not about 2026-07-28.
const revisions = {
  initialize: '2025-11-25',
  'sse-retry': '2025-11-25',
  'elicitation-sep1034-client-defaults': '2025-11-25',
};

for (const [scenario, wanted] of Object.entries(scenarios)) {
  test(`${scenario}: no check fails`, async (t) => {
    const results = await temporary('conformance');
    const command = `${process.execPath} ${join(import.meta.dirname, 'conformance-client.mjs')}`;
    const { stderr } = await run(
      process.execPath,
      [suite, 'client', '--command', command, '--scenario', scenario,
        '--spec-version', revisions[scenario] ?? '2026-07-28',
        '--timeout', '120000', '--output-dir', results],
      { env: { ...process.env, MRTR_PROGRAM: await program() }, maxBuffer: 16 << 20 },
    ).catch((error) => error);
    const [dir] = await readdir(results);
    const checks = JSON.parse(await readFile(join(results, dir, 'checks.json'), 'utf8'));
    const are = (status) => checks.filter((c) => c.status === status);
    t.diagnostic(`${are('SUCCESS').length} passed, ${are('FAILURE').length} failed, ${are('WARNING').length} warnings`);
    assert.deepEqual(are('FAILURE').map((c) => `${c.id}: ${c.errorMessage ?? c.description}`), [], stderr);
    assert.deepEqual(are('WARNING').map((c) => `${c.id}: ${c.errorMessage ?? c.description}`), [], stderr);
    const passed = new Set(are('SUCCESS').map((c) => c.id));
    assert.deepEqual(wanted.filter((id) => !passed.has(id)), [], 'these checks did not run');
  });
}
