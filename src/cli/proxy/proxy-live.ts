import type { FetchHandler } from '../../mock/http/app.ts';
import { hostCheck } from '../../mock/http/host-check.ts';
import type { LiveSource } from '../../mock/live/live-source.ts';
import { LiveView } from '../../mock/live/live-view.ts';
import type { LiveRegistration } from '../../mock/live/model.ts';
import { passiveSource } from '../../mock/live/passive-source.ts';
import { instant } from '../../protocol/instant.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { specificationState } from '../../protocol/states.ts';
import type { Log } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { ExchangeLog } from '../../traffic/exchange-log.ts';
import type { Explained, Finding } from '../../traffic/index.ts';
import { liveAssets } from '../mock/live/read-assets.ts';
import { orExplain } from '../mock/servers/explain-listen.ts';
import { type Place, serveMock } from '../mock/servers/serve-mock.ts';
import type { Context } from '../shell/context.ts';

interface ProxyLiveOptions {
  /** The service, and the provider if there is one: their own URLs. */
  readonly to: string;
  readonly provider: string | undefined;
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
  { exchanges, log, place, provider, seen, to }: ProxyLiveOptions,
): Promise<ProxyLive> {
  const { clock, random, sleep } = context.world;
  const token = randomToken(random, 'ctl_');
  const service = new URL(to);
  const parties = [
    { role: 'service', name: service.host, issuer: service.origin } as const,
    ...(provider === undefined ? [] : [providerParty(new URL(provider))]),
  ];
  const source = passiveSource({
    title: parties.map(({ name }) => name).join(' and '),
    parties,
    clock,
    findings: seen.findings,
    registrations: seen.registrations,
    follow: seen.follow,
  });
  let view: LiveView | undefined;
  const build = async (origin: string) => {
    view = new LiveView({
      origin,
      title: `Proxy to ${service.host}`,
      exchanges,
      source,
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

function providerParty({ host, origin }: URL) {
  return { role: 'provider', name: host, issuer: origin } as const;
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

/** What the live view of the proxy shows beside exchanges: what is wrong with them, and what they led to. */
export class SeenTraffic {
  readonly #kept: number;
  readonly #findings = new Map<number, readonly Finding[]>();
  readonly #registrations = new Map<string, LiveRegistration>();
  readonly #listeners = new Set<(seq?: number) => void>();

  /** @param kept so many exchanges are shown. */
  constructor(kept: number) {
    this.#kept = kept;
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
      if (old > seq - this.#kept) break;
      this.#findings.delete(old);
    }
  }

  readonly findings = (seq: number): readonly Finding[] => this.#findings.get(seq) ?? [];

  /** Newest first. */
  readonly registrations = (): readonly LiveRegistration[] =>
    [...this.#registrations.values()].reverse();

  readonly follow: LiveSource['follow'] = (listener) => {
    // One that listens twice is told twice.
    const own = (seq?: number) => listener(seq);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  };

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
