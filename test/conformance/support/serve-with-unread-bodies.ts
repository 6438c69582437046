import { connect, createServer } from 'node:net';
import { serve } from '../../../src/mock-service/index.ts';
import { listening } from './listening.ts';

/** The paths that it passes on with their bodies. */
const KNOWN = /^(GET|HEAD|POST) \/(\.well-known|agent|api|oauth2|login|claim|$)/;

/** A proxy that refuses what it does not route without reading the body, which it then takes for a request. */
export const serveWithUnreadBodies: typeof serve = async (options) => {
  let behind = 0;
  const proxy = createServer((caller) => {
    caller.on('error', () => caller.destroy());
    caller.once('data', (chunk: Buffer) => answer(chunk));

    function answer(chunk: Buffer): void {
      const end = chunk.indexOf('\r\n\r\n');
      if (end === -1 || KNOWN.test(chunk.toString('latin1'))) {
        passOn(chunk);
        return;
      }
      caller.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      const rest = chunk.subarray(end + 4);
      if (rest.length > 0) answer(rest);
      else caller.once('data', (next: Buffer) => answer(next));
    }

    function passOn(chunk: Buffer): void {
      const server = connect(behind, '127.0.0.1');
      server.on('error', () => caller.destroy());
      caller.on('close', () => server.destroy());
      server.write(chunk);
      caller.pipe(server).pipe(caller);
    }
  });
  const before = await listening(proxy, { host: '127.0.0.1', port: 0 });
  const served = await serve({ ...options, build: () => options.build(before.origin) });
  behind = served.port;
  return {
    ...before,
    close: async () => {
      await before.close();
      await served.close();
    },
  };
};
