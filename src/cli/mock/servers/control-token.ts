import { isLoopbackHost } from '../../../protocol/urls.ts';
import { randomToken } from '../../../runtime/random-token.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { RunningControl } from '../../shell/runtime-files.ts';
import type { MockOptions } from './mock-options.ts';
import type { StartedMock } from './start-mocks.ts';

/** What a header can carry as a bearer token (RFC 6750 §2.1), and nobody guesses. */
const GIVEN = /^[\w.~+/-]{20,256}=*$/;

/**
 * That of AGENT_AUTH_CONTROL_TOKEN, else a fresh one for this run; `undefined` with `--no-control`.
 * @throws CliError (usage) for a given one that could be guessed, or no header can carry.
 */
export function controlToken({ world }: Context, { control }: MockOptions): string | undefined {
  if (control === false) return undefined;
  const given = world.environment.controlToken;
  if (given === undefined) return randomToken(world.random, 'ctl_');
  if (GIVEN.test(given)) return given;
  throw usageError('AGENT_AUTH_CONTROL_TOKEN is not fit for a token of the controls.', {
    hint: 'Use 20 to 256 letters and digits that nobody guesses, or unset it: then each run makes one.',
  });
}

/**
 * What is recorded for control commands: they go to where a mock listens, whatever its issuer. One that
 * does not listen on loopback cannot be controlled.
 */
export function controlOf(
  token: string | undefined,
  started: {
    readonly service: StartedMock | undefined;
    readonly provider: StartedMock | undefined;
  },
): RunningControl | undefined {
  if (token === undefined) return undefined;
  return {
    token,
    service: loopbackOrigin(started.service),
    provider: loopbackOrigin(started.provider),
  };
}

function loopbackOrigin(server: StartedMock | undefined): string | null {
  if (server === undefined) return null;
  const { origin } = server.served;
  return isLoopbackHost(new URL(origin).hostname) ? origin : null;
}
