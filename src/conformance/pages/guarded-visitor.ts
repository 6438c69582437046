import type { Answer } from '../http/answer.ts';
import type { Sending } from '../http/http-client.ts';
import { Visitor } from './visitor.ts';

/** One request of a visitor. */
export interface Hop {
  readonly url: string;
  readonly sending: Sending;
  readonly answer: Answer;
}

/** A visitor whose every request is recorded, and whom no redirect takes to a foreign site. */
export class GuardedVisitor {
  readonly visitor: Visitor;
  readonly all: Hop[] = [];
  /** The foreign host. Never visited. */
  readonly elsewhere: string;

  constructor(send: (url: string, sending: Sending) => Promise<Answer>, elsewhere: string) {
    this.elsewhere = elsewhere;
    this.visitor = new Visitor(async (url, sending) => {
      if (isForeign(url, elsewhere)) {
        throw new ForeignRedirect(url, this.all.at(-1)?.answer.exchange);
      }
      const answer = await send(url, { from: 'user', ...sending });
      this.all.push({ url, sending, answer });
      return answer;
    });
  }

  posts(): readonly Hop[] {
    return this.all.filter(({ sending }) => sending.method === 'POST');
  }
}

/** A redirect would have taken a visitor to a foreign site. */
export class ForeignRedirect extends Error {
  override readonly name = 'ForeignRedirect';
  readonly url: string;
  readonly exchange: number | undefined;

  constructor(url: string, exchange: number | undefined) {
    super(`redirected to ${url}`);
    this.url = url;
    this.exchange = exchange;
  }
}

function isForeign(url: string, elsewhere: string): boolean {
  const { hostname, protocol } = new URL(url);
  return !/^https?:$/.test(protocol) || hostname.endsWith(elsewhere);
}
