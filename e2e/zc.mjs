import { Reader } from './html.mjs';
const r = new Reader('http://127.0.0.1:2399');
await r.open(process.argv[2]);
const cap = r.all('a').map((a) => a.getAttribute('href')).find((h) => h?.startsWith('/clients/'));
await r.open(cap);
console.log(r.one('main').textContent.replace(/\s+/g, ' ').slice(0, 3000));
await r.open('/history');
console.log(r.one('main').textContent.replace(/\s+/g, ' ').slice(0, 1500));
