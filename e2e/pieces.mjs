// A slow network: a proxy in front of the program that passes on each page in pieces.
import http from 'node:http';

// slowly starts a proxy in front of the program at an address. Of the pages of windows and frames
// it passes on what comes before the main element, which a browser draws nothing without. go passes
// on the next piece of each, and waiting tells how many have more to come. Everything else passes
// at once.
export async function slowly(url, pieces) {
  const held = new Set();
  const server = http.createServer((req, res) => {
    const to = http.request(new URL(req.url, url), { method: req.method, headers: { ...req.headers, 'accept-encoding': 'identity' } }, async (from) => {
      res.writeHead(from.statusCode, from.headers);
      if (!['document', 'iframe'].includes(req.headers['sec-fetch-dest']) || from.statusCode >= 300) return from.pipe(res);
      const all = Buffer.concat(await from.toArray());
      let at = Math.max(0, all.indexOf('<main'));
      const size = Math.ceil((all.length - at) / pieces);
      res.write(all.subarray(0, at));
      const page = () => {
        res.write(all.subarray(at, at += size));
        if (at < all.length) return;
        res.end();
        held.delete(page);
      };
      held.add(page);
    });
    to.on('error', () => res.destroy());
    res.on('close', () => to.destroy());
    req.pipe(to);
  });
  await new Promise((ready) => { server.listen(0, '127.0.0.1', ready); });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    waiting: () => held.size,
    go: () => held.forEach((page) => page()),
    stop: () => { server.closeAllConnections(); server.close(); },
  };
}
