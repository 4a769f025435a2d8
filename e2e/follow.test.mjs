// A talk: phones follow a demo as it is played, come late, lose the network, and come
// back after the program was killed (fault 125).
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { freePort, start, temporary, tidy } from './program.mjs';

let browser, program, again, network;
before(async () => {
  const flags = ['-trusted-network', '-base-url', 'http://playground.lab:2322', '-addr', `127.0.0.1:${await freePort()}`];
  const data = await temporary('talk');
  again = () => start({ data, flags });
  program = await again();
  network = await join(new URL(program.url).port);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  network?.leave();
  await tidy();
});

// join returns a network that leads to a port of this machine, until it is cut.
async function join(port) {
  const open = new Set();
  let cut = false;
  const server = createServer((near) => {
    if (cut) return near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [a, b] of [[near, far], [far, near]]) {
      open.add(a);
      a.on('error', () => {}).on('close', () => { open.delete(a); b.destroy(); }).pipe(b);
    }
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  const drop = () => open.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut: () => { cut = true; drop(); },
    mend: () => { cut = false; },
    leave: () => { drop(); server.close(); },
  };
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const at = (v, n) => v.page.locator(`main[data-step="${n}"]:not([data-status="running"], [data-live])`).waitFor();

test('phones follow a talk until it ends', async () => {
  const presenter = await visit(browser, { viewport: { width: 1280, height: 720 } });
  await presenter.open(`${program.url}/demos/azure-devops?present=1`);
  const next = async (n) => {
    await presenter.press('ArrowRight');
    await at(presenter, n);
  };
  await next(1);
  await presenter.press('q');
  await presenter.page.locator('.talk-code svg').waitFor();
  await presenter.accessible();
  const link = await presenter.page.locator('.talk-url a').getAttribute('href');
  assert.match(link, /^http:\/\/playground\.lab:2322\/follow\/[0-9a-z]{4}-[0-9a-z]{4}$/);
  const path = new URL(link).pathname;
  await next(1); // back to the demo
  assert.match(await presenter.text('[data-talk]'), /^Follow at playground\.lab:2322\/follow\//);
  for (const key of ['', 'Tab']) { // Tab wakes the tools of the speaker
    if (key) await presenter.press(key);
    const [line, tools, title] = await presenter.page.evaluate(() => ['[data-talk]', '.presenter', 'h1'].map((e) => {
      const { top, bottom, left, right } = document.querySelector(e).getBoundingClientRect();
      return { top, bottom, left, right };
    }));
    assert.ok(line.top >= 8 && line.bottom <= title.top && (!key || line.right < tools.left), JSON.stringify([line, tools, title]));
  }

  // a phone sees the step, and the next one by itself, with words for screen readers
  const one = await visit(browser, phone);
  await one.open(network.url + path);
  await at(one, 1);
  await one.accessible();
  await next(2);
  await at(one, 2);
  assert.match(await one.page.locator('#said').textContent(), /^Another instance takes the answer\./);
  await one.inTheDark(() => one.accessible());
  assert.deepEqual(await one.context.cookies(), []);
  assert.equal(await one.page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.equal(await one.page.locator('form, a, button').count(), 0);

  // without a network it says so; with one it shows the present step
  one.expects(/ERR_|Failed to load resource/);
  network.cut();
  await one.page.locator('[data-lost]').waitFor();
  await next(3);
  assert.equal(await one.page.locator('main').getAttribute('data-step'), '2');
  network.mend();
  await at(one, 3);
  await one.page.locator('[data-lost]').waitFor({ state: 'hidden' });

  // a kill -9 of the presenter's program
  presenter.expectsAnEnd();
  await program.kill();
  await one.page.locator('[data-lost]').waitFor();
  program = await again();
  await at(one, 3);
  await next(4);
  await at(one, 4);

  // who comes late, and who has no script
  const late = await visit(browser, phone);
  await late.open(program.url + path);
  await at(late, 4);
  const bare = await visit(browser, { ...phone, javaScriptEnabled: false });
  await bare.open(program.url + path);
  await at(bare, 4);
  await next(5);
  for (const v of [one, late, bare]) await at(v, 5);
  await next(6);
  for (const v of [one, late, bare]) await v.page.locator('.legacy-lane').waitFor();

  // the end; a phone that is just connecting again learns it from the page, which is gone
  for (const v of [late, bare]) v.expects(/Failed to load resource/);
  await presenter.page.locator('[data-talk]').press('Enter');
  await presenter.confirm('end');
  await presenter.page.locator('[data-do="talk"]').waitFor({ state: 'attached' });
  for (const v of [one, late]) await v.page.locator('[data-ended]').waitFor();
  await bare.page.locator('[data-error="not_found"]').waitFor();
  for (const v of [one, late, bare, presenter]) await v.leave();
});

// outside reports whether this machine has an address that other machines could reach. Without
// one, the phones of the test come over the loopback address.
const outside = Object.values(networkInterfaces()).flat().some((a) => a.family === 'IPv4' && !a.internal &&
  !a.address.startsWith('169.254.'));

test('on a program for one person, phones follow at an address that opens and closes with the talk', async () => {
  const flags = outside ? [] : ['-room', '127.0.0.1:0'];
  const own = await start({ flags: [...flags, '-stdio', 'no-such-server'] });
  const presenter = await visit(browser, { viewport: { width: 1280, height: 720 } });
  await presenter.open(`${own.url}/demos/azure-devops`);

  // prepared on the page of the demo, before anything is presented
  await presenter.press('q');
  await presenter.page.locator('.talk-code svg').waitFor();
  await presenter.accessible();
  const link = new URL(await presenter.page.locator('.talk-url a').getAttribute('href'));
  assert.notEqual(link.port, new URL(own.url).port);
  if (outside) assert.doesNotMatch(link.hostname, /^127\./);
  assert.match(await presenter.text('[data-firewall]'), new RegExp(`firewall .* port ${link.port}\\.$`));
  await presenter.press('p'); // the slide has the address and the code alone
  await presenter.page.locator('main[data-present] .talk-code svg').waitFor();
  assert.equal(await presenter.page.locator('[data-firewall]').count(), 0);

  const one = await visit(browser, phone);
  await one.open(link.href);
  await at(one, 1);
  await one.accessible();
  assert.deepEqual(await one.context.cookies(), []);
  for (const n of [1, 2]) {
    await presenter.press('ArrowRight');
    await at(presenter, n);
  }
  await at(one, 2);
  assert.match(await presenter.text('[data-talk]'), new RegExp(`^Follow at ${link.host}/follow/`));

  // nothing else is there
  for (const path of ['/', '/history', '/test', '/demos/azure-devops', '/follow', '/favicon.ico']) {
    const answer = await fetch(new URL(path, link), { redirect: 'manual' });
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers.get('set-cookie'), null, path);
    assert.doesNotMatch(await answer.text(), /href|src|playground/i, path);
  }

  await presenter.page.locator('[data-talk]').press('Enter');
  await presenter.confirm('end');
  await presenter.page.locator('[data-do="talk"]').waitFor({ state: 'attached' });
  await one.page.locator('[data-ended]').waitFor();
  for (;;) { // until it is closed
    const open = await fetch(link).then(() => true, () => false);
    if (!open) break;
  }
  for (const v of [one, presenter]) await v.leave();
  await own.stop();
});
