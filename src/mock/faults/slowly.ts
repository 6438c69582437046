import { SECOND } from '../../protocol/durations.ts';
import type { Delay } from '../http/delay.ts';
import { atHandler, type Routed } from './endpoint.ts';

/** How long a slow endpoint takes: longer than impatient clients wait, and not as long as all do. */
const SLOW = 10 * SECOND;

/** The endpoint does what it should, errors included, and says so late: what was spent is spent. */
export function slowly<M extends Routed<M> & { readonly delay: Delay }>(
  mock: M,
  path: string,
): Routed<M> {
  return atHandler(mock, { path, method: 'POST' }, ({ delay }, right) => async (c) => {
    try {
      return await right(c);
    } finally {
      await delay.wait(SLOW, c.req.raw.signal);
    }
  });
}
