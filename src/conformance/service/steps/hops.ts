import type { Answer } from '../../http/answer.ts';
import type { Sending } from '../../http/http-client.ts';
import { type Page, Visitor } from '../../pages/visitor.ts';
import { asksForCode, signIn, signInForm } from '../../user/form-user.ts';
import { notUnderstood, readPages } from '../../user/own-reading.ts';
import type { User } from '../../user/user.ts';
import type { ServiceWorld } from '../service-world.ts';

/** One request of a visitor. */
export interface Hop {
  readonly url: string;
  readonly sending: Sending;
  readonly answer: Answer;
}

/** A visitor whose every request is recorded, and whom no redirect takes to a foreign site. */
export class Hops {
  readonly visitor: Visitor;
  readonly all: Hop[] = [];
  /** The foreign host. Never visited. */
  readonly elsewhere: string;
  readonly #user: User;

  constructor(world: ServiceWorld) {
    this.elsewhere = world.elsewhere;
    this.#user = world.user;
    this.visitor = new Visitor(async (url, sending) => {
      if (isForeign(url, world.elsewhere)) {
        throw new ForeignRedirect(url, this.all.at(-1)?.answer.exchange);
      }
      const answer = await world.send(url, { from: 'user', ...sending });
      this.all.push({ url, sending, answer });
      return answer;
    });
  }

  /** Opens a claim's link and signs in: the page that asks for the code. @throws CannotTest */
  async toCode(verificationUri: string, email: string): Promise<Page> {
    return this.mustAskForCode(await this.signIn(await this.visitor.open(verificationUri), email));
  }

  /** @throws CannotTest, NotApplicable when the sign-in is not understood. */
  signIn(first: Page, email: string): Promise<Page> {
    return readPages(this.#user, () => signIn(this.visitor, first, email));
  }

  /** Opens a claim's link: the sign-in page. @throws CannotTest when there is none. */
  async toSignIn(verificationUri: string): Promise<Page> {
    const page = await this.visitor.open(verificationUri);
    if (signInForm(page) !== undefined) return page;
    throw notUnderstood(
      this.#user,
      page,
      'The sign-in behind the verification_uri is not understood',
    );
  }

  /** Whether this visitor is signed in with the account of a claim: its page asks for the code. */
  async isSignedIn(verificationUri: string): Promise<boolean> {
    return (await this.visitor.open(verificationUri)).forms.some(asksForCode);
  }

  mustAskForCode(page: Page): Page {
    if (page.forms.some(asksForCode)) return page;
    throw notUnderstood(
      this.#user,
      page,
      'Behind the verification_uri and its sign-in no form asks for the code',
    );
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
