import type { ExchangeLog } from '../../exchanges/exchange-log.ts';
import type { FetchHandler } from '../../mock/http/app.ts';
import { hostCheck } from '../../mock/http/host-check.ts';
import { LiveView } from '../../mock/live/live-view.ts';
import { passiveSource } from '../../mock/live/passive-source.ts';
import type { Log } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { liveAssets } from '../mock/live/read-assets.ts';
import { orExplain } from '../mock/servers/explain-listen.ts';
import { type Place, serveMock } from '../mock/servers/serve-mock.ts';
import type { Context } from '../shell/context.ts';
import type { SeenTraffic } from './seen-traffic.ts';

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

/** For this machine alone, wherever the proxy listens. */
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
