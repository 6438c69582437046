import { type Judge, judgePart, type Reading } from '../engine/judge.ts';
import { failing } from '../engine/rows.ts';
import type { RawReply, RawSending } from '../http/raw.ts';
import type { TargetTime } from './target-time.ts';

interface StallingWorld {
  readonly time: TargetTime;
  /** Milliseconds within which a connection that stalls has to end. */
  readonly connectionLimit: number;
  raw(url: string, sending: RawSending): Promise<RawReply>;
}

/** Judges that requests whose header, or body of a media type, stalls are answered or their connections closed. */
export async function judgeStalled(
  judge: Judge<'head' | 'body'>,
  world: StallingWorld,
  url: string,
  mediaType: string,
): Promise<void> {
  const { connectionLimit, time } = world;
  const timeout = time.within(connectionLimit);
  const { host, pathname } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`;
  const body = `${head}Content-Type: ${mediaType}\r\nContent-Length: 100\r\n\r\n{`;
  const replies = await time.away(() =>
    Promise.all([
      world.raw(url, { chunks: [head], timeout, odd: 'a header that never ends' }),
      world.raw(url, { chunks: [body], timeout, odd: 'a body that never arrives' }),
    ]),
  );
  for (const [at, { closed, exchange, statuses }] of replies.entries()) {
    const name = at === 0 ? 'head' : 'body';
    const isEnded = closed || statuses.length > 0;
    await judgePart(judge, name, async () => {
      if (!isEnded) time.needPatience(connectionLimit);
      judge.expect(name, isEnded, `Nothing within ${Math.ceil(timeout / 1000)} s.`, { exchange });
    });
  }
}

/** A request with a megabyte of header fields. */
export function* endlessHead(url: string, name: string): Iterable<string> {
  const { host, pathname } = new URL(url);
  yield `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`;
  const value = 'x'.repeat(4000);
  for (let at = 0; at < 262; at += 1) yield `${name}-${at}: ${value}\r\n`;
  yield 'Connection: close\r\n\r\n';
}

/** A row for what is too large: a 4xx, or a closed connection. */
export function refusedOrClosed({ statuses, closed, exchange }: RawReply): Reading {
  const [status] = statuses;
  const isRight = status === undefined ? closed : status >= 400 && status < 500;
  const silence = closed ? 'It closed the connection.' : 'It kept reading.';
  return {
    ok: isRight,
    seen: status === undefined ? silence : `It answered ${status}.`,
    exchange,
    ...(status !== undefined && failing({ status })),
  };
}
