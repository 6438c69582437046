import {
  displayText,
  MEDIA_TYPE,
  mediaTypeOf,
  printableUrl,
  readDirectoryListing,
} from '../../protocol/index.ts';
import { readBody } from '../../runtime/index.ts';

/** The most that is read of a listing, in bytes. */
const LISTING_LIMIT = 10 * 1024 * 1024;

type Form = 'json' | 'xml';

const MEDIA_TYPES: Readonly<Record<Form, readonly string[]>> = {
  json: [MEDIA_TYPE.json],
  xml: ['application/xml', 'text/xml'],
};

/** Where a service has its directory. */
export function directoryUrl(base: string, form: Form = 'json'): string {
  const { origin, pathname } = new URL(base);
  return `${origin}${pathname.replace(/\/$/, '')}/api/services.${form}`;
}

/** Why no directory can be read at a URL. Its message is ours alone. */
export class NoDirectory extends Error {
  override readonly name = 'NoDirectory';
  readonly code: 'not_a_directory' | 'directory_refused' | 'rate_limited' | 'server_error';
  readonly hint: string;
  /** What the peer said there: a media type, or words. Untrusted text. */
  readonly says: string | undefined;

  constructor(code: NoDirectory['code'], message: string, says?: string | null) {
    super(message);
    this.code = code;
    this.hint = HINTS[code];
    this.says = says || undefined;
  }
}

const HINTS: Readonly<Record<NoDirectory['code'], string>> = {
  not_a_directory:
    'Give the base URL of a service that has one; /api/services.json is requested below it.',
  directory_refused: 'A registered agent may read it with a call.',
  rate_limited: 'Try again later.',
  server_error: 'Try again later.',
};

/**
 * An answer that may be a directory, by its status and media type; its body is not read here.
 * @throws NoDirectory and lets go of the body.
 */
export function requireDirectory(response: Response, url: string, form: Form = 'json'): Response {
  const mediaType = mediaTypeOf(response);
  if (response.status === 200 && MEDIA_TYPES[form].includes(mediaType)) return response;
  // Not awaited: a stream that does not end need not end its cancelling either.
  response.body?.cancel().catch(() => {});
  if (response.status !== 200) throw refused(url, response.status);
  throw notADirectory(url, `answered with something other than ${form.toUpperCase()}`, mediaType);
}

/**
 * The directory in such an answer, with null for what is missing.
 * @throws NoDirectory, also where the listing reports a status other than success; as the body rejects.
 */
export async function readDirectory(response: Response, url: string, signal?: AbortSignal) {
  const body = await readBody(response, LISTING_LIMIT, signal);
  if (!body.ok) {
    const what = body.problem === 'too_large' ? 'more than 10 MiB' : 'text that is not UTF-8';
    throw notADirectory(url, `sends ${what}`);
  }
  const listing = readDirectoryListing(body.text);
  if (listing.ok) return listing;
  if (listing.problem === 'refused') {
    const { message, status } = listing;
    const refuses = `${shown(url)} refuses to list its services: ${status}.`;
    throw new NoDirectory('directory_refused', refuses, message);
  }
  throw notADirectory(url, 'answered with something that is no listing');
}

function refused(url: string, status: number): NoDirectory {
  const answered = `${shown(url)} answered ${status}`;
  if (status >= 500) return new NoDirectory('server_error', `${answered}.`);
  if (status === 429) return new NoDirectory('rate_limited', `${answered}.`);
  if (status === 401 || status === 403) {
    return new NoDirectory('directory_refused', `${answered}: this directory is not public.`);
  }
  const isRedirect = status >= 300 && status < 400;
  return notADirectory(
    url,
    `answered ${status}${isRedirect ? ', a redirect that is not followed' : ''}`,
  );
}

function notADirectory(url: string, what: string, says?: string): NoDirectory {
  const message = `There is no service directory at ${shown(url)}: it ${what}.`;
  return new NoDirectory('not_a_directory', message, says);
}

function shown(url: string): string {
  return displayText(printableUrl(url), 200);
}
