import { launch } from './browser.mjs';
const base = 'http://127.0.0.1:7600';
const browser = await launch();
const tls = process.argv[2];
async function shot(name, go, dark, width) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  await go(page);
  await page.screenshot({ path: `/tmp/shots/${name}-${width}${dark ? '-dark' : ''}.png`, fullPage: true });
  await context.close();
}
const connect = (url) => async (page) => {
  await page.goto(base + '/servers?url=' + encodeURIComponent(url));
  await page.click('[data-do=connect]');
  await page.waitForSelector('[data-status=failed]');
};
const signIn = async (page) => {
  await connect('http://127.0.0.1:7500/mcp')(page);
  await page.click('[data-do=sign-in]');
  await page.waitForSelector('[data-sign-in-stage]');
};
for (const [dark, width] of [[false, 1440], [true, 390], [false, 390], [true, 1440]]) {
  await shot('421', connect('http://127.0.0.1:7421/mcp'), dark, width);
  await shot('redirect', connect('http://127.0.0.1:7307/mcp'), dark, width);
  await shot('tls', connect(tls + '/mcp'), dark, width);
  await shot('401', connect('http://127.0.0.1:7500/mcp'), dark, width);
  await shot('signin', signIn, dark, width);
  await shot('anyway', async (page) => {
    await signIn(page);
    await page.click('[data-do=anyway]');
    await page.waitForSelector('[name=deviation][value=pkce]', { state: 'attached' });
    await page.click('[data-do=anyway]');
    await page.waitForSelector('[data-sign-in-stage=ready]');
  }, dark, width);
}
await browser.close();
