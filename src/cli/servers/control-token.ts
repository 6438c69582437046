import { randomToken } from '../../runtime/random-token.ts';
import type { Context } from '../context.ts';
import type { MockOptions } from './mock-options.ts';
import type { RunningControl } from './runtime-files.ts';
import type { StartedServer } from './started-server.ts';

/** A fresh control token for this run; `undefined` with `--no-control`. */
export function controlToken({ world }: Context, { control }: MockOptions): string | undefined {
  return control === false ? undefined : randomToken(world.random, 'ctl_');
}

/** What is noted for control commands: they go to where a mock listens, whatever it calls itself. */
export function controlOf(
  token: string | undefined,
  started: { readonly service?: StartedServer; readonly provider?: StartedServer },
): RunningControl | undefined {
  if (token === undefined) return undefined;
  return {
    token,
    service: started.service?.served.origin ?? null,
    provider: started.provider?.served.origin ?? null,
  };
}
