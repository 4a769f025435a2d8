import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { tidy } from './program.mjs';
import { weigh } from './weight.mjs';

after(tidy);

test('the landing page takes at most 6 requests and 60 KB', async (t) => {
  const { bytes, requests } = await weigh();
  t.diagnostic(`${bytes} bytes in ${requests.length} requests: ${requests.join(' ')}`);
  assert.ok(requests.length <= 6, `${requests.length} requests`);
  assert.ok(bytes <= 60_000, `${bytes} bytes`);
});
