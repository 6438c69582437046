import type { Clock, Log, Random, Sleep } from '../../runtime/ports.ts';
import type { ExchangeLog } from '../../traffic/exchange-log.ts';
import { checkControlAccess, demandThisMachine } from '../controls/control-access.ts';
import { controlEnvelope, controlProblem, readControlBody } from '../controls/read-control.ts';
import { createApp, type FetchHandler } from '../http/app.ts';
import type { HostCheck } from '../http/host-check.ts';
import { type Context, pathOf, type Route, wantsPage } from '../http/request.ts';
import { json, NO_STORE } from '../http/response.ts';
import { html, raw, type View } from '../pages/html.ts';
import { BASE } from '../pages/style.ts';
import { LiveDoor } from './live-door.ts';
import { LiveFeed } from './live-feed.ts';
import type { LiveSource } from './live-source.ts';
import { LIVE_CONTROL, LIVE_PATHS, LIVE_ROOT } from './paths.ts';

interface LiveViewOptions {
  /** Where it is reached. */
  readonly origin: string;
  readonly title: string;
  readonly exchanges: ExchangeLog;
  readonly source: LiveSource;
  /** The page's own script and style sheet, as they are built; undefined where they were not. */
  readonly assets: () => Promise<LiveAssets | undefined>;
  /** The command line for a new link. Default: that of a mock. */
  readonly newLink?: string | undefined;
  /** What shows exchanges without a script, after "Without it: ". Default: the command of a mock. */
  readonly withoutScript?: string | undefined;
  /** The token with which a program gets a new link, at {@link LIVE_CONTROL}. Default: none does. */
  readonly controlToken?: string | undefined;
  readonly isOurHost: HostCheck;
  /** The machine's clock. */
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep: Sleep;
  readonly log: Log;
}

export interface LiveAssets {
  readonly script: string;
  readonly style: string;
}

/** Its script and style sheet alone; it talks to where it came from. */
const SHELL_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...NO_STORE,
} as const;

/** The icon stands in the page itself: no request for it comes between the exchanges. */
const ICON = raw(
  `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5cad"/><path d="M9 8v17M23 8v17M9 12h11M23 20H12m5.5-10.5L20 12l-2.5 2.5m-3 3L12 20l2.5 2.5" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>')}">`,
);

/** No part of a template: the build would take that apart, for whoever puts it into a page. */
const SCRIPT = raw(`<script type="module" src="${LIVE_PATHS.script}"></script>`);

/** How many streams go on at once. */
const MOST_READERS = 200;

/** What happens at a mock, or behind the proxy, to look at while it happens. */
export class LiveView {
  readonly #options: LiveViewOptions;
  readonly #door: LiveDoor;
  readonly #app: FetchHandler;
  readonly #feed: LiveFeed;

  constructor(options: LiveViewOptions) {
    const { clock, isOurHost, log } = options;
    this.#options = options;
    this.#door = new LiveDoor(options);
    this.#feed = new LiveFeed(options.exchanges, options.source, options.sleep);
    this.#app = createApp({
      routes: this.#routes(),
      fallback: controlEnvelope,
      clock,
      log,
      isOurHost,
    });
  }

  /** A link that opens the view once, within 60 seconds. */
  link(): string {
    return this.#door.link();
  }

  /** The application with the view: `/` is the view to whoever has its session, and the application's to others. */
  around(handler: FetchHandler): FetchHandler {
    const beside = this.beside(handler);
    return async (request) => {
      const path = pathOf(request.url);
      if (path === LIVE_ROOT || path.startsWith(`${LIVE_ROOT}/`)) return this.#app(request);
      if (path !== '/' || request.method !== 'GET' || !wantsPage(request)) return beside(request);
      const answer = await this.#app(request);
      return answer.status === 200 ? answer : handler(request);
    };
  }

  /** An application of another origin that the view shows, too: there a program gets a link to it. */
  beside(handler: FetchHandler): FetchHandler {
    return (request) =>
      this.#options.controlToken !== undefined && pathOf(request.url) === LIVE_CONTROL
        ? this.#app(request)
        : handler(request);
  }

  /** Ends the streams. */
  close(): void {
    this.#feed.close();
  }

  #routes(): readonly Route[] {
    const { controlToken, isOurHost, origin } = this.#options;
    const own = (method: Route['method'], path: string, handle: Route['handle']): Route => {
      return { method, path, envelope: controlEnvelope, guard: demandThisMachine, handle };
    };
    const forPrograms = (token: string): Route => ({
      ...own('POST', LIVE_CONTROL, () => json({ url: this.link() })),
      guard: (c) => checkControlAccess(c, { token, ownOrigin: origin, isOurHost }),
    });
    return [
      own('GET', '/', (c) => this.#shell(c)),
      own('GET', LIVE_PATHS.open, (c) => this.#open(c)),
      own('GET', LIVE_PATHS.script, () => this.#asset('script', 'text/javascript')),
      own('GET', LIVE_PATHS.style, () => this.#asset('style', 'text/css')),
      own('GET', LIVE_PATHS.events, (c) => this.#events(c)),
      own('POST', `${LIVE_PATHS.actions}/:name`, (c) => this.#act(c)),
      ...(controlToken === undefined ? [] : [forPrograms(controlToken)]),
    ];
  }

  async #shell(c: Context): Promise<Response> {
    const csrfToken = this.#door.demand(c);
    const { withoutScript = 'agent-auth mock exchanges' } = this.#options;
    const said =
      (await this.#options.assets()) === undefined
        ? 'The page of the live view is missing from this installation. In a checkout: npm run build'
        : `The live view needs JavaScript. Without it: ${withoutScript}`;
    return pageOf({
      title: `${this.#options.title} · live`,
      head: html`<meta name="csrf-token" content="${csrfToken}">
  <link rel="stylesheet" href="${LIVE_PATHS.style}">
  ${SCRIPT}`,
      body: html`<div id="app"><p class="loading">${said}</p></div>`,
    });
  }

  /**
   * Trades the ticket, and goes on by a page of its own: after a redirect from another site the browser would
   * keep the cookie back (SameSite=Strict).
   */
  async #open(c: Context): Promise<Response> {
    // Whoever only looks whether a link is good, as a mail reader does, leaves it good.
    if (c.req.method === 'HEAD') return new Response('', { headers: SHELL_HEADERS });
    const cookie = this.#door.trade(c.req.query('ticket') ?? '');
    if (cookie === undefined) {
      const { newLink = 'agent-auth mock open' } = this.#options;
      return pageOf({
        title: 'This link is over',
        body: html`<h1>This link is over</h1>
  <p>A link to the live view is good once, and for 60 seconds. Get another one with:</p>
  <pre><code>${newLink}</code></pre>`,
        status: 403,
      });
    }
    return pageOf({
      title: 'Live view',
      head: html`<meta http-equiv="refresh" content="0;url=/">`,
      body: html`<p><a href="/">Open the live view</a></p>`,
      headers: cookie,
    });
  }

  #events(c: Context): Response {
    this.#door.demand(c);
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', ...NO_STORE };
    // Nobody would read the stream.
    if (c.req.method === 'HEAD') return new Response(null, { headers });
    if (this.#feed.readers >= MOST_READERS) {
      throw controlProblem('conflict', `The live view is open ${MOST_READERS} times already.`);
    }
    return new Response(this.#feed.stream(), { headers });
  }

  async #act(c: Context): Promise<Response> {
    this.#door.demandOwn(c);
    return json(
      await this.#options.source.act(c.req.param('name') ?? '', await readControlBody(c)),
    );
  }

  async #asset(name: keyof LiveAssets, type: string): Promise<Response> {
    const assets = await this.#options.assets();
    if (assets === undefined) throw controlProblem('not_found', 'This file was not built.');
    const text = name === 'style' ? BASE + assets.style : assets.script;
    return new Response(text, {
      headers: {
        'content-type': `${type}; charset=utf-8`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
      },
    });
  }
}

async function pageOf(page: {
  readonly title: string;
  readonly head?: View;
  readonly body: View;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}): Promise<Response> {
  const { body, head = '', headers, status = 200, title } = page;
  const text = await html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title}</title>
  ${ICON}
  ${head}
</head>
<body>
  ${body}
</body>
</html>
`;
  return new Response(text.toString(), { status, headers: { ...SHELL_HEADERS, ...headers } });
}
