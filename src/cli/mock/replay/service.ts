import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FetchHandler } from '../../../mock/http/app.ts';
import { ConnectionDropped } from '../../../mock/http/connection-dropped.ts';
import { hostCheck, MISDIRECTED } from '../../../mock/http/host-check.ts';
import { isJsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';
import { nearest } from '../../../runtime/nearest.ts';
import type { Log } from '../../../runtime/ports.ts';
import { silentLog } from '../../../runtime/system.ts';
import type { Transcript } from '../../../traffic/index.ts';
import { readTranscript, TranscriptError } from '../../../traffic/replay/read-transcript.ts';
import { createReplayedService } from '../../../traffic/replay/replayed-service.ts';
import { type CliError, usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { installedPage } from '../../shell/installed-page.ts';
import { SERVICE_PORT } from '../../shell/mock-ports.ts';
import { nextLine } from '../../shell/next-line.ts';
import { readNamedFile } from '../../shell/read-named-file.ts';
import { orExplain } from '../servers/explain-listen.ts';
import { bindHost, type MockOptions } from '../servers/mock-options.ts';
import { runUntilStopped } from '../servers/run-until-stopped.ts';
import { serveMock } from '../servers/serve-mock.ts';

/** What a recorded service cannot be told otherwise is refused. */
const OPTIONS = new Set([
  'from',
  'provider',
  'port',
  'host',
  'allowHost',
  'allowRemotePasswordlessSignIn',
]);

/** The provider of a mock, where nobody said one. */
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

/** The transcript of `--from`. @throws CliError (usage) when it cannot be read, or is none. */
async function readTranscriptFile(file: string, signal: AbortSignal): Promise<Transcript> {
  const text = (await readNamedFile(placeOf(file), signal, '--from')).toString('utf8');
  try {
    return readTranscript(text);
  } catch (error) {
    throw noTranscript(file, error);
  }
}

/**
 * Where a file is: one of the package is named as programs import it, `agent-auth/transcripts/NAME.json`.
 * @throws CliError (usage) for one that the package does not have.
 */
function placeOf(file: string): string {
  const [, name] = /^agent-auth\/transcripts\/([\w-]+\.json)$/.exec(file) ?? [];
  if (name === undefined || existsSync(file)) return file;
  const own = installedPage(`dist/docs/transcripts/${name}`, process.cwd());
  if (existsSync(own)) return own;
  const near = nearest(name, readdirSync(dirname(own)));
  throw usageError(`agent-auth has no transcript ${name}.`, {
    code: 'file_unreadable',
    hint:
      (near === undefined ? '' : `Did you mean agent-auth/transcripts/${near}? `) +
      `All of them: ${dirname(own)}`,
  });
}

/** What is wrong with the file, where that is what an error says. */
function noTranscript(file: string, error: unknown): CliError | unknown {
  if (!(error instanceof TranscriptError)) return error;
  return usageError(`${displayText(file, 300)} cannot be replayed. ${error.message}.`, {
    code: 'transcript_invalid',
    details: { path: error.path },
    hint: 'Write one with agent-auth mock exchanges --transcript FILE, or with agent-auth proxy --transcript FILE.',
    cause: error,
  });
}
