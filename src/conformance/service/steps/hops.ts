import type { Answer } from '../../http/answer.ts';
import type { Sending } from '../../http/http-client.ts';
import { type Page, Visitor } from '../../pages/visitor.ts';
import { asksForCode, signIn, signInForm } from '../../user/form-user.ts';
import { notUnderstood, readPages } from '../../user/own-reading.ts';
import type { User } from '../../user/user.ts';
import type { ServiceWorld } from '../service-world.ts';

export interface Step {
  readonly url: string;
  readonly sending: Sending;
  readonly answer: Answer;
}

/** A visitor whose every step is kept, and who does not leave for the site of somebody else. */
export class Hops {
  readonly visitor: Visitor;
  readonly steps: Step[] = [];
  /** The host of somebody else. Never visited. */
  readonly elsewhere: string;
  readonly #user: User;

  constructor(world: ServiceWorld) {
    this.elsewhere = world.elsewhere;
    this.#user = world.user;
    this.visitor = new Visitor(async (url, sending) => {
      if (isElsewhere(url, world.elsewhere))
        throw new LedAway(url, this.steps.at(-1)?.answer.exchange);
      const answer = await world.send(url, { from: 'user', ...sending });
      this.steps.push({ url, sending, answer });
      return answer;
    });
  }

  /** Signs in to get to a claim, and gets in front of its code. @throws CannotTest */
  async toCode(verificationUri: string, email: string): Promise<Page> {
    return this.mustAskForCode(await this.signIn(await this.visitor.open(verificationUri), email));
  }

  /** @throws CannotTest, NotApplicable when the sign-in is not understood. */
  signIn(first: Page, email: string): Promise<Page> {
    return readPages(this.#user, () => signIn(this.visitor, first, email));
  }

  /** The page of a link that asks who somebody is. @throws CannotTest when none does. */
  async toSignIn(verificationUri: string): Promise<Page> {
    const page = await this.visitor.open(verificationUri);
    if (signInForm(page) !== undefined) return page;
    throw notUnderstood(
      this.#user,
      page,
      'The sign-in behind the verification_uri is not understood',
    );
  }

  /** Whether this visitor is signed in as the one for whom the link is: its page asks for the code. */
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

  posts(): readonly Step[] {
    return this.steps.filter(({ sending }) => sending.method === 'POST');
  }
}

/** A redirect would have taken a visitor to another site. */
export class LedAway extends Error {
  override readonly name = 'LedAway';
  readonly url: string;
  readonly exchange: number | undefined;

  constructor(url: string, exchange: number | undefined) {
    super(`led to ${url}`);
    this.url = url;
    this.exchange = exchange;
  }
}

function isElsewhere(url: string, elsewhere: string): boolean {
  const { hostname, protocol } = new URL(url);
  return !/^https?:$/.test(protocol) || hostname.endsWith(elsewhere);
}
