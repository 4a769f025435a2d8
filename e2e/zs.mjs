import { launch, visit } from './browser.mjs';
const b = await launch();
const base = 'http://127.0.0.1:2399';
for (const [w, h, dark, name] of [[1280,720,false,'a'],[390,844,true,'b']]) {
  const v = await visit(b, { viewport: { width: w, height: h } });
  if (dark) await v.page.emulateMedia({ colorScheme: 'dark' });
  await v.open(base + '/test');
  await v.click('[data-do="upstream"]');
  await v.page.screenshot({ path: `/tmp/s-setup-${name}.png`, fullPage: true });
}
await b.close();
process.exit(0);
