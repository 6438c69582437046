import type { Context } from './context.ts';
import type { WireProblem } from './problems.ts';

/** Renders a problem in the shape of one endpoint. The only places that write an error body. */
export type Envelope = (problem: WireProblem, request: Request) => Response | Promise<Response>;

export interface Route {
  /** `GET` answers HEAD as well. */
  readonly method: 'GET' | 'POST';
  /** A hono pattern. Of two patterns that match a path, the first one listed answers. */
  readonly path: string;
  /** Also renders a wrong method on this path. */
  readonly envelope: Envelope;
  /** Refuses before anything is looked at, the method included, by throwing a problem. */
  guard?(c: Context): void;
  handle(c: Context): Response | Promise<Response>;
}
