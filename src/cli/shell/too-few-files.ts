import { openFileLimit } from '../../mock/http/serve-connections.ts';
import { requireRoomForFiles } from '../../mock/store/room-for-files.ts';
import { CliError } from './cli-error.ts';

/** What a command has open at the same time by itself, so that a failure with less room is one of the limit. */
const ROOM = 4;

/**
 * The error where too few files may be open, whatever failed of it: a loader, a resolver and a database each
 * have words of their own, and which file it was, one of the program's own mostly, does not matter.
 */
export function tooFewFiles(cause: unknown): CliError | undefined {
  if (!isOfLimit(cause) && !isOfLimit(roomProblem())) return undefined;
  const limit = openFileLimit();
  const which =
    limit === undefined ? 'The limit of open files' : `The limit of ${limit} open files`;
  const message = `${which} is too low: ulimit -n 1024 allows more.`;
  return new CliError('failed', { code: 'system', message, cause });
}

function isOfLimit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EMFILE';
}

function roomProblem(): unknown {
  try {
    requireRoomForFiles(ROOM);
    return undefined;
  } catch (error) {
    return error;
  }
}
