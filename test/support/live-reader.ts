import { request } from 'node:http';
import { expect } from 'vitest';
import type { LiveExchange, LiveSnapshot } from '../../src/mock/live/model.ts';
import { until } from './until.ts';

/** Somebody who looks at the live view in a browser, without what draws it. */
export class LiveReader {
  readonly #origin: string;
  readonly #cookie: string;
  readonly #token: string;
  readonly exchanges: LiveExchange[] = [];
  readonly snapshots: LiveSnapshot[] = [];
  /** Whether the stream has ended, by whichever side. */
  isOver = false;
  #leave: () => void = () => {};

  private constructor(origin: string, cookie: string, token: string) {
    this.#origin = origin;
    this.#cookie = cookie;
    this.#token = token;
  }

  /** Opens a link. @throws where it lets nobody in. */
  static async open(link: string): Promise<LiveReader> {
    const opened = await fetch(link);
    await opened.text();
    const cookie = opened.headers.get('set-cookie')?.split(';')[0];
    if (cookie === undefined) throw new Error(`The link was answered ${opened.status}.`);
    const { origin } = new URL(link);
    const page = await fetch(`${origin}/`, { headers: { accept: 'text/html', cookie } });
    const token = /name="csrf-token" content="([^"]+)"/.exec(await page.text())?.[1];
    if (token === undefined) throw new Error('The page has no token for its buttons.');
    return new LiveReader(origin, cookie, token);
  }

  /** Begins to read the stream. @param path with what the query says. */
  async watch(path = '/__live/events'): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const asked = request(this.#origin + path, { headers: { cookie: this.#cookie } });
      this.#leave = () => asked.destroy();
      asked.once('error', (error) => (this.isOver ? undefined : reject(error)));
      asked.once('response', (answer) => {
        expect(answer.statusCode).toBe(200);
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          const blocks = text.split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) this.#take(block);
        });
        answer.once('close', () => {
          this.isOver = true;
        });
        answer.once('error', () => {});
        resolve();
      });
      asked.end();
    });
  }

  /** Waits for the end of the stream, and reads it anew, as a page does: what it was told before is over. */
  async comeBack(): Promise<void> {
    await until(() => this.isOver);
    this.isOver = false;
    this.exchanges.length = 0;
    this.snapshots.length = 0;
    await this.watch();
  }

  leave(): void {
    this.isOver = true;
    this.#leave();
  }

  get now(): LiveSnapshot | undefined {
    return this.snapshots.at(-1);
  }

  async sees(what: (now: LiveSnapshot) => boolean): Promise<LiveSnapshot> {
    const seen = () => this.now !== undefined && what(this.now);
    await until(seen);
    if (this.now === undefined) throw new Error('Nothing was seen.');
    return this.now;
  }

  /** Presses a button. */
  async press(name: string, given: object): Promise<{ status: number; message: string }> {
    const response = await fetch(`${this.#origin}/__live/actions/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: this.#cookie,
        origin: this.#origin,
        'x-csrf-token': this.#token,
      },
      body: JSON.stringify(given),
    });
    const body = (await response.json()) as Record<string, string>;
    return { status: response.status, message: body['message'] ?? body['error_description'] ?? '' };
  }

  #take(block: string): void {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data === undefined) return;
    if (/^event: snapshot$/m.test(block)) this.snapshots.push(JSON.parse(data));
    if (/^event: exchange$/m.test(block)) this.exchanges.push(JSON.parse(data));
  }
}
