import { Reader } from './html.mjs';
import { writeFileSync, mkdtempSync } from 'node:fs';
import { spawn } from 'node:child_process';
const base = 'http://127.0.0.1:2399';
const r = new Reader(base);
await r.open('/test');
await r.send('data-form', 'upstream');
console.log(r.url.pathname, r.status);
const address = r.one('[data-address]').textContent;
console.log(address);
const dir = mkdtempSync('/tmp/ngx-');
writeFileSync(dir + '/nginx.conf', `user root; daemon off; pid ${dir}/pid; error_log ${dir}/err; events {} http { access_log off; client_body_temp_path ${dir}/b; proxy_temp_path ${dir}/p; fastcgi_temp_path ${dir}/f; uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s; server { listen 127.0.0.1:8089; location /mcp { proxy_pass ${address}; ${process.argv[2] ?? ''} } } }`);
const child = spawn('/usr/sbin/nginx', ['-c', dir + '/nginx.conf', '-p', dir], { stdio: 'inherit' });
await new Promise((on) => setTimeout(on, 500));
const t0 = Date.now();
await r.send('data-form', 'gateway', { url: 'http://127.0.0.1:8089/mcp' });
console.log(r.status, r.url.pathname, r.main?.dataset);
for (let i = 0; i < 60; i++) {
  await r.open(r.url.pathname);
  if (!r.main.dataset.live) break;
  await new Promise((on) => setTimeout(on, 500));
}
console.log((Date.now() - t0) / 1000, r.one('[data-headline]').textContent.replace(/\s+/g, ' '));
for (const e of r.all('[data-line]')) console.log(e.dataset.verdict, e.dataset.line, e.textContent.replace(/\s+/g, ' ').slice(0, 200));
for (const e of r.all('[data-habit]')) console.log('named', e.textContent.replace(/\s+/g, ' ').slice(0, 200));
child.kill();
process.exit(0);
