import type { Transcript } from '../../../exchanges/index.ts';
import { createReplayedService } from '../../../exchanges/replay/replayed-service.ts';
import type { FetchHandler } from '../../../mock/http/app.ts';
import { ConnectionDropped } from '../../../mock/http/connection-dropped.ts';
import { hostCheck, MISDIRECTED } from '../../../mock/http/host-check.ts';
import { isJsonObject } from '../../../protocol/json.ts';
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

/** That of a mock, where nobody said it. */
const SOME_PROVIDER = 'http://127.0.0.1:4801';

/** Commander has them without anybody having typed them. */
const ON_BY_DEFAULT = new Set(['control', 'live']);

export interface ReplayedServiceFlags {
  readonly from?: string;
  readonly provider?: string;
}

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
  const { allowHost = [], provider } = flags;
  const connects = connectWords(transcript, provider ?? SOME_PROVIDER);
  const build = async (origin: string): Promise<FetchHandler> => {
    const { clock, random } = context.world;
    const service = await createReplayedService({
      transcript,
      baseUrl: origin,
      provider,
      clock,
      random,
    });
    if (provider === undefined && connects.includes('--provider')) {
      remarks.push(
        `The recorded agent was identified by a provider. For one: ${nextLine(context, 'mock provider', '--audience', origin).line}`,
      );
    }
    remarks.push(`A replay of ${service.recorded} recorded exchanges.`);
    const isOurHost = hostCheck({ issuer: origin, allowedHosts: allowHost });
    return async (request) => {
      if (!isOurHost(request)) return new Response(`${MISDIRECTED}\n`, { status: 421 });
      const answer = await service.answer(request);
      if (answer === undefined) throw new ConnectionDropped();
      return answer;
    };
  };
  const place = { host, port: flags.port, defaultPort: SERVICE_PORT };
  const served = await orExplain(context, serveMock(place, { build, log })).catch((error) => {
    throw noTranscript(file, error);
  });
  return runUntilStopped(context, {
    tls: undefined,
    service: served.origin,
    remarks: [...new Set(remarks)],
    connects: [connects],
    control: undefined,
    live: undefined,
    isReplay: true,
    open: false,
    close: () => served.close(),
  });
}

/** What is typed behind `agent-auth connect URL` to begin as the first of the recorded agents did. */
function connectWords({ exchanges }: Transcript, provider: string): readonly string[] {
  for (const { request } of exchanges) {
    const { login_hint: email, type } = isJsonObject(request.body) ? request.body : {};
    if (type === 'anonymous') return ['--type', type];
    if (type === 'identity_assertion') return ['--provider', provider];
    if (type === 'service_auth') {
      return ['--type', type, ...(typeof email === 'string' ? ['--email', email] : [])];
    }
  }
  return [];
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
      code: 'options_clash',
    },
  );
}
