import { launch, visit } from './browser.mjs';
const browser = await launch();
const [dir, ...rest] = process.argv.slice(2);
for (const scheme of ['light', 'dark']) for (const width of [1440, 390]) {
  const v = await visit(browser, { viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme: scheme });
  for (const item of rest) {
    const [name, url, open] = item.split('|');
    await v.page.goto(url);
    if (open) await v.page.evaluate((s) => document.querySelectorAll(s).forEach((d) => { d.open = true; }), open);
    await v.page.screenshot({ path: `${dir}/${name}-${width}-${scheme}.png`, fullPage: true });
    const over = await v.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) console.log(name, width, 'overflows by', over);
  }
  await v.context.close();
}
await browser.close();
