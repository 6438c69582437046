import { closeSync, existsSync, openSync } from 'node:fs';

/** Where there is none, on Windows, no `ulimit` is either. */
const ANY_FILE = '/dev/null';

/**
 * Opens so many files and closes them again, while there is an error to catch: where libsql finds no
 * descriptor left, it ends the process.
 * @throws the error of the operating system, with the code `EMFILE` where the process may not open as many.
 */
export function requireRoomForFiles(files: number): void {
  if (!existsSync(ANY_FILE)) return;
  const opened: number[] = [];
  try {
    while (opened.length < files) opened.push(openSync(ANY_FILE, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
