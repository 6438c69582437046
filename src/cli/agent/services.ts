import { MEDIA_TYPE } from '../../protocol/constants.ts';
import { readDirectoryListing } from '../../protocol/directory-listing.ts';
import { mediaTypeOf } from '../../protocol/media-type.ts';
import type { DirectoryMeta, DirectoryServices } from '../../protocol/schemas/directory.ts';
import { displayText } from '../../protocol/text.ts';
import { toNetworkError } from '../../runtime/network-error.ts';
import { readBody } from '../../runtime/read-body.ts';
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

/** The most that is read of a listing which is not just passed on, in bytes. */
const LISTING_LIMIT = 10 * 1024 * 1024;

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
  const { origin, pathname } = new URL(base);
  const ending = format === 'xml' ? 'xml' : 'json';
  const listingUrl = `${origin}${pathname.replace(/\/$/, '')}/api/services.${ending}`;
  const response = await withNextStep(context, listingUrl, () =>
    request(context, listingUrl, ending),
  );
  if (format !== 'table') {
    const unshown = await copyBody(context, response);
    if (unshown !== undefined) throw unshown;
    return 'done';
  }
  const listing = await withNextStep(context, listingUrl, async () =>
    readListing(listingUrl, await readAll(context, response, listingUrl)),
  );
  output.result(presentListing(listing));
  output.say(describeListing(context, listing, url));
  return 'done';
}

/** Adds the command that helps to an error of the directory. */
async function withNextStep<T>(
  context: Context,
  listingUrl: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CliError) || error.next !== undefined) throw error;
    const lead = (...step: readonly [string, ...string[]]) =>
      error.with({ next: nextLine(context, ...step) });
    if (error.code === 'directory_refused') throw lead('call', listingUrl);
    if (error.outcome === 'network') throw lead('doctor', new URL(listingUrl).origin);
    throw error.code === 'not_a_directory' ? lead('help', 'services') : error;
  }
}

/** An answer that may be a listing, by status and media type; its body is not read here. */
async function request(context: Context, listingUrl: string, ending: 'json' | 'xml') {
  const fetch = await context.fetch();
  const response = await fetch(listingUrl, { headers: { accept: `application/${ending}` } });
  const { status } = response;
  const mediaType = mediaTypeOf(response);
  const problem = judge(listingUrl, status, mediaType, ending);
  if (problem === undefined) return response;
  response.body?.cancel().catch(() => {});
  throw problem;
}

function judge(
  listingUrl: string,
  status: number,
  mediaType: string,
  ending: 'json' | 'xml',
): CliError | undefined {
  const where = displayText(listingUrl, 200);
  if (status >= 500) {
    return new CliError('network', {
      code: 'server_error',
      message: `${where} answered ${status}.`,
      hint: 'Try again later.',
    });
  }
  if (status === 401 || status === 403) {
    return new CliError('refused', {
      code: 'directory_refused',
      message: `${where} answered ${status}: this directory is not public.`,
      hint: 'A registered agent may read it with: agent-auth call',
    });
  }
  if (status >= 300 && status < 400) {
    return notADirectory(listingUrl, `answered ${status}, a redirect that is not followed`);
  }
  if (status !== 200) return notADirectory(listingUrl, `answered ${status}`);
  const wanted = ending === 'json' ? [MEDIA_TYPE.json] : ['application/xml', 'text/xml'];
  if (wanted.includes(mediaType)) return undefined;
  const what = mediaType === '' ? 'something of no media type' : displayText(mediaType, 60);
  return notADirectory(listingUrl, `answered with ${what}`);
}

async function readAll(context: Context, response: Response, listingUrl: string): Promise<string> {
  try {
    const body = await readBody(response, LISTING_LIMIT);
    if (body.ok) return body.text;
    throw notADirectory(
      listingUrl,
      body.problem === 'too_large' ? 'sends more than 10 MiB' : 'sends text that is not UTF-8',
    );
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw toNetworkError(error, context.interrupt.signal);
  }
}

function presentListing({ meta, services, url }: DirectoryListing): Rendering {
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
  { services }: DirectoryListing,
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

interface DirectoryListing {
  /** Where it was read. */
  readonly url: string;
  readonly meta: DirectoryMeta;
  readonly services: DirectoryServices;
}

/**
 * Reads the listing of a service directory, with null for what is missing.
 * @throws CliError when it is none, or reports a status other than success.
 */
function readListing(url: string, text: string): DirectoryListing {
  const read = readDirectoryListing(text);
  if (read.ok) return { url, meta: read.meta, services: read.services };
  if (read.problem === 'refused') {
    const { message, status } = read;
    throw new CliError('refused', {
      code: 'directory_refused',
      message: `${displayText(url, 200)} refuses to list its services: ${status}${message === null ? '' : ` ${displayText(message, 200)}`}.`,
    });
  }
  const what =
    read.problem === 'not_json'
      ? 'something other than a JSON object'
      : 'JSON that is not a listing';
  throw notADirectory(url, `answered with ${what}`);
}

/** @param what it did instead, as the rest of a sentence. */
function notADirectory(url: string, what: string): CliError {
  return new CliError('failed', {
    code: 'not_a_directory',
    message: `There is no service directory at ${displayText(url, 200)}: it ${what}.`,
    hint: 'Give the base URL of a service that has one; /api/services.json is requested below it.',
  });
}
