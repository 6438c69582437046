import { resolve as absolute } from 'node:path';
import { CliError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { SERVICE_PORT } from '../../shell/mock-ports.ts';
import { nextLine } from '../../shell/next-line.ts';
import type { Rendering } from '../../shell/output.ts';
import { type RunningControl, RuntimeFiles } from '../../shell/runtime-files.ts';
import { facts } from '../../terminal/facts.ts';
import type { MockTls } from './mock-tls.ts';

/** Where the mocks of this process answer. */
interface Ready {
  readonly service?: string | undefined;
  readonly provider?: string | undefined;
  /** The file that clients name with `--ca`. */
  readonly ca?: string | undefined;
  /** Things that differ from what was expected, as sentences. */
  readonly remarks: readonly string[];
}

export interface Running extends Ready {
  readonly tls: MockTls | undefined;
  /** How control commands reach the servers; `undefined` with `--no-control`. */
  readonly control: RunningControl | undefined;
  /** Opened in the browser with `--open`. */
  readonly firstPage: string | undefined;
  readonly close: () => Promise<void>;
}

/**
 * Says that the servers are ready, and runs them until Ctrl-C or SIGTERM. That is how a server ends
 * well, so the outcome is `done`.
 */
export async function runUntilStopped(context: Context, running: Running): Promise<Outcome> {
  const { output, world, interrupt } = context;
  const files = new RuntimeFiles(world.environment);
  try {
    const ca = authorityPath(files, running.tls) ?? context.options.ca;
    const isNoted = noteForOthers(context, files, running, ca);
    output.result(presentReady(context, { ...running, ca }, isNoted));
    // Nobody learns where it is: whoever waits for that would wait for ever.
    if ((await world.streams.flush()).stdout !== undefined) return 'failed';
    if (running.firstPage !== undefined) {
      await world.openBrowser(running.firstPage, () =>
        output.warn('No browser could be opened. Open the address yourself.'),
      );
    }
    await stopped(interrupt.signal);
    output.say();
    output.say('Stopping.');
  } finally {
    files.remove(process.pid);
    await running.close();
  }
  return 'done';
}

/** Without the note other commands need --service; the servers run all the same. */
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
    });
    return true;
  } catch {
    output.warn(`${files.folder} cannot be used, so other commands need --service.`);
    return false;
  }
}

/** What clients name with `--ca`. @throws CliError when an authority cannot be written down. */
function authorityPath(files: RuntimeFiles, tls: MockTls | undefined): string | undefined {
  if (tls?.ca === undefined) return undefined;
  if ('path' in tls.ca) return tls.ca.path;
  try {
    return files.writeAuthority(process.pid, tls.ca.pem);
  } catch (error) {
    throw new CliError('failed', {
      code: 'authority_not_written',
      message: `The authority of --tls cannot be written to ${files.folder}.`,
      hint: 'Set XDG_RUNTIME_DIR to a folder of yours, or bring a certificate with --tls-cert and --tls-key.',
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

/** Any address does: the mocks' sign-in asks for no password. */
const ALICE = 'alice@example.com';

const USUAL_SERVICE = `http://127.0.0.1:${SERVICE_PORT}`;

/** @param isNoted whether other commands find the mocks by themselves. */
function presentReady(
  context: Context,
  { service, provider, ca, remarks }: Ready,
  isNoted: boolean,
): Rendering {
  // Elsewhere than usual, a service that was used before would be chosen instead.
  const trust = ca === undefined ? [] : ['--ca', ca];
  const isUsual = service === undefined || (isNoted && service === USUAL_SERVICE);
  const at = isUsual ? [] : [service];
  const steps = [
    ...(service === undefined
      ? []
      : [
          nextLine(context, 'connect', ...at, ...trust),
          nextLine(context, 'connect', ...at, '--scope', 'api.write', '--email', ALICE, ...trust),
        ]),
    ...(provider === undefined
      ? []
      : [nextLine(context, 'connect', ...at, '--provider', provider, ...trust)]),
  ];
  const [next, ...others] = steps;
  return {
    schema: 'mockReady',
    json: () => ({
      event: 'ready',
      service: service ?? null,
      provider: provider ?? null,
      ca: ca ?? null,
      pid: process.pid,
      remarks,
      next: next ?? null,
      others,
    }),
    human: (style) =>
      [
        ...remarks.map((remark) => `${style.yellow('!')} ${remark}`),
        `${style.green('✓')} Ready. Ctrl-C stops.`,
        facts(style, [
          ['service', service && style.bold(service)],
          ['provider', provider && style.bold(provider)],
          ['authority', ca],
        ]),
        '',
        'In another terminal:',
        ...steps.map(({ line }) => `  ${style.cyan(line)}`),
        '',
      ].join('\n'),
  };
}
