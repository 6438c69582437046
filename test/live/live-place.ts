import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../src/mock/http/serve.ts';
import { LiveView } from '../../src/mock/live/live-view.ts';
import type { LiveSnapshot } from '../../src/mock/live/model.ts';
import { LIVE_PATHS } from '../../src/mock/live/paths.ts';
import { SeededRandom, silentLog, systemClock, systemSleep } from '../../src/runtime/index.ts';
import { type Exchange, ExchangeLog } from '../../src/traffic/index.ts';
import { StagedSource } from './staged-source.ts';

interface Setup {
  readonly root: string;
  readonly snapshot: LiveSnapshot;
  readonly log?: ExchangeLog;
  readonly port?: number;
}

/** The live view, served, of what a test puts into its log and its source. */
export class LivePlace {
  readonly log: ExchangeLog;
  readonly source: StagedSource;
  readonly view: LiveView;
  readonly origin: string;
  readonly close: () => Promise<void>;
  /** How many streams were begun. */
  streams = 0;
  #isDown = false;
  #cut = new AbortController();

  private constructor(
    log: ExchangeLog,
    source: StagedSource,
    served: {
      readonly view: LiveView;
      readonly origin: string;
      readonly close: () => Promise<void>;
    },
  ) {
    this.log = log;
    this.source = source;
    this.view = served.view;
    this.origin = served.origin;
    this.close = served.close;
  }

  static async open({ log = new ExchangeLog(20_000), port = 0, root, snapshot }: Setup) {
    const source = new StagedSource(snapshot);
    const asset = (name: string) => readFileSync(join(root, 'dist/live', name), 'utf8');
    let view: LiveView | undefined;
    let place: LivePlace | undefined;
    const served = await serve({
      host: '127.0.0.1',
      port,
      log: silentLog,
      build: async (origin) => {
        view = new LiveView({
          origin,
          title: snapshot.title,
          exchanges: log,
          source,
          assets: async () => ({ script: asset('app.js'), style: asset('app.css') }),
          isOurHost: ({ headers }) => `http://${headers.get('host')}` === origin,
          clock: systemClock,
          random: new SeededRandom(4),
          sleep: systemSleep,
          log: silentLog,
        });
        const handler = view.around(async () => new Response('plain'));
        return (request) => place?.watched(request, handler) ?? handler(request);
      },
    });
    if (view === undefined) throw new Error('The server was not given an application.');
    const ready = view;
    place = new LivePlace(log, source, {
      view: ready,
      origin: served.origin,
      close: async () => {
        ready.close();
        await served.close();
      },
    });
    return place;
  }

  /** Adds an exchange to the log. @param known the number of one that is completed by it. */
  add(more: Partial<Exchange> = {}, known?: number): void {
    const message = { headers: {}, body: null, bodyState: 'none', bytes: 0 } as const;
    const exchange = {
      to: 'service' as const,
      at: Date.UTC(2026, 0, 5, 9, 30),
      duration: 1,
      method: 'GET',
      url: `${this.origin}/api/resource`,
      path: '/api/resource',
      request: message,
      status: 200,
      response: message,
      ...more,
    };
    const recorded = { to: exchange.to, length: 500, redact: () => exchange };
    if (known === undefined) this.log.add(recorded);
    else this.log.complete(known, recorded);
  }

  /** Ends the streams, and refuses others until {@link comeBack}. */
  goDown(): void {
    this.#isDown = true;
    this.#cut.abort();
  }

  comeBack(): void {
    this.#isDown = false;
    this.#cut = new AbortController();
  }

  async watched(
    request: Request,
    handler: (request: Request) => Promise<Response> | Response,
  ): Promise<Response> {
    if (new URL(request.url).pathname !== LIVE_PATHS.events) return handler(request);
    if (this.#isDown) return new Response(null, { status: 503 });
    const answer = await handler(request);
    if (answer.body === null) return answer;
    this.streams += 1;
    const through = new TransformStream();
    answer.body
      .pipeTo(through.writable, { signal: this.#cut.signal, preventAbort: true })
      .catch(() => through.writable.close())
      .catch(() => {});
    return new Response(through.readable, answer);
  }
}
