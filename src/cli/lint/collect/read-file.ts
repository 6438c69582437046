import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export type ReadFile =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: 'too_large' | 'not_utf8' };

/**
 * The text of a regular file of at most `limit` bytes; no more of it is read.
 * @throws an error of node:fs.
 */
export function readFile(path: string, limit: number): ReadFile {
  // Without O_NONBLOCK a pipe that took the file's place would be waited for.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(handle).isFile() || fstatSync(handle).size > limit) {
      return { ok: false, problem: 'too_large' };
    }
    const bytes = Buffer.alloc(limit + 1);
    let size = 0;
    for (;;) {
      const count = readSync(handle, bytes, size, bytes.length - size, null);
      if (count === 0) break;
      size += count;
      if (size > limit) return { ok: false, problem: 'too_large' };
    }
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { ok: true, text: text.decode(bytes.subarray(0, size)) };
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, problem: 'not_utf8' };
    throw error;
  } finally {
    closeSync(handle);
  }
}
