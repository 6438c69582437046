import type { Fetch } from '../../../runtime/ports.ts';

/** A fetch that is loaded when it is first called. */
export function later(load: () => Promise<Fetch>): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (url, init) => {
    loading ??= load();
    return (await loading)(url, init);
  };
}
