import { isControlPath } from '../../../mock/controls/control-paths.ts';
import type { FetchHandler } from '../../../mock/http/app.ts';
import { hostCheck } from '../../../mock/http/host-check.ts';
import { pathOf } from '../../../mock/http/request.ts';
import type { LivePart } from '../../../mock/live/live-part.ts';
import { LiveView } from '../../../mock/live/live-view.ts';
import { MocksSource } from '../../../mock/live/mocks-source.ts';
import { isLoopbackHost } from '../../../protocol/urls.ts';
import type { ExchangeLog } from '../../../traffic/exchange-log.ts';
import type { Context } from '../../shell/context.ts';
import type { MockOptions } from '../servers/mock-options.ts';
import { eventLog } from '../servers/watch.ts';
import { liveAssets } from './read-assets.ts';

interface MockLiveOptions {
  /** The mock on whose origin the view is. */
  readonly at: LivePart['role'];
  readonly exchanges: ExchangeLog;
  readonly controlToken: string;
  readonly options: MockOptions;
}

/** A mock of this process, once it is built. */
interface Built {
  readonly part: LivePart;
  /** Where it listens. */
  readonly origin: string;
  readonly issuer: string;
}

/** The live view of the mocks of this process: one, on the origin of one of them. */
export class MockLive {
  readonly #context: Context;
  readonly #options: MockLiveOptions;
  readonly #source = new MocksSource();
  #view: LiveView | undefined;

  private constructor(context: Context, options: MockLiveOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Undefined with `--no-live`, and with `--no-control`: it has controls, and is opened by one. */
  static of(
    context: Context,
    {
      controlToken,
      ...options
    }: Omit<MockLiveOptions, 'controlToken'> & {
      readonly controlToken: string | undefined;
    },
  ): MockLive | undefined {
    if (controlToken === undefined || options.options.live === false) return undefined;
    return new MockLive(context, { ...options, controlToken });
  }

  /** The application of a mock with the view, if it is there or leads to it. */
  around(handler: FetchHandler, { issuer, origin, part }: Built): FetchHandler {
    this.#source.join(part);
    const stirred: FetchHandler = async (request) => {
      const response = await handler(request);
      if (request.method === 'POST' && isControlPath(pathOf(request.url))) this.#source.changed();
      return response;
    };
    if (part.role !== this.#options.at) {
      // The other mock may be built later.
      return (request) => this.#view?.beside(stirred)(request) ?? stirred(request);
    }
    // Like the controls it is for this machine alone.
    if (!isLoopbackHost(new URL(origin).hostname)) return stirred;
    const { controlToken, exchanges, options } = this.#options;
    const { clock, random, sleep } = this.#context.world;
    this.#view = new LiveView({
      origin,
      title: part.name,
      exchanges,
      source: this.#source,
      assets: liveAssets(),
      controlToken,
      isOurHost: hostCheck({ issuer, allowedHosts: options.allowHost ?? [] }),
      clock,
      random,
      sleep,
      log: eventLog(this.#context, part.role),
    });
    return this.#view.around(stirred);
  }

  /** Opens the view once, within 60 seconds. Undefined where there is none. */
  link(): string | undefined {
    return this.#view?.link();
  }

  /** Ends its streams, which would hold up the end of their server. */
  close(): void {
    this.#view?.close();
  }
}
