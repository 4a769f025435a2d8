// Starts a reverse proxy of an npm package as its documentation does.
// Usage: node proxy.mjs PACKAGE PORT UPSTREAM
import { createServer } from 'node:http';

const [name, port, target] = process.argv.slice(2);
const listen = (server) => server.listen(Number(port), '127.0.0.1');

// An error of the proxy, such as a client that is gone, must not end it.
const proxied = (proxy) => {
  proxy.on('error', (error, _, response) => response.destroy?.(error));
  return (request, response) => proxy.web(request, response);
};

const starts = {
  'http-proxy': async () => {
    const { default: proxies } = await import('http-proxy');
    listen(createServer(proxied(proxies.createProxyServer({ target }))));
  },
  'http-proxy-3': async () => {
    const { createProxyServer } = await import('http-proxy-3');
    listen(createServer(proxied(createProxyServer({ target }))));
  },
  'http-proxy-middleware': async () => {
    const [{ default: express }, { createProxyMiddleware }] = await Promise.all(
      [import('express'), import('http-proxy-middleware')]);
    listen(express().use(createProxyMiddleware({ target, changeOrigin: true })));
  },
  '@fastify/http-proxy': async () => {
    const [{ default: fastify }, { default: proxy }] = await Promise.all(
      [import('fastify'), import('@fastify/http-proxy')]);
    const server = fastify();
    await server.register(proxy, { upstream: target });
    await server.listen({ port: Number(port), host: '127.0.0.1' });
  },
};

await starts[name]();
