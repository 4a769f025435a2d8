// Measures the landing page: the requests of a browser with an empty cache and the
// bytes they transfer, with headers.
import { launch, visit } from './browser.mjs';
import { start } from './program.mjs';

export async function weigh() {
  const program = await start();
  const browser = await launch();
  try {
    const v = await visit(browser);
    const client = await v.context.newCDPSession(v.page);
    await client.send('Network.enable');
    const paths = new Map();
    let bytes = 0;
    client.on('Network.requestWillBeSent', (e) => paths.set(e.requestId, new URL(e.request.url).pathname));
    client.on('Network.loadingFinished', (e) => { bytes += e.encodedDataLength; });
    await v.open(program.url);
    await v.page.waitForLoadState('networkidle');
    await v.leave();
    return { bytes, requests: [...paths.values()] };
  } finally {
    await browser.close();
    await program.stop();
  }
}
