import type { Service } from './service.ts';

export type Delivery = 'delivered' | 'pending' | 'parked' | 'none';

interface Letter {
  readonly endpoint: string;
  readonly token: string;
  tries: number;
  due: number;
}

/** Pushes events (RFC 8935) until they are taken; an answer that is final parks them. */
export class Outbox {
  private readonly waiting = new Set<Letter>();
  private timer: NodeJS.Timeout | undefined;
  private readonly pushes = new Set<Promise<unknown>>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** @returns what became of it at the first attempt. */
  async send(events: Service['events'], token: string): Promise<Delivery> {
    if (events === undefined) return 'none';
    return this.push({ endpoint: events.endpoint, token, tries: 0, due: 0 });
  }

  /** Ends retries, and waits for what is on its way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.pushes);
    this.waiting.clear();
    clearInterval(this.timer);
  }

  private async push(letter: Letter): Promise<Delivery> {
    this.waiting.delete(letter);
    const posting = post(letter);
    this.pushes.add(posting);
    const { status, after } = await posting;
    this.pushes.delete(posting);
    if (status >= 200 && status < 300) return 'delivered';
    const isPassing = status === 0 || status === 429 || status >= 500;
    if (!isPassing) return 'parked';
    letter.tries += 1;
    letter.due = this.now() + (after ?? Math.min(2500 * 2 ** letter.tries, 3_600_000));
    this.waiting.add(letter);
    this.timer ??= setInterval(() => this.pushDue(), 50).unref();
    return 'pending';
  }

  private pushDue(): void {
    for (const letter of this.waiting) if (letter.due <= this.now()) void this.push(letter);
    if (this.waiting.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

async function post({ endpoint, token }: Letter): Promise<{ status: number; after?: number }> {
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      body: token,
      redirect: 'manual',
      headers: { 'content-type': 'application/secevent+jwt', accept: 'application/json' },
      signal: AbortSignal.timeout(5000),
    });
    await answer.body?.cancel();
    const after = Number(answer.headers.get('retry-after') ?? Number.NaN);
    return { status: answer.status, ...(after >= 0 && { after: after * 1000 }) };
  } catch {
    return { status: 0 };
  }
}
