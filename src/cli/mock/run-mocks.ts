import { isLoopbackHost, isSameOrigin, withoutFinalSlash } from '../../protocol/urls.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { ExchangeLog } from '../../traffic/exchange-log.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { RunningControl } from '../shell/runtime-files.ts';
import { MockLive } from './live/mock-live.ts';
import { readMockOptions } from './servers/config/read-mock-options.ts';
import { readMetadata } from './servers/metadata.ts';
import { bindHost, checkFaults, type MockOptions, readLifetimes } from './servers/mock-options.ts';
import type { MockRole } from './servers/mock-role.ts';
import { openTls } from './servers/mock-tls.ts';
import { databaseFile, explainStore, openMockDatabase } from './servers/open-mock-database.ts';
import { runUntilStopped } from './servers/run-until-stopped.ts';
import { type MockPlan, type StartedMock, startMocks } from './servers/start-mocks.ts';

/** Runs one mock, or the service and the provider, each known to the other, until they are stopped. */
export async function runMocks(
  context: Context,
  roles: readonly MockRole[],
  flags: MockOptions,
): Promise<Outcome> {
  const { interrupt, world } = context;
  const first = roles[0]?.name ?? 'service';
  const command = roles.length === 1 ? first : 'up';
  const options = await readMockOptions(
    flags,
    command,
    interrupt.signal,
    world.environment.mockConfig,
  );
  const host = bindHost(options);
  const [own, others] = command === 'up' ? eachOfTwo(options) : [options, options];
  const lifetimes = readLifetimes(options.lifetime, [
    ...new Set(roles.flatMap((role) => role.lifetimes)),
  ]);
  checkFaults(
    options,
    roles.flatMap(({ faults }) => faults),
  );
  const plans: MockPlan[] = [];
  for (const [at, role] of roles.entries()) {
    const its = at === 0 ? own : others;
    const place = { host, port: its.port, defaultPort: role.defaultPort };
    plans.push({ role, options: its, place, prepared: await role.prepare(its, lifetimes) });
  }
  const token = controlToken(context, options);
  const exchanges = new ExchangeLog(options.exchanges);
  const live = MockLive.of(context, { at: first, exchanges, controlToken: token, options });
  const metadata = readMetadata(options.metadata, command);
  const tls = await openTls(options, host, interrupt.signal);
  const db = await openMockDatabase(context, options);
  try {
    const shared = { tls, db, metadata, controlToken: token, exchanges, live };
    const mocks = await explainStore(() => startMocks(context, plans, shared));
    const named = (name: MockRole['name']) => mocks.find((mock) => mock.name === name);
    const [service, provider] = [named('service'), named('provider')];
    return await runUntilStopped(context, {
      tls,
      database: databaseFile(context, options),
      service: service?.issuer,
      claimScope: plans[0]?.prepared.claimScope,
      provider: provider?.issuer,
      remarks: mocks.flatMap(({ remarks }) => remarks),
      control: controlOf(token, { service, provider }),
      live,
      open: options.open === true,
      untilStdinEnds: options.untilStdinEnds,
      close: async () => {
        await Promise.all(mocks.map(({ served }) => served.close()));
      },
    });
  } finally {
    await db.close();
  }
}

/**
 * The options of the service and of the provider of `mock up`, where `--port` and `--base-url` are the service's.
 * @throws CliError (usage) for two mocks of one port, or of one issuer.
 */
function eachOfTwo(options: MockOptions): readonly [MockOptions, MockOptions] {
  const { baseUrl, port, providerBaseUrl, providerPort, ...both } = options;
  if (baseUrl && providerBaseUrl && isSameOrigin(baseUrl, providerBaseUrl)) {
    throw usageError(
      `--provider-base-url cannot be ${withoutFinalSlash(baseUrl)}, which is --base-url.`,
      { hint: 'Each mock is an issuer of its own, so use two origins.' },
    );
  }
  const after = providerPort ?? (port === undefined || port === 0 ? port : port + 1);
  if (after !== undefined && after !== 0 && after === port) {
    throw usageError(`--provider-port cannot be ${after}, which is --port.`, {
      hint: 'Each mock listens on a port of its own.',
    });
  }
  if (after === 65_536) {
    throw usageError("Invalid --port '65535'.", {
      hint: 'The provider takes the port after it, so use a number from 0 to 65534, or name --provider-port.',
    });
  }
  const provider = {
    ...both,
    ...(after !== undefined && { port: after }),
    ...(providerBaseUrl !== undefined && { baseUrl: providerBaseUrl }),
  };
  return [options, provider];
}

/** What a header can carry as a bearer token (RFC 6750 §2.1), and nobody guesses. */
const GIVEN = /^[\w.~+/-]{20,256}=*$/;

/**
 * The token for the controls: that of AGENT_AUTH_CONTROL_TOKEN, else a fresh one for this run; `undefined` with
 * `--no-control`.
 * @throws CliError (usage) for a given one that could be guessed, or no header can carry.
 */
function controlToken({ world }: Context, { control }: MockOptions): string | undefined {
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
function controlOf(
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
