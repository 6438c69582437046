import {
  directoryUrl,
  NoDirectory,
  readDirectory,
  requireDirectory,
} from '../../agent/discovery/read-directory.ts';
import { displayText } from '../../protocol/text.ts';
import { toNetworkError } from '../../runtime/network-error.ts';
import { chooseService } from '../prompts/service.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import { copyBody } from './copy-body.ts';

export interface ServicesOptions {
  readonly format: 'table' | 'json' | 'xml';
}

/** The directory of a service: a table, or the answer as it was served. */
export async function services(
  context: Context,
  url: string | undefined,
  { format }: ServicesOptions,
): Promise<Outcome> {
  const { output, world } = context;
  if (output.json && format !== 'table') {
    throw usageError(`--json and --format ${format} cannot be combined.`, {
      hint: 'Use --format for the response as served, --json for the stable form of this program.',
    });
  }
  const base = await chooseService(context, await world.openStore(), url);
  const form = format === 'xml' ? 'xml' : 'json';
  const listingUrl = directoryUrl(base, form);
  const response = await orNoDirectory(context, listingUrl, async () => {
    const fetch = await context.fetch();
    const answer = await fetch(listingUrl, { headers: { accept: `application/${form}` } });
    return requireDirectory(answer, listingUrl, form);
  });
  if (format !== 'table') {
    const unshown = await copyBody(context, response);
    if (unshown !== undefined) throw unshown;
    return 'done';
  }
  const { signal } = context.interrupt;
  const listing = await orNoDirectory(context, listingUrl, () =>
    readDirectory(response, listingUrl, signal),
  );
  output.result(presentListing(listing, listingUrl));
  output.say(describeListing(context, listing, url));
  return 'done';
}

/** Adds to an error what came in place of a directory, and the command that helps. */
async function orNoDirectory<T>(
  context: Context,
  listingUrl: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (!(error instanceof NoDirectory)) throw toNetworkError(error, context.interrupt.signal);
    const { code, hint, says } = error;
    const said = says === undefined ? '.' : `: ${displayText(says, 200)}.`;
    const facts = { message: error.message.replace(/\.$/, () => said), hint };
    const next = (...step: readonly [string, ...string[]]) => nextLine(context, ...step);
    switch (code) {
      case 'not_a_directory':
        throw new CliError('failed', { ...facts, code, next: next('help', 'services') });
      case 'directory_refused':
        throw new CliError('refused', { ...facts, code, next: next('call', listingUrl) });
      default: {
        const { origin } = new URL(listingUrl);
        throw new CliError('network', { ...facts, code, next: next('doctor', origin) });
      }
    }
  }
}

type Listing = Awaited<ReturnType<typeof readDirectory>>;

function presentListing({ meta, services }: Listing, url: string): Rendering {
  return {
    schema: 'services',
    wraps: true,
    json: () => ({
      url,
      version: meta.version,
      requests: meta.requests,
      timestamp: meta.timestamp,
      services,
    }),
    human: (style, columns) =>
      services.length === 0
        ? 'No services are listed.'
        : table(
            [
              ['id', 'service', 'methods', 'url'].map((name) => style.bold(name)),
              ...services.map(({ methods, service_id, service_name, service_url }) => [
                text(service_id, 20),
                text(service_name, 40),
                text(methods?.length ?? null, 20),
                text(service_url, 200),
              ]),
            ],
            columns,
          ),
  };
}

/**
 * How many there are, and how to see each path.
 * @param named the service, when it was given as an argument.
 */
function describeListing(
  context: Context,
  { services }: Listing,
  named: string | undefined,
): string {
  const methods = services.reduce((sum, each) => sum + (each.methods?.length ?? 0), 0);
  const argument = named === undefined ? [] : [named];
  const next = nextLine(context, 'services', ...argument, '--format', 'json');
  return `\n${count(services.length, 'service')}, ${count(methods, 'method')}. Their paths: ${next.line}`;
}

function text(value: string | number | null, maxLength: number): string {
  return value === null ? '–' : displayText(String(value), maxLength);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
