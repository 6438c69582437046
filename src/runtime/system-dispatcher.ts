import type { Dispatcher } from './dispatcher.ts';

/** Where undici keeps it, by the version of the interface; the one of `fetch` in Node may be a newer one. */
const SHARED = Symbol.for('undici.globalDispatcher.1');
const NEWER = Symbol.for('undici.globalDispatcher.2');

/**
 * What the global `fetch` of Node sends with now: what `setGlobalDispatcher` was given (a proxy, a mock), or the
 * runtime's own. `undefined` before it is there, and where it may be another one.
 */
export function sharedDispatcher(): Dispatcher | undefined {
  const shared: unknown = Reflect.get(globalThis, SHARED);
  const newer: unknown = Reflect.get(globalThis, NEWER);
  if (newer !== undefined && newer !== shared) return undefined;
  return isDispatcher(shared) ? shared : undefined;
}

function isDispatcher(value: unknown): value is Dispatcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    'dispatch' in value &&
    typeof value.dispatch === 'function'
  );
}
