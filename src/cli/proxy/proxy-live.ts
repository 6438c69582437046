import { controlProblem } from '../../mock/controls/read-control.ts';
import type { FetchHandler } from '../../mock/http/app.ts';
import { hostCheck } from '../../mock/http/host-check.ts';
import type { LiveSource } from '../../mock/live/live-source.ts';
import { LiveView } from '../../mock/live/live-view.ts';
import type { LiveActionResult, LiveRegistration, LiveSnapshot } from '../../mock/live/model.ts';
import { instant } from '../../protocol/instant.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { specificationState } from '../../protocol/states.ts';
import type { Clock, Log } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { ExchangeLog } from '../../traffic/exchange-log.ts';
import type { Explained, Finding } from '../../traffic/index.ts';
import { liveAssets } from '../mock/live/read-assets.ts';
import { orExplain } from '../mock/servers/explain-listen.ts';
import { type Place, serveMock } from '../mock/servers/serve-mock.ts';
import type { Context } from '../shell/context.ts';

interface ProxyLiveOptions {
  /** The service: its own URL. */
  readonly to: string;
  readonly place: Omit<Place, 'host'>;
  readonly exchanges: ExchangeLog;
  readonly seen: SeenTraffic;
  readonly log: Log;
}

/** The live view of the proxy while it is served. */
export interface ProxyLive {
  readonly origin: string;
  /** Gets a program a new link, at {@link LIVE_CONTROL}. */
  readonly token: string;
  /** Opens the view once, within 60 seconds. */
  link(): string;
  close(): Promise<void>;
}

/** The host of this machine alone, wherever the proxy listens. */
const HOST = '127.0.0.1';

/**
 * Serves the view at a port of its own: at those of the proxy every path is the service's.
 * @throws CliError for a port that is not available.
 */
export async function startProxyLive(
  context: Context,
  { exchanges, log, place, seen, to }: ProxyLiveOptions,
): Promise<ProxyLive> {
  const { clock, random, sleep } = context.world;
  const token = randomToken(random, 'ctl_');
  let view: LiveView | undefined;
  const build = async (origin: string) => {
    view = new LiveView({
      origin,
      title: `Proxy to ${new URL(to).host}`,
      exchanges,
      source: seen,
      assets: liveAssets(),
      newLink: `${context.world.environment.programName} proxy open`,
      withoutScript: 'the terminal of the proxy shows the same',
      controlToken: token,
      isOurHost: hostCheck({ issuer: origin, allowedHosts: [] }),
      clock,
      random,
      sleep,
      log,
    });
    return view.around(stranger(context));
  };
  const served = await orExplain(context, serveMock({ ...place, host: HOST }, { build, log }));
  return {
    origin: served.origin,
    token,
    link: () => {
      if (view === undefined) throw new Error('The live view was not built.');
      return view.link();
    },
    close: async () => {
      // Its streams would hold up the end of the server.
      view?.close();
      await served.close();
    },
  };
}

/** What somebody without a session gets. */
function stranger({ world }: Context): FetchHandler {
  const text = `This is the live view of agent-auth proxy. Open it with a new link: ${world.environment.programName} proxy open\n`;
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  return async (request) =>
    new URL(request.url).pathname === '/'
      ? new Response(text, { status: 403, headers })
      : new Response('There is nothing here.\n', { status: 404, headers });
}

/** How many registrations are shown, and how many of the last steps of each. */
const MOST_REGISTRATIONS = 100;
const MOST_STEPS = 50;

interface SeenOptions {
  /** The service, and the provider if there is one: their own URLs. */
  readonly to: string;
  readonly provider?: string | undefined;
  readonly clock: Clock;
  /** How many exchanges are shown. */
  readonly kept: number;
}

/**
 * What the live view of the proxy shows beside exchanges: what is wrong with them, and what they led to. These are the
 * servers of others: nothing here controls them.
 */
export class SeenTraffic implements LiveSource {
  readonly #options: SeenOptions;
  readonly #findings = new Map<number, readonly Finding[]>();
  readonly #registrations = new Map<string, LiveRegistration>();
  readonly #listeners = new Set<(seq?: number) => void>();

  constructor(options: SeenOptions) {
    this.#options = options;
  }

  /** Takes an exchange, and what was found in it. */
  note(explained: Explained, found: readonly Finding[]): void {
    const { seq } = explained.exchange;
    this.#register(explained);
    for (const finding of found) {
      this.#findings.set(finding.seq, [...(this.#findings.get(finding.seq) ?? []), finding]);
      for (const listener of this.#listeners) listener(finding.seq);
    }
    for (const old of this.#findings.keys()) {
      if (old > seq - this.#options.kept) break;
      this.#findings.delete(old);
    }
  }

  findings(seq: number): readonly Finding[] {
    return this.#findings.get(seq) ?? [];
  }

  follow(listener: (seq?: number) => void): () => void {
    // One that listens twice is told twice.
    const own = (seq?: number) => listener(seq);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  async snapshot(): Promise<LiveSnapshot> {
    const { clock, provider, to } = this.#options;
    const parties = [
      { role: 'service', url: new URL(to) } as const,
      ...(provider === undefined ? [] : [{ role: 'provider', url: new URL(provider) } as const]),
    ];
    return {
      version: 1,
      title: parties.map(({ url }) => url.host).join(' and '),
      has_controls: false,
      parties: parties.map(({ role, url: { host, origin } }) => ({
        role,
        name: host,
        issuer: origin,
        now: instant(clock.now()),
        clock_offset_ms: 0,
        faults: [],
        dialect: null,
      })),
      registrations: [...this.#registrations.values()].reverse(),
      mails: [],
      changes: [],
    };
  }

  async act(): Promise<LiveActionResult> {
    throw controlProblem(
      'conflict',
      'Here is nothing to control: these are the servers of others.',
    );
  }

  #register({ exchange, from, meaning, registrationId: id, state, step }: Explained): void {
    if (id === undefined || state === undefined) return;
    const before = this.#registrations.get(id);
    if (before?.state === state) return;
    const at = instant(exchange.at);
    const type = before?.type ?? (step === 'register' ? typeIn(exchange.request.body) : '');
    const entry = { at, actor: from, action: meaning === '' ? step : meaning };
    this.#registrations.set(id, {
      id,
      type,
      state,
      specification_state: specificationState(state, type),
      email: null,
      agent_name: null,
      created_at: before?.created_at ?? at,
      // Only the service knows them for sure.
      ends_at: null,
      attempt: null,
      history: [...(before?.history ?? []), entry].slice(-MOST_STEPS),
    });
    const [oldest] =
      this.#registrations.size > MOST_REGISTRATIONS ? this.#registrations.keys() : [];
    if (oldest !== undefined) this.#registrations.delete(oldest);
    for (const listener of this.#listeners) listener();
  }
}

/** The registration type as the agent sent it; dialects that name it otherwise show none. */
function typeIn(body: unknown): string {
  const type = isJsonObject(body) ? body['type'] : undefined;
  return typeof type === 'string' ? type : '';
}
