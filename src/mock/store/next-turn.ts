// Not the global one: a test that replaces timers, or an environment without this one, would hold up the store.
import { setImmediate } from 'node:timers';

/**
 * Calls back in the next turn of the event loop, once what has arrived in this one was looked at. No time is
 * waited for.
 */
export function nextTurn(callback: () => void): void {
  setImmediate(callback);
}
