import { readDirectoryListing } from '../../protocol/directory-listing.ts';
import type { DirectoryMeta, DirectoryServices } from '../../protocol/schemas/directory.ts';
import { displayText } from '../../protocol/text.ts';
import { CliError } from '../shell/cli-error.ts';

export interface DirectoryListing {
  /** Where it was read. */
  readonly url: string;
  readonly meta: DirectoryMeta;
  readonly services: DirectoryServices;
}

/**
 * Reads the listing of a service directory, with null for what is missing.
 * @throws CliError when it is none, or reports a status other than success.
 */
export function readListing(url: string, text: string): DirectoryListing {
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
export function notADirectory(url: string, what: string): CliError {
  return new CliError('failed', {
    code: 'not_a_directory',
    message: `There is no service directory at ${displayText(url, 200)}: it ${what}.`,
    hint: 'Give the base URL of a service that has one; /api/services.json is requested below it.',
  });
}
