import type { Context } from './request.ts';
import type { WireProblem } from './response.ts';

/** Renders a problem in the shape of one endpoint. The only places that write an error body. */
export type Envelope = (problem: WireProblem, request: Request) => Response | Promise<Response>;

export interface Route {
  /** `GET` answers HEAD as well. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A hono pattern. Of two patterns that match a path, the first one listed answers. */
  readonly path: string;
  /** Also renders a wrong method on this path. */
  readonly envelope: Envelope;
  /**
   * Pages of other origins may call it where the mock has the option `cors`. For what programs call with
   * a token or nothing at all, never for what a cookie opens.
   */
  readonly crossOrigin?: true;
  /** Refuses before anything is looked at, the method included, by throwing a problem. */
  guard?(c: Context): void;
  handle(c: Context): Response | Promise<Response>;
}
