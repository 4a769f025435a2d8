// Reads what test runs say of themselves.
//
//   go test -json ./... | node tally.mjs FILE   shows packages and failures, keeps the results in FILE
//   node tally.mjs                              adds up bin/results and prints "N passed, N failed"
//
// A Go test that runs twice, with and without the race detector, is one test;
// it failed if it failed once. Skipped tests are neither.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const results = join(import.meta.dirname, '..', 'bin', 'results');

process.exitCode = process.argv[2] ? await keep(process.argv[2]) : await sum();

async function keep(file) {
  const tests = {};
  const output = new Map();
  let failed = false;
  for await (const line of createInterface({ input: process.stdin })) {
    let event;
    try {
      event = JSON.parse(line);
    } catch {
      console.log(line); // a word of the go command itself
      continue;
    }
    const key = [event.Package ?? event.ImportPath, event.Test].filter(Boolean).join(' ');
    if (event.Output !== undefined) output.set(key, (output.get(key) ?? '') + event.Output);
    if (!['pass', 'fail', 'skip', 'build-fail'].includes(event.Action)) continue;
    if (event.Action.endsWith('fail')) {
      failed = true;
      console.log(`--- FAIL ${key}\n${output.get(key) ?? ''}`);
    }
    if (event.Test) {
      tests[key] = event.Action;
      output.delete(key);
    } else if (event.Action === 'pass') {
      const count = Object.keys(tests).filter((name) => name.startsWith(`${key} `)).length;
      console.log(`ok  ${key}  ${count} tests  ${event.Elapsed}s`);
    } else if (event.Action !== 'skip') {
      tests[key] = 'fail'; // did not build, or ended outside a test
    }
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(tests));
  return failed ? 1 : 0;
}

async function sum() {
  const go = new Map();
  let passed = 0;
  let failed = 0;
  const files = await readdir(results).catch(() => []);
  for (const file of files) {
    const text = await readFile(join(results, file), 'utf8');
    if (file.endsWith('.tap')) {
      passed += Number(/^# pass (\d+)$/m.exec(text)?.[1] ?? 0);
      failed += Number(/^# fail (\d+)$/m.exec(text)?.[1] ?? 1) + Number(/^# cancelled (\d+)$/m.exec(text)?.[1] ?? 0);
      continue;
    }
    for (const [name, action] of Object.entries(JSON.parse(text))) {
      if (go.get(name) !== 'fail') go.set(name, action);
    }
  }
  for (const action of go.values()) {
    if (action === 'pass') passed++;
    if (action === 'fail') failed++;
  }
  const complete = ['go.json', 'race.json', 'e2e.tap'].filter((file) => !files.includes(file));
  for (const file of complete) console.log(`no results in ${file}: that part did not run`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed || complete.length ? 1 : 0;
}
