// Loaded before a server that listens on all interfaces: makes it listen on
// loopback only.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, { port: Number(port), host: '127.0.0.1' },
    ...rest.filter((a) => typeof a === 'function'));
};
