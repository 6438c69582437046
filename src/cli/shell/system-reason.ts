const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is not a folder',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'the symbolic links form a loop',
  ENXIO: 'there is no such device',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would become too large',
  EIO: 'the device failed',
  EBADF: 'it is closed',
  EMFILE: 'too many files are open in this process; see ulimit -n',
  ENFILE: 'too many files are open on this machine',
};

/** Why the operating system refused, to end a sentence with; an unlisted code as it is. */
export function systemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return reasonOfCode(code);
}

/** @param code of the operating system, such as `EACCES`. */
export function reasonOfCode(code: string): string {
  return REASONS[code] ?? code;
}
