import { randomText } from '../../services/support.ts';
import type { Signer } from './keys.ts';
import type { KnownService } from './read-service.ts';

interface Entry {
  readonly endpoint: string;
  readonly token: string;
  attempts: number;
  due: number;
}

const WITHIN = 3000;
const MOST_ATTEMPTS = 5;
const PAUSE = 10_000;

/** Tells services of revoked consents (RFC 8935 §2). What is due is sent when a request comes. */
export class Outbox {
  readonly #signer: Signer;
  readonly #now: () => number;
  readonly #entries = new Set<Entry>();
  #sending: Promise<void> = Promise.resolve();

  constructor(signer: Signer, now: () => number) {
    this.#signer = signer;
    this.#now = now;
  }

  async add({ eventType, eventsEndpoint, issuer }: KnownService, subject: string): Promise<void> {
    const token = await this.#signer.sign('secevent+jwt', {
      aud: issuer,
      sub: subject,
      jti: randomText(),
      events: { [eventType]: {} },
    });
    this.#entries.add({ endpoint: eventsEndpoint, token, attempts: 0, due: this.#now() });
    this.send();
  }

  /** Sends what is due, one after another. */
  send(): void {
    this.#sending = this.#sending.then(async () => {
      for (const entry of this.#entries) if (entry.due <= this.#now()) await this.#attempt(entry);
    });
  }

  /** Resolves when nothing is on its way. */
  idle(): Promise<void> {
    return this.#sending;
  }

  async #attempt(entry: Entry): Promise<void> {
    entry.attempts += 1;
    const status = await fetch(entry.endpoint, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/secevent+jwt', accept: 'application/json' },
      body: entry.token,
      signal: AbortSignal.timeout(WITHIN),
    }).then(
      (response) => response.status,
      () => undefined,
    );
    const mayHelp = status === undefined || status >= 500 || status === 429;
    if (mayHelp && entry.attempts < MOST_ATTEMPTS) entry.due = this.#now() + PAUSE * entry.attempts;
    else this.#entries.delete(entry);
  }
}
