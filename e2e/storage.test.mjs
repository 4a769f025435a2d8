// Storage failures: the disk is full, or the database is locked, moved, damaged
// or in use by another program. Nothing stored is lost, and each failure has its
// own message.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { Reader, parse } from './html.mjs';
import { program, start, temporary, tidy } from './program.mjs';

const run = promisify(execFile);
after(tidy);

const status = async (p, path) => (await fetch(p.url + path)).status;

// refused starts the program where it must not start, and returns its message.
async function refused(data) {
  const child = spawn(await program(), ['serve', '-addr', '127.0.0.1:0', '-data', data],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { HOME: data } });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text) => { words += text; });
  const [code] = await once(child, 'exit');
  assert.equal(code, 1);
  return words;
}

// fill uses up the free space of a directory.
async function fill(dir) {
  const path = join(dir, 'filler');
  const file = await open(path, 'w');
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      for (;;) await file.write(Buffer.alloc(size));
    } catch (e) {
      assert.equal(e.code, 'ENOSPC');
    }
  }
  await file.close();
  return () => rm(path);
}

test('with a full disk, stored exchanges can be read, and work continues once there is space', async (t) => {
  const data = await temporary('full');
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', data]);
  } catch (e) {
    t.skip(`cannot mount a disk here: ${e.stderr}`);
    return;
  }
  const p = await start({ data });
  try {
    const kept = new Reader(p.url);
    await kept.open('/');
    await kept.send('data-start', 'azure-devops');
    assert.equal(await kept.settled(), 'waiting');
    const slow = new Reader(p.url);
    slow.cookies = kept.cookies;
    await slow.open('/test');
    await slow.send('data-start', 'slow');

    const free = await fill(data);
    const answer = await fetch(p.url + kept.url.pathname + '/rounds', {
      method: 'POST', redirect: 'manual', headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'round=1&do=send&a0.action=accept&a0.f0=Fixed',
    });
    assert.equal(answer.status, 507);
    assert.ok(parse(await answer.text()).querySelector('[data-error="disk_full"]'));
    assert.equal(await status(p, '/readyz'), 503);
    assert.equal(await status(p, '/healthz'), 200);
    assert.equal(await status(p, '/history'), 200);
    assert.equal(await status(p, kept.url.pathname), 200);

    await free();
    assert.equal(await status(p, '/readyz'), 200);
    await kept.open(kept.url.pathname);
    await kept.send('data-form', 'answers', { resolution: 'Fixed' });
    assert.equal(await kept.settled(), 'complete');
    assert.equal(await slow.settled(), 'complete', 'the answer sent while the disk was full is stored');
  } finally {
    await p.stop();
    await run('umount', [data]);
  }
});

test('a locked or moved database makes the program not ready until it is back', async () => {
  const p = await start();
  const path = join(p.data, 'playground.db');
  const other = new DatabaseSync(path);
  other.exec('PRAGMA busy_timeout = 5000');
  other.exec('BEGIN IMMEDIATE');
  assert.equal(await status(p, '/readyz'), 503);
  assert.equal(await status(p, '/history'), 200);
  other.exec('ROLLBACK');
  other.close();
  assert.equal(await status(p, '/readyz'), 200);
  await rename(path, path + '-away');
  assert.equal(await status(p, '/readyz'), 503);
  await rename(path + '-away', path);
  assert.equal(await status(p, '/readyz'), 200);
  await p.stop();
});

test('a database that is in use or damaged is not opened', async () => {
  const p = await start();
  assert.match(await refused(p.data), /another program uses the database/);
  assert.equal(await status(p, '/readyz'), 200);
  await p.stop();
  const file = await open(join(p.data, 'playground.db'), 'r+');
  await file.write(Buffer.alloc(4096, 0x5a), 0, 4096, 8192);
  await file.close();
  assert.match(await refused(p.data), /the database is damaged/);
  await writeFile(join(p.data, 'playground.db'), 'not a database at all\n'.repeat(500));
  assert.match(await refused(p.data), /the database is damaged/);
});

test('on a disk that its own file has filled, the program reads, deletes, stops and starts', async (t) => {
  const data = await temporary('own');
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', data]);
  } catch (e) {
    t.skip(`cannot mount a disk here: ${e.stderr}`);
    return;
  }
  let p = await start({ data });
  const post = async (path, body = '', type = 'application/x-www-form-urlencoded') => {
    const answer = await fetch(p.url + path, {
      method: 'POST', redirect: 'manual', headers: { 'content-type': type }, body,
    });
    return { status: answer.status, text: await answer.text() };
  };
  const call = () => post('/exchanges', 'sample=azure-devops');
  const sessions = async () => new Set([...(await (await fetch(`${p.url}/history`)).text())
    .matchAll(/href="\/sessions\/(\w{20,})"/g)].map((m) => m[1]));
  try {
    const kept = new Reader(p.url);
    await kept.open('/');
    await kept.send('data-start', 'azure-devops');
    assert.equal(await kept.settled(), 'waiting');
    const file = await (await fetch(`${p.url}${kept.url.pathname}.json`)).text();
    for (const when of ['while it runs', 'after a start', 'after another']) {
      while ((await post('/import', file, 'application/json')).status === 303);
      for (let full = 0; full < 3;) full = (await call()).status === 507 ? full + 1 : 0;
      assert.equal(await status(p, kept.url.pathname), 200, when);
      const refused = await call();
      assert.equal(refused.status, 507, when);
      assert.ok(refused.text.includes('deleted. Delete some in the history'), when);
      const before = await sessions();
      for (const id of [...before].slice(0, 3)) {
        assert.equal((await post(`/sessions/${id}/delete`)).status, 303, when);
        assert.equal(await status(p, `/sessions/${id}`), 404, when);
      }
      await p.stop();
      p = await start({ data });
    }
    const most = await sessions();
    for (let left = await sessions(); left.size > 0; left = await sessions()) {
      for (const id of left) assert.equal((await post(`/sessions/${id}/delete`)).status, 303);
    }
    assert.ok(most.size > 0);
    assert.equal((await call()).status, 303, 'there is room again');
    assert.equal(await status(p, '/readyz'), 200);
  } finally {
    await p.stop();
    await run('umount', [data]);
  }
});
