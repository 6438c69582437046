import { createReplayedService } from '../../../replay/index.ts';
import type { Log } from '../../../runtime/ports.ts';
import { silentLog } from '../../../runtime/system.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { SERVICE_PORT } from '../../shell/mock-ports.ts';
import { nextLine } from '../../shell/next-line.ts';
import { orExplain } from '../servers/explain-listen.ts';
import { bindHost, type MockOptions } from '../servers/mock-options.ts';
import { runUntilStopped } from '../servers/run-until-stopped.ts';
import { serveMock } from '../servers/serve-mock.ts';
import type { ReplayedServiceFlags } from './options.ts';
import { noTranscript, readTranscriptFile } from './read-file.ts';

/** What a recorded service cannot be told otherwise is refused. */
const OPTIONS = new Set([
  'from',
  'provider',
  'port',
  'host',
  'allowHost',
  'allowRemotePasswordlessSignIn',
]);

/** Commander has them without anybody having typed them. */
const ON_BY_DEFAULT = new Set(['control', 'live']);

/** Answers as the service of a transcript did, until it is stopped. */
export async function replayService(
  context: Context,
  file: string,
  flags: MockOptions & ReplayedServiceFlags,
): Promise<Outcome> {
  checkAlone(flags);
  const transcript = await readTranscriptFile(file, context.interrupt.signal);
  const host = bindHost(flags);
  const log: Log = silentLog;
  const remarks: string[] = [];
  let connects: readonly (readonly string[])[] = [];
  const build = async (origin: string) => {
    const { clock, random } = context.world;
    const { allowHost, provider } = flags;
    const service = await createReplayedService({
      transcript,
      baseUrl: origin,
      provider,
      allowedHosts: allowHost,
      clock,
      random,
    });
    connects = service.connects;
    if (provider === undefined && connects.some((words) => words.includes('--provider'))) {
      remarks.push(
        `A recorded agent was identified by a provider. For one: ${nextLine(context, 'mock provider', '--audience', origin).line}`,
      );
    }
    remarks.push(`A replay of ${service.recorded} recorded exchanges.`, ...service.remarks);
    return service.fetch;
  };
  const place = { host, port: flags.port, defaultPort: SERVICE_PORT };
  const served = await orExplain(context, serveMock(place, { build, log })).catch((error) => {
    throw noTranscript(file, error);
  });
  return runUntilStopped(context, {
    tls: undefined,
    service: served.origin,
    remarks: [...new Set(remarks)],
    connects,
    control: undefined,
    live: undefined,
    isReplay: true,
    open: false,
    close: () => served.close(),
  });
}

function checkAlone(flags: MockOptions & ReplayedServiceFlags): void {
  const [other] =
    Object.entries(flags).find(
      ([name, value]) =>
        !OPTIONS.has(name) && value !== undefined && !(ON_BY_DEFAULT.has(name) && value === true),
    ) ?? [];
  if (other === undefined) return;
  const flag = other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw usageError(
    `--${flag} cannot be used with --from: the answers are those of the transcript.`,
    {
      code: 'option_conflict',
    },
  );
}
