import { chromium } from 'playwright-core';
const B = 'http://127.0.0.1:4455', out = '/tmp/demos-shots';
const only = process.argv[2] || '', size = process.argv[3] || '1280x720', scheme = process.argv[4] || 'dark', present = process.argv[5] !== 'page';
const [w, h] = size.split('x').map(Number);
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: ['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] });
const c = await b.newContext({ viewport: { width: w, height: h }, colorScheme: scheme });
const p = await c.newPage();
p.on('console', (m) => { if (m.type() !== 'log') console.log('console', m.text()); });
p.on('pageerror', (e) => console.log('error', e.message));
for (const slug of only ? only.split(',') : ['azure-devops', 'rolling-upgrade', 'load-shedding']) {
  await p.goto(`${B}/demos/${slug}${present ? '?present=1' : ''}`);
  const shot = async (n) => p.screenshot({ path: `${out}/${slug}-${w}-${scheme}-${present ? 's' : 'p'}${n}.png`, fullPage: !present || w < 600 });
  await shot(0);
  for (let n = 1; n <= 6; n++) {
    await p.keyboard.press('ArrowRight');
    try { await p.locator(`main[data-step="${n}"]`).waitFor({ timeout: 4000 }); } catch { break; }
    if (n === 1 && slug === 'load-shedding') await shot('1live');
    await p.waitForFunction(() => !document.querySelector('main[data-live]'), null, { timeout: 8000 });
    await shot(n);
    const wide = await p.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight, document.activeElement.tagName]);
    console.log(slug, n, ...wide);
  }
}
await b.close();
