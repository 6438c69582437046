const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is none',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'symbolic links lead in a circle',
  ENXIO: 'nothing answers there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would become too large',
  EIO: 'the device failed',
  EBADF: 'it is closed',
  EMFILE: 'too many files are open in this process; see ulimit -n',
  ENFILE: 'too many files are open on this machine',
};

/** Why the system refused, in words that end a sentence; a code without words of ours is its own. */
export function systemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return reasonOfCode(code);
}

/** The same of the system's code alone: `EACCES`. */
export function reasonOfCode(code: string): string {
  return REASONS[code] ?? code;
}
