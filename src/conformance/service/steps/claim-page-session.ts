import type { Answer } from '../../http/answer.ts';
import type { PageForm } from '../../pages/forms.ts';
import type { Page, Visitor } from '../../pages/visitor.ts';
import { asksForCode } from '../../user/form-fields.ts';
import { decide, denying } from '../../user/form-user.ts';
import { notUnderstood, readPages } from '../../user/own-reading.ts';
import { signIn } from '../../user/sign-in.ts';
import { signInForm } from '../../user/sign-in-form.ts';
import type { ServiceWorld } from '../service-world.ts';

/** Whose browser it is, and what its user signs in with. */
type BrowserWorld = Pick<ServiceWorld, 'visitor' | 'user' | 'means'>;

/** The page behind the link of a claim, after the sign-in. */
interface ClaimPageVisit {
  readonly visitor: Visitor;
  readonly page: Page;
  /** Where the code is typed; undefined when none is asked for. */
  readonly form: PageForm | undefined;
}

/** @throws CannotTest when the sign-in is not understood, NotApplicable where no reader of forms was asked for. */
export async function openClaimPage(
  world: BrowserWorld,
  verificationUri: string,
  email: string,
): Promise<ClaimPageVisit> {
  const visitor = world.visitor();
  const first = await visitor.open(verificationUri);
  const page = await readPages(world.user, () => signIn(visitor, first, email, world.means));
  return { visitor, page, form: page.forms.find(asksForCode) };
}

/** A browser session on the page that asks for the code. It stays there whatever becomes of the claim. */
export class ClaimPageSession {
  readonly visitor: Visitor;
  /** Of the user who signed in. */
  readonly email: string;
  #page: Page;
  #form: PageForm;
  #asksForCode = true;
  #asksToSignIn = false;

  private constructor(visitor: Visitor, email: string, page: Page, form: PageForm) {
    this.visitor = visitor;
    this.email = email;
    this.#page = page;
    this.#form = form;
  }

  /** @throws CannotTest, NotApplicable when the page is not reached, or asks for no code. */
  static async open(
    world: BrowserWorld,
    { verificationUri }: { readonly verificationUri: string },
    email: string,
  ): Promise<ClaimPageSession> {
    const { visitor, page, form } = await openClaimPage(world, verificationUri, email);
    if (form !== undefined) return new ClaimPageSession(visitor, email, page, form);
    throw notUnderstood(
      world.user,
      page,
      'Behind the verification_uri and its sign-in no form asks for the code',
    );
  }

  get page(): Page {
    return this.#page;
  }

  get form(): PageForm {
    return this.#form;
  }

  /** Whether the last page still asked for a code. */
  get asksForCode(): boolean {
    return this.#asksForCode;
  }

  /** Whether the last page asked to sign in: this session has ended. */
  get asksToSignIn(): boolean {
    return this.#asksToSignIn;
  }

  /** Whether the page has a control to deny. */
  get canDeny(): boolean {
    return denying(this.#page) !== undefined;
  }

  /** Types a code and approves. */
  approve(userCode: string): Promise<Answer> {
    return this.#decide(userCode, 'approve');
  }

  /** @throws NoDenial */
  deny(): Promise<Answer> {
    return this.#decide('', 'deny');
  }

  async #decide(userCode: string, decision: 'approve' | 'deny'): Promise<Answer> {
    const task = { userCode, decision, email: this.email };
    const page = await decide(this.visitor, this.#page, this.#form, task);
    const form = page.forms.find(asksForCode);
    this.#asksForCode = form !== undefined;
    this.#asksToSignIn = signInForm(page) !== undefined;
    if (form !== undefined) {
      this.#page = page;
      this.#form = form;
    }
    return page.answer;
  }
}

/** The owner's page, with the hidden values of the other user's own where both have one of that name. */
export function forgedPage(owners: Page, others: Page): Page {
  const own = others.forms
    .flatMap(({ values }) => Object.entries(values))
    .filter(([name]) => !/attempt|code/.test(name));
  return {
    ...owners,
    forms: owners.forms.map((form) => ({
      ...form,
      values: {
        ...form.values,
        ...Object.fromEntries(own.filter(([name]) => name in form.values)),
      },
    })),
  };
}
