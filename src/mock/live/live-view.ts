import type { ExchangeLog } from '../../exchanges/index.ts';
import type { Clock, Log, Random, Sleep } from '../../runtime/index.ts';
import { controlEnvelope, controlProblem } from '../controls/control-problem.ts';
import { readControlBody } from '../controls/read-control.ts';
import {
  type Context,
  createApp,
  type FetchHandler,
  type HostCheck,
  json,
  NO_STORE,
  pathOf,
  Reply,
  type Route,
  wantsPage,
} from '../http/index.ts';
import { html } from '../pages/index.ts';
import { eventStream } from './event-stream.ts';
import { LiveDoor } from './live-door.ts';
import type { LiveSource } from './live-source.ts';
import type { LiveActionName, LiveActions } from './model.ts';
import { LIVE_PATHS, LIVE_ROOT } from './paths.ts';

interface LiveViewOptions {
  /** Where it is reached. */
  readonly origin: string;
  readonly title: string;
  readonly exchanges: ExchangeLog;
  readonly source: LiveSource;
  /** The page's own script and style sheet, as they are built. */
  readonly assets: LiveAssets;
  readonly isOurHost: HostCheck;
  /** Of the machine. */
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

const ACTIONS: ReadonlySet<string> = new Set<LiveActionName>([
  'clock',
  'complete',
  'deny',
  'revoke',
  'rotate',
  'faults',
  'dialect',
  'reset',
  'tour',
]);

/** What happens at a mock, or behind the proxy, to look at while it happens. */
export class LiveView {
  readonly #options: LiveViewOptions;
  readonly #door: LiveDoor;
  readonly #app: FetchHandler;
  readonly #end = new AbortController();

  constructor(options: LiveViewOptions) {
    const { clock, isOurHost, log } = options;
    this.#options = options;
    this.#door = new LiveDoor(options);
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
    return async (request) => {
      const path = pathOf(request.url);
      if (path === LIVE_ROOT || path.startsWith(`${LIVE_ROOT}/`)) return this.#app(request);
      if (path !== '/' || request.method !== 'GET' || !wantsPage(request)) return handler(request);
      const answer = await this.#app(request);
      return answer.status === 401 ? handler(request) : answer;
    };
  }

  /** Ends the streams. */
  close(): void {
    this.#end.abort();
  }

  #routes(): readonly Route[] {
    const { assets } = this.#options;
    const get = (path: string, handle: Route['handle']): Route => {
      return { method: 'GET', path, envelope: controlEnvelope, handle };
    };
    return [
      get('/', (c) => this.#shell(c)),
      get(LIVE_PATHS.open, (c) => this.#open(c)),
      get(LIVE_PATHS.script, () => asset(assets.script, 'text/javascript')),
      get(LIVE_PATHS.style, () => asset(assets.style, 'text/css')),
      get(LIVE_PATHS.events, (c) => this.#events(c)),
      {
        method: 'POST',
        path: `${LIVE_PATHS.actions}/:name`,
        envelope: controlEnvelope,
        handle: (c) => this.#act(c),
      },
    ];
  }

  async #shell(c: Context): Promise<Response> {
    const { csrfToken } = this.#door.demand(c);
    const text = await html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="csrf-token" content="${csrfToken}">
  <title>${this.#options.title} · live</title>
  <link rel="stylesheet" href="${LIVE_PATHS.style}">
  <script type="module" src="${LIVE_PATHS.script}"></script>
</head>
<body>
  <div id="app"><p class="loading">The live view needs JavaScript. Without it: agent-auth mock exchanges</p></div>
</body>
</html>
`;
    return Reply.of({ status: 200, headers: SHELL_HEADERS, text: text.toString() });
  }

  /**
   * Trades the ticket, and goes on by a page of its own: after a redirect from another site the browser would
   * keep the cookie back (SameSite=Strict).
   */
  async #open(c: Context): Promise<Response> {
    const cookie = this.#door.trade(c.req.query('ticket') ?? '');
    if (cookie === undefined) {
      const text = await html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>This link is over</title></head>
<body>
  <h1>This link is over</h1>
  <p>A link to the live view is good once, and for 60 seconds. Get another one with:</p>
  <pre><code>agent-auth mock open</code></pre>
</body>
</html>
`;
      return Reply.of({ status: 403, headers: SHELL_HEADERS, text: text.toString() });
    }
    const text = await html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>Live view</title></head>
<body><p><a href="/">Open the live view</a></p></body>
</html>
`;
    return Reply.of({
      status: 200,
      headers: { ...SHELL_HEADERS, ...cookie },
      text: text.toString(),
    });
  }

  #events(c: Context): Response {
    this.#door.demand(c);
    const { exchanges, sleep, source } = this.#options;
    const since = Number(c.req.header('last-event-id') ?? c.req.query('since') ?? 0);
    const stream = eventStream({
      log: exchanges,
      source,
      sleep,
      since: Number.isSafeInteger(since) && since > 0 ? since : 0,
      signal: this.#end.signal,
    });
    return new Response(stream, {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', ...NO_STORE },
    });
  }

  async #act(c: Context): Promise<Response> {
    this.#door.demandOwn(c);
    const name = c.req.param('name') ?? '';
    if (!isAction(name)) throw controlProblem('not_found', 'There is no such button.');
    const given = await readControlBody(c);
    return json(await this.#options.source.act(name, given as LiveActions[typeof name]));
  }
}

function isAction(name: string): name is LiveActionName {
  return ACTIONS.has(name);
}

function asset(text: string, type: string): Response {
  return Reply.of({
    status: 200,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    },
    text,
  });
}
