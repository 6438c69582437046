import type { FetchHandler } from '../mock/http/app.ts';
import { hostCheck, readAllowedHost } from '../mock/http/host-check.ts';
import {
  type Clock,
  type Forward,
  type Log,
  type Random,
  randomToken,
  type Sleep,
} from '../runtime/index.ts';
import type { ExchangeLog, Receiver } from '../traffic/index.ts';
import { frontHandler } from './front-handler.ts';
import { CookieNames } from './headers/cookie-names.ts';
import { mayFront } from './named-origins.ts';
import { type Front, Origins } from './origins.ts';
import { PROXY_NAME } from './problem.ts';
import { StandIns } from './stand-ins.ts';

/** What listens for one origin. */
export interface Listening {
  readonly port: number;
  /** `http://HOST:PORT`. */
  readonly origin: string;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** The service: its origin, whatever the path. */
  readonly to: string;
  /** The provider that the agent mints its ID-JAGs at. */
  readonly provider?: string | undefined;
  /** The host that is listened on. */
  readonly host: string;
  /** Further names of it: `HOST` or `HOST:PORT`. */
  readonly allowedHosts?: readonly string[];
  /** Origins that metadata may lead to, how near and by which scheme they may be. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Listens for one origin more; the first one is the service's. Rejects when it cannot. */
  readonly listen: (build: (origin: string) => Promise<FetchHandler>) => Promise<Listening>;
  /** Called with each origin, when the proxy stands in front of it. */
  readonly onFront?: (front: Front, origin: string) => void;
  readonly exchanges: ExchangeLog;
  readonly forward: Forward;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly log: Log;
}

export interface RunningProxy {
  /** What it stands in front of now, in the order in which that began. */
  readonly fronts: readonly Front[];
  /** Where clients reach a URL of the service or the provider; `undefined` for any other. */
  local(url: string): string | undefined;
  close(): Promise<void>;
}

/** Documents may name as many as they like: the proxy stands in front of no more. */
const MOST_FRONTS = 8;

/** The proxy is asked to stand in front of itself. */
export class ProxyLoopError extends Error {
  override readonly name = 'ProxyLoopError';
}

/**
 * Stands in front of a service, of its provider, and of what their metadata leads agents to, each origin at a
 * port of its own.
 * @throws ProxyLoopError; whatever `listen` throws for the first two.
 */
export async function createProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { allowedHosts = [], host, listen, log, onFront, provider, random, to } = options;
  const target = new URL(to).origin;
  const allowed = new Set(options.allowedOrigins);
  const names = [host, ...allowedHosts].flatMap((name) => readAllowedHost(name)?.name ?? []);
  const origins = new Origins(names);
  const common = {
    ...options,
    origins,
    standIns: new StandIns(origins, random),
    pseudonym: randomToken(random, `${PROXY_NAME}-`),
    frontAll,
  };
  const opening = new Map<string, Promise<void>>();
  const listening: Listening[] = [];

  const open = async (real: string, to: Receiver): Promise<void> => {
    let front: Front | undefined;
    const opened = await listen(async (origin) => {
      const port = Number(new URL(origin).port) || 80;
      if (origins.isOurs(real, port)) throw new ProxyLoopError(`${real} is this proxy itself.`);
      front = { real, port, to };
      origins.add(front);
      const isOurHost = hostCheck({ issuer: origin, allowedHosts });
      return frontHandler({ ...common, front, cookies: new CookieNames(real, port) }, isOurHost);
    });
    listening.push(opened);
    if (front !== undefined) onFront?.(front, opened.origin);
  };

  async function frontAll(named: readonly string[], { to: role }: Front): Promise<void> {
    for (const real of named) {
      if (origins.has(real) || opening.has(real) || !mayFront(real, target, allowed)) continue;
      if (opening.size >= MOST_FRONTS) continue;
      const begun = open(real, role).catch((error: unknown) => {
        const name = error instanceof Error ? error.name : 'unknown';
        log.warn('proxy.not_fronted', { origin: real, name });
      });
      opening.set(real, begun);
    }
    await Promise.all(named.map((real) => opening.get(real)));
  }

  const close = async () => {
    await Promise.all(listening.map((each) => each.close()));
  };
  try {
    await open(target, 'service');
    if (provider !== undefined && new URL(provider).origin !== target) {
      await open(new URL(provider).origin, 'provider');
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    get fronts() {
      return origins.fronts;
    },
    local: (url) => {
      const { origin } = new URL(url);
      const [first] = listening;
      const local = first && origins.local(origin, new URL(first.origin).hostname);
      return local && local + url.slice(origin.length);
    },
    close,
  };
}
