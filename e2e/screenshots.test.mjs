// Saves screenshots of the main pages for review, as artefacts of the run: on a
// phone, a tablet and a desktop, in the light and the dark theme.
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { start, tidy } from './program.mjs';

let browser, program;
before(async () => {
  program = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await tidy();
});

for (const width of [390, 768, 1440]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`the main pages at ${width} px, ${colorScheme}`, async () => {
      const name = (page) => `${page}-${width}-${colorScheme}`;
      const v = await visit(browser, { viewport: { width, height: 900 }, colorScheme });
      await v.open(program.url);
      await v.picture(name('landing'));
      await v.click('form[data-start="azure-devops"] button');
      await v.status('waiting');
      await v.choose('select[data-field="resolution"]', 'Duplicate');
      await v.click('[data-do="send"]');
      await v.round(2);
      await v.picture(name('waiting'));
      await v.type('[data-field="duplicateOfId"]', '4301');
      await v.click('[data-do="send"]');
      await v.status('complete');
      await v.picture(name('complete'));
      await v.leave();
    });
  }
}
