// Takes the screenshots of the README. Run it again after a change to a page that
// they show: make build && e2e/node_modules/.bin/node e2e/screenshot.mjs
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';

const dir = join(import.meta.dirname, 'readme');
await mkdir(dir, { recursive: true });
const program = await start();
const browser = await launch();

// save takes a screenshot of v's page, with nothing focused.
async function save(v, name) {
  const path = join(dir, name);
  await v.page.evaluate(() => document.activeElement.blur());
  await v.page.screenshot({ path, animations: 'disabled' });
  console.log(`${path}: ${((await stat(path)).size / 1000).toFixed(0)} KB`);
  await v.leave();
}

// showStep saves step n of a demo on a projector.
async function showStep(slug, n, name) {
  const v = await visit(browser, { viewport: { width: 1280, height: 720 }, colorScheme: 'dark' });
  await v.open(`${program.url}/demos/${slug}?present=1`);
  for (let i = 1; i <= n; i++) {
    await v.press('ArrowRight');
    await v.page.waitForFunction((step) => {
      const main = document.querySelector('main');
      return document.readyState === 'complete' && main?.dataset.step === String(step) && !main.dataset.live;
    }, i);
  }
  await save(v, name);
}

const v = await visit(browser, { viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
await v.open(program.url);
await v.click('form[data-start="azure-devops"] button');
await v.status('waiting');
await v.choose('select[data-field="resolution"]', 'Duplicate');
await v.click('[data-do="send"]');
await v.round(2);
await save(v, 'exchange.png');
await showStep('rolling-upgrade', 3, 'rolling-upgrade.png');
await showStep('azure-devops', 6, 'before-mrtr.png');

await browser.close();
await program.stop();
await tidy();
