import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the mails of the service at this origin lie: `read-mail.js` finds them so, too. */
export function spoolOf(origin: string): string {
  return join(tmpdir(), `mailed-codes-${new URL(origin).port}`);
}

/** What `read-mail.js` prints: the text of the newest mail to that address, or nothing. */
export function newestMail(origin: string, to: string): string {
  const folder = spoolOf(origin);
  const mails = readdirSync(folder)
    .toSorted()
    .toReversed()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const newest = mails.find((mail) => mail.startsWith(`To: ${to}\n`)) ?? '';
  return newest.slice(newest.indexOf('\n\n') + 2);
}

/** "Sends" mail: a file for each, in a folder that only this user reads. */
export class Post {
  readonly #folder: string;
  #sent = 0;

  constructor(origin: string) {
    this.#folder = spoolOf(origin);
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { mode: 0o700, recursive: true });
  }

  send(to: string, subject: string, body: string): void {
    this.#sent += 1;
    const file = join(this.#folder, `${String(this.#sent).padStart(8, '0')}.eml`);
    writeFileSync(file, `To: ${to}\nSubject: ${subject}\n\n${body}\n`, { mode: 0o600 });
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
