import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { tidy } from './program.mjs';
import { weigh } from './weight.mjs';

after(tidy);

test('the landing page takes at most 4 requests and 40 KB', async (t) => {
  const { bytes, requests } = await weigh();
  t.diagnostic(`${bytes} bytes in ${requests.length} requests: ${requests.join(' ')}`);
  assert.ok(requests.length <= 4, `${requests.length} requests`);
  assert.ok(bytes <= 40 << 10, `${bytes} bytes`);
});
