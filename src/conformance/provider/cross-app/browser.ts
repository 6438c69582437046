import { ListenError, serve } from '../../../mock-service/index.ts';
import { silentLog } from '../../../runtime/index.ts';
import { NeedsOption } from '../../engine/judge.ts';
import { Answer } from '../../http/answer.ts';
import type { Sending } from '../../http/http-client.ts';
import { type Page, Visitor } from '../../pages/visitor.ts';
import { signIn } from '../../user/sign-in.ts';
import type { SignInMeans } from '../../user/sign-in-means.ts';
import { type ProviderUser, pressedFor, questionOf } from '../sign-in.ts';

/** Where the browser of a user was sent by an authorization request. */
export interface Arrival {
  readonly kind: 'arrived';
  /** The redirect, with the answer in its query. */
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

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost):\d+\//;

const DONE = 'The answer has arrived. This page can be closed.\n';

/** A browser that somebody else drives: by hand, or by a command. The suite listens where it is sent to. */
export class DrivenBrowser {
  /** Whether all that it sends is seen: of a driven browser only what comes to this machine is. */
  readonly seesAll = false;
  readonly #user: ProviderUser;
  readonly #redirectUri: string;

  constructor(user: ProviderUser, redirectUri: string) {
    this.#user = user;
    this.#redirectUri = redirectUri;
  }

  /** @throws NeedsOption where it is sent to another machine, or somebody else listens there. */
  async authorize(url: string, email: string): Promise<Arrival | Stay> {
    if (!LOOPBACK.test(this.#redirectUri)) {
      throw new NeedsOption(
        'With --user manual or command codes are sent to this machine: --redirect-uri http://127.0.0.1:4899/callback.',
        '--redirect-uri',
      );
    }
    const { origin, port } = new URL(this.#redirectUri);
    let arrived: URL | undefined;
    const server = await serve({
      host: '127.0.0.1',
      port: Number(port),
      log: silentLog,
      build: async () => async (request: Request) => {
        const { pathname, search, searchParams } = new URL(request.url);
        // No icon of the page.
        if (searchParams.size > 0) arrived ??= new URL(origin + pathname + search);
        return new Response(DONE);
      },
    }).catch((error) => {
      throw error instanceof ListenError
        ? new NeedsOption(`Codes are sent to this machine: ${error.message}`, '--redirect-uri')
        : error;
    });
    try {
      await this.#user.consent({ consentUri: url, email, decision: 'approve' });
    } finally {
      await server.close();
    }
    if (arrived !== undefined) {
      return { kind: 'arrived', url: arrived, exchange: undefined, wasAsked: true };
    }
    const answer = new Answer(0, [], 'Nothing came to the redirect URI.', 0, 0);
    return { kind: 'stayed', page: { url, answer, forms: [] } };
  }
}
