import { GuardedVisitor } from '../../pages/foreign-destinations.ts';
import type { Page } from '../../pages/visitor.ts';
import { asksForCode } from '../../user/form-fields.ts';
import { notUnderstood, readPages } from '../../user/own-reading.ts';
import { signIn } from '../../user/sign-in.ts';
import { signInForm } from '../../user/sign-in-form.ts';
import type { SignInMeans } from '../../user/sign-in-means.ts';
import type { User } from '../../user/user.ts';
import type { ServiceWorld } from '../service-world.ts';

/** A visitor of a claim's pages. */
export class Hops extends GuardedVisitor {
  readonly #user: User;
  readonly #means: SignInMeans;

  constructor(world: ServiceWorld) {
    super((url, sending) => world.send(url, sending), world.elsewhere);
    this.#user = world.user;
    this.#means = world.means;
  }

  /** Opens a claim's link and signs in: the page that asks for the code. @throws CannotTest */
  async toCode(verificationUri: string, email: string): Promise<Page> {
    return this.mustAskForCode(await this.signIn(await this.visitor.open(verificationUri), email));
  }

  /** @throws CannotTest, NotApplicable when the sign-in is not understood. */
  signIn(first: Page, email: string): Promise<Page> {
    return readPages(this.#user, () => signIn(this.visitor, first, email, this.#means));
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
}
