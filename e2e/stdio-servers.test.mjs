// Servers of other authors on standard input, side by side in one program.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { launch, visit } from './browser.mjs';
import { build, program, start, tidy } from './program.mjs';

const here = import.meta.dirname;
const goSDK = 'github.com/modelcontextprotocol/go-sdk/';
const everything = join(here, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

let browser, playground, servers;
before(async () => {
  const conformance = await build(`${goSDK}conformance/everything-server`);
  const example = await build(`${goSDK}examples/server/everything`);
  const mcpGo = await build('github.com/mrtr-playground/mrtr-playground/e2e/servers/mcp-go', join(here, 'servers/mcp-go'));
  servers = [
    { command: `${process.execPath} ${join(here, 'stdio-server.mjs')}`, tool: 'book' },
    { command: `${process.execPath} ${everything} stdio`, tool: 'trigger-elicitation-request' },
    { command: conformance, tool: 'test_input_required_result_elicitation' },
    { command: example, tool: 'elicit (form)', fill: { random: 'x' }, era: 'legacy', panics: true },
    { command: `${mcpGo} -stdio`, tool: 'order', args: { bread: 'rye' }, fill: { loaves: '2' } },
  ];
  playground = await start({ flags: servers.flatMap(({ command }) => ['-stdio', command]) });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

test('each server is called with questions, killed in the middle of a call, and called again', async () => {
  const v = await visit(browser, { javaScriptEnabled: false });
  for (const { command, tool, args, fill, era, panics } of servers) {
    await v.open(`${playground.url}/test`);
    await v.page.locator('li', { hasText: command }).locator('.name a').click();
    for (; await v.page.locator('[data-status="connecting"]').count() > 0;) await v.page.reload();
    const server = v.page.url();
    if (era) {
      await v.page.locator('details.reconnect > summary').click();
      await v.page.locator('details.settings > summary').click();
      await v.page.selectOption('#era', era);
      await v.page.click('[data-do="connect"]');
    }
    const settled = async () => {
      for (; await v.page.locator('[data-exchange][data-status="running"]').count() > 0;) await v.page.reload();
    };
    const ask = async () => {
      await v.open(`${server}?${new URLSearchParams({ tool, args: JSON.stringify(args ?? {}) })}`);
      await v.page.click('[data-do="call"]');
      await settled();
      assert.equal(await v.page.locator('[data-exchange]').getAttribute('data-status'), 'waiting', command);
    };
    await ask();
    for (const [name, value] of Object.entries(fill ?? { name: 'Ada' })) {
      await v.page.fill(`[data-field="${name}"]`, value);
    }
    await v.page.click('[data-do="send"]');
    await settled();
    assert.equal(await v.page.locator('[data-exchange]').getAttribute('data-status'), 'complete', command);
    await ask();
    await endChildren(playground.pid, command);
    await ask(); // a new process; a call of before goes on or fails, but this one works
    await v.page.click('[data-do="decline"]');
    await settled();
    const failed = await v.page.locator('[data-exchange][data-status="failed"]').count() > 0;
    assert.equal(failed, Boolean(panics), command); // go-sdk's example ends when it is declined
    await v.open(`${v.page.url().split('?')[0]}?panel=rules`);
    assert.equal(await v.page.locator('#rules [data-verdict="fail"], .issues [data-verdict="fail"]').count(), 0, command);
  }
  await v.leave();
});

// endChildren kills the processes of a command that a process has started.
async function endChildren(parent, command) {
  let killed = 0;
  for (const pid of (await readdir('/proc')).filter(Number)) {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (words.split('\0').join(' ').trim() !== command || Number(/\) \w (\d+)/.exec(stat)?.[1]) !== parent) continue;
    process.kill(Number(pid), 'SIGKILL');
    killed++;
  }
  assert.ok(killed > 0, `no process of ${command}`);
}

test('a check judges what lines have and finds no request of the server', async () => {
  const [{ command, tool }] = servers;
  const checked = await promisify(execFile)(await program(), ['check', '-stdio', command, '-tool', tool, '-json'])
    .catch((failed) => failed);
  const board = JSON.parse(checked.stdout);
  assert.ok(board.worked);
  assert.deepEqual(board.findings.filter(({ verdict }) => verdict === 'fail'), []);
});
