import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExchangeLog } from '../../src/exchanges/index.ts';
import { serve } from '../../src/mock/index.ts';
import { type LiveSnapshot, LiveView } from '../../src/mock/live/index.ts';
import { SeededRandom, silentLog, systemClock, systemSleep } from '../../src/runtime/index.ts';
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
        return view.around(async () => new Response('plain'));
      },
    });
    if (view === undefined) throw new Error('The server was not given an application.');
    const ready = view;
    return new LivePlace(log, source, {
      view: ready,
      origin: served.origin,
      close: async () => {
        ready.close();
        await served.close();
      },
    });
  }
}
