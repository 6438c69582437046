import { AgentError } from '../agent-error.ts';

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

export function notReadable(path: string, error: unknown): AgentError {
  return new AgentError(`The credential file ${path} cannot be read: ${reason(error)}.`, {
    code: 'credentials_not_readable',
    cause: error,
  });
}

function reason(error: unknown): string {
  const code = systemCode(error);
  return code === undefined ? 'unknown reason' : (WHY[code] ?? code);
}
