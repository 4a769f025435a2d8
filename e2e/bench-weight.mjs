import { tidy } from './program.mjs';
import { weigh } from './weight.mjs';

const { bytes, requests } = await weigh();
console.log(`landing page, all assets, compressed: ${(bytes / 1000).toFixed(1)} KB in ${requests.length} requests; goal 60 KB in 6: ${(bytes / 60_000).toFixed(2)} of it`);
await tidy();
