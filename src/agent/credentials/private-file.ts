import { constants, lstatSync, renameSync } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgentError } from '../agent-error.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;
const STICKY = 0o1000;
/** Far more than any agent holds; what is larger is not ours. Bytes. */
const MAX_SIZE = 16 * 1024 * 1024;

/** Windows has neither these modes nor O_NOFOLLOW: there the permissions of the user's folder apply. */
const hasModes = process.platform !== 'win32';

/**
 * The text of a file that is this user's alone; `undefined` when there is none.
 * @throws AgentError `credentials_not_a_file`, `credentials_open_to_others` or `credentials_not_readable`.
 */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    const before = await lstat(path);
    if (before.isSymbolicLink()) throw notAFile(path, 'a symbolic link');
    if (!before.isFile()) throw notAFile(path, 'not a regular file');
    // A link or a FIFO may come between the two calls: the one is not followed (A-47), nobody is waited
    // for at the other.
    const flags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const file = await open(path, constants.O_RDONLY | flags);
    try {
      const about = await file.stat();
      if (!about.isFile()) throw notAFile(path, 'not a regular file');
      if (about.size > MAX_SIZE) throw tooLarge(path);
      if (hasModes && (about.mode & OTHERS) !== 0) {
        throw new AgentError(`Others can read the credential file ${path}, so it is not used.`, {
          code: 'credentials_open_to_others',
          hint: `Close it with: chmod 600 '${path.replaceAll("'", `'\\''`)}'. If others may have read it, register again.`,
        });
      }
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof AgentError) throw error;
    if (systemCode(error) === 'ENOENT') return undefined;
    if (systemCode(error) === 'ELOOP') throw notAFile(path, 'a symbolic link');
    throw notReadable(path, error);
  }
}

/**
 * Makes a folder and those above it. Node's own `recursive` never ends where a folder is there and takes
 * none, as in /proc: here each level is tried twice at most.
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder);
  } catch (error) {
    const parent = dirname(folder);
    if (systemCode(error) !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent);
    await makeOne(folder);
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: FOLDER_MODE });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes the folder of a file, for this user alone; one that is there is closed to others.
 * @throws AgentError `credentials_not_writable`, also for an open folder that has another use.
 */
export async function preparePrivateFolder(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await makeFolder(folder);
    const about = await stat(folder);
    if (!hasModes || (about.mode & 0o777) === FOLDER_MODE) return;
    // Closing a folder that has another use, such as /tmp or a home, would do harm.
    const others = (await readdir(folder)).filter((name) => !name.startsWith(basename(path)));
    if (others.length > 0 || (about.mode & STICKY) !== 0 || about.uid !== process.getuid?.()) {
      throw new AgentError(
        `The folder ${folder} is open to others and has another use, so it cannot hold credentials.`,
        {
          code: 'credentials_not_writable',
          hint: 'Name a folder of its own in AGENT_AUTH_HOME, or close this one with chmod 700.',
        },
      );
    }
    await chmod(folder, FOLDER_MODE);
  } catch (error) {
    throw error instanceof AgentError ? error : notWritable(path, error);
  }
}

/** Which file lies at a path: another one after every replacement. `undefined`: none. */
export function versionOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return undefined;
  }
}

/**
 * Replaces a file in one step: written beside, flushed, renamed. `confirm` runs right before the rename
 * and may throw. @throws AgentError `credentials_not_writable`, or what `confirm` throws.
 */
export async function replacePrivateFile(
  path: string,
  text: string,
  confirm: () => void,
): Promise<void> {
  const beside = besideOf(path);
  try {
    await removeLeftovers(path);
    await writeBeside(beside, text);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw notWritable(path, error);
  }
  try {
    confirm();
    // Synchronous: nothing else of this process runs between the check and the rename.
    renameSync(beside, path);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw systemCode(error) === undefined ? error : notWritable(path, error);
  }
  await flushFolder(dirname(path));
}

/** What one registration or claim adds, and more. Bytes. */
const ROOM = 16 * 1024;

/**
 * Proves that the folder takes a file as large as this one and what is to be added.
 * @throws AgentError `credentials_not_writable`.
 */
export async function tryPrivateFile(path: string): Promise<void> {
  const beside = besideOf(path);
  try {
    const { size = 0 } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
    await writeBeside(beside, ' '.repeat(size + ROOM));
    await rm(beside);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw notWritable(path, error);
  }
}

/**
 * A name of its own for each write: two processes that both believe to hold the lock, because one was
 * asleep for longer than a lock lasts, do not write into the same file, and nobody can put a link there.
 */
function besideOf(path: string): string {
  return `${path}.${Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')}.new`;
}

/** A file beside that nobody has touched for this long was left by a killed process. */
const ABANDONED = 60_000;

async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const name = basename(path);
  for (const each of await readdir(folder)) {
    if (!each.startsWith(`${name}.`) || !each.endsWith('.new')) continue;
    const about = await lstat(join(folder, each)).catch(() => undefined);
    if (about !== undefined && Date.now() - about.mtimeMs > ABANDONED) {
      await rm(join(folder, each), { force: true });
    }
  }
}

async function writeBeside(beside: string, text: string): Promise<void> {
  // `wx` follows no link and takes no file that is there.
  const file = await open(beside, 'wx', FILE_MODE);
  try {
    if (hasModes) await file.chmod(FILE_MODE);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes a folder, so that the rename survives a power cut; not every file system lets a folder be flushed. */
async function flushFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The new file itself is flushed: at worst a power cut brings the old one back.
  }
}

function notAFile(path: string, what: string): AgentError {
  return new AgentError(`The credential file ${path} is ${what}: it is not used.`, {
    code: 'credentials_not_a_file',
    hint: 'Remove it, or name another folder in AGENT_AUTH_HOME.',
  });
}

function tooLarge(path: string): AgentError {
  return new AgentError(
    `The credential file ${path} is larger than 16 MiB, so it is not read. It was left as it is.`,
    {
      code: 'credentials_not_readable',
      hint: 'Move it away and register again, or name another folder in AGENT_AUTH_HOME.',
    },
  );
}

/** The `code` of an error of node:fs or of the lock. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would become too large',
  EIO: 'the device failed',
  EMFILE: 'too many files are open in this process',
  ENOENT: 'its folder cannot be made there',
  EEXIST: 'a part of the path is not a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the path is too long',
};

export function notWritable(path: string, error: unknown): AgentError {
  return new AgentError(`The credential file ${path} cannot be written: ${reason(error)}.`, {
    code: 'credentials_not_writable',
    hint: 'Name a folder that you can write to in AGENT_AUTH_HOME.',
    cause: error,
  });
}

function notReadable(path: string, error: unknown): AgentError {
  return new AgentError(`The credential file ${path} cannot be read: ${reason(error)}.`, {
    code: 'credentials_not_readable',
    cause: error,
  });
}

function reason(error: unknown): string {
  const code = systemCode(error);
  return code === undefined ? 'unknown reason' : (WHY[code] ?? code);
}
