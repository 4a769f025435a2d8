import { launch, visit } from './browser.mjs';
import { readFileSync } from 'node:fs';
const b = await launch();
const base = 'http://127.0.0.1:2399';
const path = process.argv[2];
for (const [w, h, dark, name] of [[1440,900,false,'a'],[390,844,true,'b'],[768,1024,false,'c']]) {
  const v = await visit(b, { width: w, height: h, dark });
  await v.page.setViewportSize({ width: w, height: h });
  if (dark) await v.page.emulateMedia({ colorScheme: 'dark' });
  await v.open(base + '/test');
  await v.page.screenshot({ path: `/tmp/s-test-${name}.png` });
  if (path) {
    const c = readFileSync('/tmp/jarline','utf8').trim();
    if (c) { const [n, val] = c.split('='); await v.page.context().addCookies([{ name: n, value: val, url: base }]); }
    await v.open(base + path);
    await v.page.screenshot({ path: `/tmp/s-gw-${name}.png`, fullPage: true });
  }
}
await b.close();
process.exit(0);
