import type { Answer } from '../../http/answer.ts';
import type { Sending } from '../../http/http-client.ts';
import { type Page, Visitor } from '../../pages/visitor.ts';
import { signIn } from '../../user/sign-in.ts';
import type { SignInMeans } from '../../user/sign-in-means.ts';
import { pressedFor, questionOf } from '../sign-in.ts';

/** Where the browser of a user was sent by an authorization request. */
export interface Arrival {
  readonly kind: 'arrived';
  /** With the answer in its query. */
  readonly url: URL;
  /** The exchange that sent it there. */
  readonly exchange: number | undefined;
  /** Whether the user had to do anything on the way. */
  readonly wasAsked: boolean;
}

/** An authorization request that ended at a page: nobody was redirected. */
export interface Stay {
  readonly kind: 'stayed';
  readonly page: Page;
}

const MAX_QUESTIONS = 5;

class Arrived extends Error {
  override readonly name = 'Arrived';
  readonly url: URL;

  constructor(url: URL) {
    super(`redirected to ${url.origin}`);
    this.url = url;
  }
}

/** The browser of one user. It goes everywhere but to redirect URIs, whose requests are the answer. */
export class Browser {
  /** Wherever it is redirected to. */
  readonly seesAll = true;
  readonly #visitor: Visitor;
  readonly #means: SignInMeans;
  #ends: readonly string[] = [];
  #last: Answer | undefined;
  #posts = 0;

  constructor(send: (url: string, sending: Sending) => Promise<Answer>, means: SignInMeans) {
    this.#means = means;
    this.#visitor = new Visitor(async (url, sending) => {
      const to = new URL(url);
      if (this.#ends.includes(placeOf(to))) throw new Arrived(to);
      if (sending.method === 'POST') this.#posts += 1;
      this.#last = await send(url, { from: 'user', ...sending });
      return this.#last;
    });
  }

  /**
   * Opens an authorization request, signs in and consents where that is asked for.
   * @param redirectUris where it may end.
   */
  async authorize(
    url: string,
    email: string,
    redirectUris: readonly string[],
  ): Promise<Arrival | Stay> {
    this.#ends = redirectUris.map((each) => placeOf(new URL(each)));
    this.#posts = 0;
    try {
      return { kind: 'stayed', page: await this.#walk(url, email) };
    } catch (error) {
      if (!(error instanceof Arrived)) throw error;
      const exchange = this.#last?.exchange;
      return { kind: 'arrived', url: error.url, exchange, wasAsked: this.#posts > 0 };
    }
  }

  async #walk(url: string, email: string): Promise<Page> {
    const until = (page: Page) => questionOf(page) !== undefined;
    let page = await this.#visitor.open(url);
    for (let step = 0; step < MAX_QUESTIONS; step += 1) {
      page = await signIn(this.#visitor, page, email, this.#means, {
        until,
        mayConfirm: () => false,
      });
      const question = questionOf(page);
      if (question === undefined) return page;
      page = await this.#visitor.submit(page, question, pressedFor(question, 'approve'));
    }
    return page;
  }
}

/** Origin and path: a host in other letters is the same. */
function placeOf({ origin, pathname }: URL): string {
  return origin + pathname;
}
