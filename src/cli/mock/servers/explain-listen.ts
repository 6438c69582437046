import { createServer } from 'node:net';
import { ListenError } from '../../../mock/http/listen-error.ts';
import { BAD_PORTS } from '../../../protocol/bad-ports.ts';
import { CliError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import { commandLine, type Next } from '../../shell/next.ts';
import { type RunningMock, RuntimeFiles } from '../../shell/runtime-files.ts';

/** How many ports after the one that is taken are tried. */
const TRIES = 20;

/**
 * @param outcome How the command ends for it: `usage` where `failed` would be taken for a verdict.
 * @throws CliError for a port that is not available; whatever else `serving` throws.
 */
export async function orExplain<T>(
  context: Context,
  serving: Promise<T>,
  outcome: 'failed' | 'usage' = 'failed',
): Promise<T> {
  try {
    return await serving;
  } catch (error) {
    throw error instanceof ListenError ? await explainListen(context, error, outcome) : error;
  }
}

/** Which mock of this user has the port, and the command line with a free one. */
async function explainListen(
  context: Context,
  error: ListenError,
  outcome: 'failed' | 'usage',
): Promise<CliError> {
  const { code, host, port } = error;
  const free =
    code === 'unavailable' ? undefined : await freePort(host, port, isPair(context) ? 2 : 1);
  const mock = code === 'in_use' ? mockAt(context, port) : undefined;
  const owner = mock === undefined ? undefined : `Your mock (process ${mock.pid}) is using it.`;
  return new CliError(code === 'bad_port' ? 'usage' : outcome, {
    code: `listen_${code}`,
    message: [error.message, owner].filter(Boolean).join(' '),
    hint: free === undefined ? undefined : freeText(free, isPair(context)),
    next: free === undefined ? undefined : lineWith(context, port, free),
    details: { port, free_port: free ?? null, mock: mock?.pid ?? null },
    cause: error,
  });
}

function mockAt(context: Context, port: number): RunningMock | undefined {
  const isThere = (url: string) => Number(new URL(url).port) === port;
  return new RuntimeFiles(context.world.environment)
    .list()
    .find((mock) => urlsOf(mock).some((each) => URL.canParse(each) && isThere(each)));
}

function urlsOf({ service, provider }: RunningMock): readonly string[] {
  return [service, provider].filter((url) => url !== null);
}

/** `mock up` takes the port of the service, and the one after it for the provider. */
function isPair({ argv }: Context): boolean {
  return argv.indexOf('up') === argv.indexOf('mock') + 1 && argv.includes('up');
}

function freeText(port: number, isPair: boolean): string {
  return isPair ? `The ports ${port} and ${port + 1} are free.` : `Port ${port} is free.`;
}

/** The line as it was typed, with the free port; the usual port was not typed. */
function lineWith(context: Context, taken: number, free: number): Next {
  const { argv, world } = context;
  const program = world.environment.programName.split(' ');
  const named = argv.findIndex((word) => word === String(taken) || word.endsWith(`=${taken}`));
  // Taken may be the provider's port, which was not typed either.
  const at = named === -1 ? argv.indexOf('--port') + 1 : named;
  if (at === 0) return commandLine(...program, ...argv, '--port', String(free));
  const better = argv[at]?.replace(/\d+$/, String(free)) ?? String(free);
  return commandLine(...program, ...argv.slice(0, at), better, ...argv.slice(at + 1));
}

/** The first of the next `count` consecutive ports that were free when tried. */
async function freePort(host: string, taken: number, count: number): Promise<number | undefined> {
  const first = Math.max(taken + 1, 1024);
  const last = Math.min(first + TRIES, 65_535);
  let free = 0;
  for (let port = first; port <= last; port += 1) {
    free = !BAD_PORTS.has(port) && (await canListen(host, port)) ? free + 1 : 0;
    if (free === count) return port - count + 1;
  }
  return undefined;
}

function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port }, () => server.close(() => resolve(true)));
  });
}
