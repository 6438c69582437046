import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListenForRedirect } from './ports.ts';
import { untilAborted } from './system-deadline.ts';

const PATH = '/callback';

const TEXTS = {
  signed_in: 'You are signed in. You can close this page.',
  failed: 'The sign-in was not completed. The program says why; you can close this page.',
} as const;

/** Takes the answer on the loopback address, whichever port is free (RFC 8252 §7.3, §8.3). */
export const listenOnLoopback: ListenForRedirect = async (again) => {
  let take: (answer: URLSearchParams) => void = () => {};
  const came = new Promise<URLSearchParams>((resolve) => {
    take = resolve;
  });
  let browser: ServerResponse | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isAnswer = searchParams.has('code') || searchParams.has('error');
    // A page of elsewhere, or the icon that browsers ask for.
    if (request.method !== 'GET' || pathname !== PATH || !isAnswer || browser !== undefined) {
      response.writeHead(404).end();
      return;
    }
    browser = response;
    take(searchParams);
  });
  const port = again === undefined ? 0 : Number(new URL(again).port);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  // Nobody waits yet, and whoever does keeps the program running.
  server.unref();
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    answer: async (signal) => {
      server.ref();
      try {
        return await untilAborted(came, signal);
      } finally {
        server.unref();
      }
    },
    close: (ended = 'failed') => {
      server.close();
      browser?.writeHead(200, HEADERS).end(page(TEXTS[ended]));
      browser = undefined;
    },
  };
};

/** The address of the page holds the code: it goes nowhere from here (RFC 9700 §4.2.4). */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

function page(text: string): string {
  return `<!doctype html><html lang="en"><title>agent-auth</title><p>${text}</p></html>\n`;
}
