// One bare handler: Hono on its own server for Node, one route, and the work that its row names.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { LIMITS } from './limits.js';
import { serveUntilEnd } from './until-end.js';

/** @type {import('./limits.js').LimitSettings} */
const settings = JSON.parse(process.argv[2] ?? '{}');
const limit = LIMITS[settings.row];
if (limit === undefined) throw new Error(`There is no limit for ${settings.row}.`);

const app = new Hono();
app.on(settings.method, settings.path, limit(settings));

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  serveUntilEnd(
    `http://127.0.0.1:${port}`,
    () => new Promise((resolve) => server.close(() => resolve())),
  );
});
