import type { Context, Envelope, Route } from '../http/request.ts';
import { transportProblem } from '../http/response.ts';

/** A mock whose table of routes is one of its parts. */
export interface Routed<M> {
  readonly routes: (mock: M) => readonly Route[];
}

/** Which routes are meant: all methods of a path, or one. */
interface RouteChoice {
  readonly path: string;
  readonly method?: Route['method'];
}

/** Makes one endpoint work with other parts than the rest of the mock. */
export function atEndpoint<M extends Routed<M>>(
  { routes }: Routed<M>,
  chosen: RouteChoice,
  rewire: (mock: M) => Partial<M>,
): Routed<M> {
  return {
    routes: (mock) => {
      const rewired = routes({ ...mock, ...rewire(mock) });
      return routes(mock).map((route, at) =>
        isChosen(route, chosen) ? (rewired[at] ?? route) : route,
      );
    },
  };
}

/** How an endpoint should handle a request; with other parts where some are given. */
export type RightHandler<M> = (c: Context, parts?: Partial<M>) => Promise<Response>;

/** Makes one endpoint be handled another way. */
export function atHandler<M extends Routed<M>>(
  { routes }: Routed<M>,
  chosen: RouteChoice,
  handle: (mock: M, right: RightHandler<M>) => Route['handle'],
): Routed<M> {
  return {
    routes: (mock) =>
      routes(mock).map((route, at) => {
        if (!isChosen(route, chosen)) return route;
        const right: RightHandler<M> = async (c, parts) =>
          ((parts && routes({ ...mock, ...parts })[at]) ?? route).handle(c);
        return { ...route, handle: handle(mock, right) };
      }),
  };
}

/**
 * Every URL, known or not, answers 503 before anything is read.
 * @param fallback renders the problem where there is nothing.
 */
export function withoutService<M extends Routed<M>>(
  { routes }: Routed<M>,
  fallback: Envelope,
): Routed<M> {
  const guard = () => {
    throw transportProblem('unavailable');
  };
  const elsewhere: Route = { method: 'GET', path: '*', envelope: fallback, handle: guard };
  return { routes: (mock) => [...routes(mock), elsewhere].map((route) => ({ ...route, guard })) };
}

function isChosen(route: Route, { path, method = route.method }: RouteChoice): boolean {
  return route.path === path && route.method === method;
}
