// Makes the one picture of the README: a call in its second round. Run it again
// when the page has changed: make build && e2e/node_modules/.bin/node e2e/screenshot.mjs
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';

const path = join(import.meta.dirname, 'readme', 'exchange.png');

const program = await start();
const browser = await launch();
const v = await visit(browser, { viewport: { width: 1440, height: 1100 }, colorScheme: 'light' });
await v.open(program.url);
await v.click('form[data-start="azure-devops"] button');
await v.status('waiting');
await v.choose('select[data-field="resolution"]', 'Duplicate');
await v.click('[data-do="send"]');
await v.round(2);
await v.page.evaluate(() => document.activeElement.blur());
await mkdir(join(path, '..'), { recursive: true });
await v.page.screenshot({ path, animations: 'disabled' });
await v.leave();
await browser.close();
await program.stop();
await tidy();
console.log(`${path}: ${((await stat(path)).size / 1000).toFixed(0)} KB`);
