// Compares the time to seal and open a requestState with the signed codec of the
// TypeScript SDK, for the same payload. It prints a ratio and asserts nothing,
// because times differ between machines.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRequestStateCodec } from '@modelcontextprotocol/server';

const run = promisify(execFile);

// The claims that BenchmarkSealOpen seals.
const payload = {
  version: 1, issued: 1785240000, expires: 1785243600, id: '1',
  request: { sample: 'azure-devops', method: 'tools/call', name: 'update_work_item', arguments: 'sha256:x',
    principal: 'alice' },
  answers: { resolution: { action: 'accept', content: { resolution: 'Duplicate' } } },
};

async function typescript() {
  const codec = createRequestStateCodec({ key: 'a key of the bench, 32 bytes long' });
  const round = async () => codec.verify(await codec.mint(payload), {});
  for (let i = 0; i < 2000; i++) await round(); // warm up
  const count = 20000;
  const begin = process.hrtime.bigint();
  for (let i = 0; i < count; i++) await round();
  return Number(process.hrtime.bigint() - begin) / count;
}

async function ours() {
  const { stdout } = await run('go', ['test', '-run', 'xxx', '-bench', 'SealOpen', './sampletools/seal'],
    { cwd: join(import.meta.dirname, '..') });
  return Object.fromEntries([...stdout.matchAll(/SealOpen\/(\w+)\S*\s+\d+\s+(\d+) ns\/op/g)].map(([, mode,
    ns]) => [mode, Number(ns)]));
}

const theirs = await typescript();
console.log(`TypeScript codec, signed: ${Math.round(theirs)} ns for mint and verify`);
for (const [mode, ns] of Object.entries(await ours())) {
  console.log(`ours, ${mode}: ${ns} ns for seal and open, ${(ns / theirs).toFixed(2)} times the TypeScript codec`);
}
