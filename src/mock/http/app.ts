import { Hono } from 'hono';
import { maskPath } from '../../protocol/mask-tokens.ts';
import type { Clock, Log } from '../../runtime/ports.ts';
import { StoreBusyError, StoreOpenError } from '../store/errors.ts';
import { connectionOf } from './connection.ts';
import { crossOrigin } from './cross-origin.ts';
import { type HostCheck, MISDIRECTED } from './host-check.ts';
import { type Context, type Envelope, pathOf, type Route, wantsPage } from './request.ts';
import { NO_STORE, transportProblem, WireProblem } from './response.ts';

/** An application: called in a test, mounted, or served. Never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

interface AppOptions {
  readonly routes: readonly Route[];
  /** Renders what belongs to no path. */
  readonly fallback: Envelope;
  /** The source of `Date`, by which agents compute lifetimes (RFC 9110 §6.6.1). */
  readonly clock: Clock;
  readonly log: Log;
  /** Comes before everything else. Default: every host is ours. */
  readonly isOurHost?: HostCheck;
  /** What a browser is shown that came by another host. Default: the text that programs get. */
  readonly misdirectedPage?: () => Response;
  /** The origins whose pages may call the routes that are for them. Default: none. */
  readonly cors?: readonly string[];
  /** Runs before each request is looked at; what it throws is the answer. */
  readonly prepare?: (request: Request) => void;
}

/** Builds the application of a route table. */
export function createApp({
  routes,
  fallback,
  clock,
  log,
  isOurHost = () => true,
  misdirectedPage = misdirected,
  cors = [],
  prepare,
}: AppOptions): FetchHandler {
  const app = new Hono();
  for (const onPath of groupByPath(routes)) {
    const [{ path }] = onPath;
    const allow = crossOrigin(onPath, cors);
    if (allow !== undefined) app.use(path, allow);
    app.all(path, (c) => dispatch(onPath, c, log, prepare));
  }
  app.notFound(async (c) => {
    prepare?.(c.req.raw);
    return render(fallback, transportProblem('not_found'), c.req.raw, log);
  });
  app.onError((error, c) => render(fallback, toProblem(error, log), c.req.raw, log));
  return async (request) => {
    let response: Response;
    try {
      if (isOurHost(request)) response = await app.fetch(request);
      else response = await (wantsPage(request) ? misdirectedPage : misdirected)();
    } catch (error) {
      response = await render(fallback, toProblem(error, log), request, log);
    }
    setDate(request, response, httpDate(clock.now()));
    if (log.debugs === false) return response;
    log.debug('http.exchange', {
      method: request.method,
      // Query and path can name a claim attempt.
      path: maskPath(pathOf(request.url)),
      status: response.status,
    });
    return response;
  };
}

let lastDate = { second: Number.NaN, text: '' };

/** A time as HTTP writes it (RFC 9110 §5.6.7). Most requests come in the same second as the one before. */
function httpDate(now: number): string {
  const second = Math.floor(now / 1_000);
  if (second !== lastDate.second) lastDate = { second, text: new Date(now).toUTCString() };
  return lastDate.text;
}

/**
 * Sets the Date header, at Node's own response where there is one: to look at the headers of a `Response` costs a third
 * of an answer.
 */
function setDate(request: Request, response: Response, date: string): void {
  const connection = connectionOf(request);
  if (connection === undefined) response.headers.set('date', date);
  else connection.outgoing.date = date;
}

/** No envelope: whose path it would be is not looked at. */
function misdirected(): Response {
  return new Response(`${MISDIRECTED}\n`, {
    status: 421,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...NO_STORE },
  });
}

type OnPath = readonly [Route, ...Route[]];

function groupByPath(routes: readonly Route[]): Iterable<OnPath> {
  const groups = new Map<string, OnPath>();
  for (const route of routes) {
    const group = groups.get(route.path);
    groups.set(route.path, group === undefined ? [route] : [...group, route]);
  }
  return groups.values();
}

/** Answers at once where the answer is there at once: waiting for nothing is much of what a document costs. */
function dispatch(
  onPath: OnPath,
  c: Context,
  log: Log,
  prepare: AppOptions['prepare'],
): Response | Promise<Response> {
  let [route] = onPath;
  const refuse = (error: unknown) => render(route.envelope, toProblem(error, log), c.req.raw, log);
  try {
    prepare?.(c.req.raw);
    route.guard?.(c);
    route = routeFor(onPath, c.req.method);
    const answer = route.handle(c);
    return answer instanceof Promise ? answer.catch(refuse) : answer;
  } catch (error) {
    return refuse(error);
  }
}

/** @throws WireProblem 405 with what is allowed instead. */
function routeFor(onPath: OnPath, asked: string): Route {
  const route = onPath.find(({ method }) => method === (asked === 'HEAD' ? 'GET' : asked));
  if (route !== undefined) return route;
  const allow = onPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  throw transportProblem('method_not_allowed', { headers: { allow: allow.join(', ') } });
}

function toProblem(error: unknown, log: Log): WireProblem {
  if (error instanceof WireProblem) return error;
  if (error instanceof StoreBusyError) {
    log.info('http.store_busy');
  } else if (error instanceof StoreOpenError) {
    // Our own message: it names the file, and no secret.
    log.warn('http.store_failed', { code: error.code, message: error.message });
  } else {
    logUnexpected(error, log);
  }
  return transportProblem('unavailable');
}

async function render(
  envelope: Envelope,
  problem: WireProblem,
  request: Request,
  log: Log,
): Promise<Response> {
  try {
    return await envelope(problem, request);
  } catch (error) {
    logUnexpected(error, log);
    return new Response(null, { status: 503, headers: { 'retry-after': '1' } });
  }
}

/** Logs the name and place alone: the message of an error can quote a secret. */
function logUnexpected(error: unknown, log: Log): void {
  log.warn('http.unexpected', {
    name: error instanceof Error ? error.constructor.name : typeof error,
    at: error instanceof Error ? placeOf(error.stack ?? '') : undefined,
  });
}

/** `app.ts:12:3`, of the innermost frame. */
function placeOf(stack: string): string | undefined {
  return /^\s+at .*?([^/\\(\s]+:\d+:\d+)\)?$/m.exec(stack)?.[1];
}
