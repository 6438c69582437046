// Answers a few requests always the same, and tells what it was asked: a service that computes nothing.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { serveUntilEnd } from './until-end.js';

/**
 * @typedef {object} Recorded
 * @property {string} method
 * @property {string} path
 * @property {number} status
 * @property {string} type
 * @property {string} body
 */

/** @type {{ port: number, answers: readonly Recorded[] }} */
const settings = JSON.parse(process.argv[2] ?? '{}');
/** @type {string[]} */
let seen = [];

const app = new Hono();
for (const { body, method, path, status, type } of settings.answers) {
  const headers = { 'content-type': type, 'cache-control': 'no-store' };
  app.on(method, path, (c) => {
    seen.push(`${method} ${path}`);
    return c.body(body, /** @type {200} */ (status), headers);
  });
}
app.get('/seen', (c) => {
  const last = seen;
  seen = [];
  return c.json(last);
});
app.notFound((c) => {
  seen.push(`${c.req.method} ${c.req.path}`);
  return c.body(null, 404);
});

const server = serve(
  { fetch: app.fetch, hostname: '127.0.0.1', port: settings.port },
  ({ port }) => {
    serveUntilEnd(
      `http://127.0.0.1:${port}`,
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          /** @type {import('node:http').Server} */ (server).closeAllConnections();
        }),
    );
  },
);
