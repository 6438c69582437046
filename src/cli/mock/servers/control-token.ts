import { isLoopbackHost } from '../../../protocol/urls.ts';
import { randomToken } from '../../../runtime/random-token.ts';
import type { Context } from '../../shell/context.ts';
import type { RunningControl } from '../../shell/runtime-files.ts';
import type { MockOptions } from './mock-options.ts';
import type { StartedServer } from './started-server.ts';

/** A fresh control token for this run; `undefined` with `--no-control`. */
export function controlToken({ world }: Context, { control }: MockOptions): string | undefined {
  return control === false ? undefined : randomToken(world.random, 'ctl_');
}

/**
 * What is recorded for control commands: they go to where a mock listens, whatever its issuer. One that
 * does not listen on loopback cannot be controlled.
 */
export function controlOf(
  token: string | undefined,
  started: { readonly service?: StartedServer; readonly provider?: StartedServer },
): RunningControl | undefined {
  if (token === undefined) return undefined;
  return {
    token,
    service: loopbackOrigin(started.service),
    provider: loopbackOrigin(started.provider),
  };
}

function loopbackOrigin(server: StartedServer | undefined): string | null {
  if (server === undefined) return null;
  const { origin } = server.served;
  return isLoopbackHost(new URL(origin).hostname) ? origin : null;
}
