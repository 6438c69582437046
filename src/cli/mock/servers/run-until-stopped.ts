import { resolve as absolute } from 'node:path';
import { CliError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { SERVICE_PORT } from '../../shell/mock-ports.ts';
import { nextLine } from '../../shell/next-line.ts';
import type { Rendering } from '../../shell/output.ts';
import { ALICE, openInBrowser, presentReady } from '../../shell/ready.ts';
import { type RunningControl, RuntimeFiles } from '../../shell/runtime-files.ts';
import type { MockLive } from '../live/mock-live.ts';
import type { MockTls } from './mock-tls.ts';

/** Where the mocks of this process answer. */
interface Ready {
  readonly service?: string | undefined;
  readonly provider?: string | undefined;
  /** What only a claim gives at the service; undefined when it adds nothing. */
  readonly claimScope?: string | undefined;
  /** The file that clients name with `--ca`. */
  readonly ca?: string | undefined;
  /** What differs from the defaults, as sentences. */
  readonly remarks: readonly string[];
  /** What is typed behind `connect URL` to begin as the agents of a replay did. */
  readonly connects?: readonly (readonly string[])[];
}

export interface Running extends Ready {
  readonly tls: MockTls | undefined;
  /** The file that keeps their data. */
  readonly database?: string | undefined;
  /** How control commands reach the servers; `undefined` with `--no-control`. */
  readonly control: RunningControl | undefined;
  readonly live: MockLive | undefined;
  /** Whether it answers from a transcript. */
  readonly isReplay?: true;
  /** Whether the first page is opened in the browser. */
  readonly open: boolean;
  /** Whether the end of stdin stops it, too. */
  readonly untilStdinEnds?: boolean | undefined;
  readonly close: () => Promise<void>;
}

/**
 * Prints that the servers are ready and runs them until Ctrl-C or SIGTERM, the normal end of a server, or where
 * that was asked for the end of stdin: the outcome is `done`.
 */
export async function runUntilStopped(context: Context, running: Running): Promise<Outcome> {
  const { output, world } = context;
  const files = new RuntimeFiles(world.environment);
  try {
    const ca = authorityPath(files, running.tls) ?? context.options.ca;
    const isNoted = noteForOthers(context, files, running, ca);
    const { live, open, untilStdinEnds } = running;
    const isTold = await untilStopped(context, {
      ready: presentReadyMocks(context, { ...running, ca }, live?.link(), isNoted),
      // A link of its own: the printed one is good once, too.
      page: open ? () => live?.link() ?? startPage(running) : undefined,
      untilStdinEnds,
    });
    if (!isTold) return 'failed';
    output.say();
    output.say('Stopping.');
  } finally {
    files.remove(process.pid);
    running.live?.close();
    await running.close();
  }
  return 'done';
}

interface Server {
  /** What is printed once it answers. */
  readonly ready: Rendering;
  /** What is opened in the browser. */
  readonly page: (() => string) | undefined;
  readonly untilStdinEnds?: boolean | undefined;
}

/**
 * Says that a server is ready, and waits until it is stopped.
 * @returns false where that did not get out: its reader would wait for ever.
 */
export async function untilStopped(
  context: Context,
  { page, ready, untilStdinEnds }: Server,
): Promise<boolean> {
  const { interrupt, output, world } = context;
  output.result(ready);
  if ((await world.streams.flush()).stdout !== undefined) return false;
  if (page !== undefined) await openInBrowser(context, page());
  await Promise.race([
    stopped(interrupt.signal),
    ...(untilStdinEnds === true ? [ended(world.streams.stdin.node, interrupt.signal)] : []),
  ]);
  return true;
}

function startPage({ provider, service }: Ready): string {
  return service === undefined ? (provider ?? '') : `${service}/connections`;
}

/** Leaves a file that tells other commands of the servers. Without it they need --service; the servers run anyway. */
function noteForOthers(
  { output, world }: Context,
  files: RuntimeFiles,
  ready: Running,
  ca: string | undefined,
): boolean {
  try {
    files.write({
      pid: process.pid,
      started: world.clock.now(),
      service: ready.service ?? null,
      provider: ready.provider ?? null,
      ca: ca === undefined ? null : absolute(ca),
      control: ready.control ?? null,
      ...(ready.isReplay === true && { isReplay: true }),
      ...(ready.database !== undefined && { database: ready.database }),
    });
    return true;
  } catch {
    output.warn(`${files.folder} cannot be used, so other commands need --service.`);
    return false;
  }
}

/** The file for `--ca` of clients. @throws CliError when it cannot be written. */
function authorityPath(files: RuntimeFiles, tls: MockTls | undefined): string | undefined {
  if (tls?.ca === undefined) return undefined;
  if ('path' in tls.ca) return tls.ca.path;
  try {
    return files.writeAuthority(process.pid, tls.ca.pem);
  } catch (error) {
    throw new CliError('failed', {
      code: 'authority_not_written',
      message: `The CA certificate of --tls cannot be written to ${files.folder}.`,
      hint: 'Set XDG_RUNTIME_DIR to a private folder, or use --tls-cert and --tls-key.',
      cause: error,
    });
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Whoever started this process is gone, even by SIGKILL: the system closes its end of the pipe.
 * @param signal lets go of the stream
 */
function ended(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    signal.addEventListener('abort', () => stdin.pause(), { once: true });
    stdin.resume();
  });
}

const USUAL_SERVICE = `http://127.0.0.1:${SERVICE_PORT}`;

/**
 * @param live opens the live view once: whoever has it is let in.
 * @param isNoted whether other commands find the mocks by themselves.
 */
function presentReadyMocks(
  typed: Context,
  { service, provider, claimScope, ca, remarks, connects }: Ready,
  live: string | undefined,
  isNoted: boolean,
): Rendering {
  // What was typed here is the mock's: the agent is given no `--dialect`, it finds out.
  const context = { ...typed, argv: [] };
  // At another URL it has to be named: a service that was used before would be chosen instead.
  const trust = ca === undefined ? [] : ['--ca', ca];
  const isUsual = service === undefined || (isNoted && service === USUAL_SERVICE);
  const at = isUsual ? [] : [service];
  const claiming = claimScope === undefined ? ['--claim'] : ['--scope', claimScope];
  const usual = [
    ...(service === undefined ? [] : [[], [...claiming, '--email', ALICE]]),
    ...(provider === undefined ? [] : [['--provider', provider]]),
  ];
  const steps = (connects ?? usual).map((words) =>
    nextLine(context, 'connect', ...at, ...words, ...trust),
  );
  const { members, shown } = presentReady({
    places: (style) => [
      ['service', service && style.bold(service)],
      ['provider', provider && style.bold(provider)],
      ['CA file', ca],
    ],
    ...{ live, remarks, steps },
  });
  const places = { service: service ?? null, provider: provider ?? null, ca: ca ?? null };
  return { schema: 'mockReady', ...shown, json: () => ({ event: 'ready', ...places, ...members }) };
}
