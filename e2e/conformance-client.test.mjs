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

// Extensions of authorization that this client does not have. It acts for a person
// at a browser or for itself with a secret or a key, and sends Bearer tokens.
const without = {
  'auth/enterprise-managed-authorization': 'tokens come from the identity provider of a company',
  'auth/dpop': 'tokens are bound to a key (RFC 9449)',
  'auth/dpop-nonce': 'tokens are bound to a key (RFC 9449)',
  'auth/wif-jwt-bearer': 'the identity is that of a workload in a cloud',
};

// Every scenario of authorization that the suite has, by revision. Those of
// extensions belong to none, and are run for the newest.
const { stdout: listed } = await run(process.execPath, [suite, 'list']);
const authorization = [...listed.matchAll(/- (auth\/\S+) \[([^\]]+)\]/g)].flatMap(([, name, of]) =>
  (name in without ? [] : of === 'extension' ? [[name, '2026-07-28']] : of.split(',').map((revision) => [name, revision])));

test('the suite has scenarios of authorization for each revision', () => {
  const count = (revision) => authorization.filter(([, of]) => of === revision).length;
  assert.deepEqual(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'].map(count), [27, 14, 3, 2]);
});

for (const [scenario, revision] of authorization) scenarioTest(scenario, revision, []);
for (const [scenario, wanted] of Object.entries(scenarios)) scenarioTest(scenario, revisions[scenario] ?? '2026-07-28', wanted);

function scenarioTest(scenario, revision, wanted) {
  test(`${scenario} (${revision}): no check fails`, async (t) => {
    const results = await temporary('conformance');
    const command = `${process.execPath} ${join(import.meta.dirname, 'conformance-client.mjs')}`;
    const { stderr } = await run(
      process.execPath,
      [suite, 'client', '--command', command, '--scenario', scenario,
        '--spec-version', revision, '--force',
        '--timeout', '3600000', '--output-dir', results],
      { env: { ...process.env, MRTR_PROGRAM: await program() }, maxBuffer: 16 << 20 },
    ).catch((error) => error);
    const [dir] = await readdir(results, { recursive: true }).then((all) => all.filter((file) => file.endsWith('checks.json')));
    const checks = JSON.parse(await readFile(join(results, dir), 'utf8'));
    const are = (status) => checks.filter((c) => c.status === status);
    t.diagnostic(`${are('SUCCESS').length} passed, ${are('FAILURE').length} failed, ${are('WARNING').length} warnings`);
    assert.deepEqual(are('FAILURE').map((c) => `${c.id}: ${c.errorMessage ?? c.description}`), [], stderr);
    assert.deepEqual(are('WARNING').map((c) => `${c.id}: ${c.errorMessage ?? c.description}`), [], stderr);
    const passed = new Set(are('SUCCESS').map((c) => c.id));
    assert.deepEqual(wanted.filter((id) => !passed.has(id)), [], 'these checks did not run');
  });
}
