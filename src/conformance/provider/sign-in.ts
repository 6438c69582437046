import { CannotTest, NotApplicable } from '../engine/judge.ts';
import type { FormField, PageForm } from '../pages/forms.ts';
import type { Page, Visitor } from '../pages/visitor.ts';
import { describePage } from '../user/describe-page.ts';
import { asksForCode, isButton } from '../user/form-fields.ts';
import { decide, reportOf } from '../user/form-user.ts';
import { signIn } from '../user/sign-in.ts';
import { EMAIL_ALONE, type SignInMeans } from '../user/sign-in-means.ts';
import type { ClaimReport, User } from '../user/user.ts';
import { APPROVE_WORDS, LEAVE_WORDS } from '../user/words.ts';

/** A device authorization: open the URL, sign in, type the code, decide (RFC 8628 §3.3). */
interface SignInTask {
  readonly verificationUri: string;
  readonly userCode: string;
  readonly email: string;
  readonly decision: 'approve' | 'deny';
}

/** A consent page: may the agent identify its user to a service? */
interface ConsentTask {
  readonly consentUri: string;
  readonly email: string;
  readonly decision: 'approve' | 'deny';
}

/** A consent that is revoked on a page. */
interface RevocationTask {
  readonly consentsUri: string;
  readonly audience: string;
  readonly email: string;
}

/** Does the user's part at a provider. Whether it took effect, only the token endpoint tells. */
export interface ProviderUser {
  /** @throws CannotTest when the pages are not understood, or it takes too long. */
  signIn(task: SignInTask): Promise<ClaimReport>;
  /** @throws CannotTest likewise. */
  consent(task: ConsentTask): Promise<ClaimReport>;
  /** @throws NotApplicable when this driver cannot. */
  revoke(task: RevocationTask): Promise<ClaimReport>;
}

/** Reads the forms of the provider's pages. No browser. */
export class FormProviderUser implements ProviderUser {
  readonly #visit: () => Visitor;
  readonly #means: SignInMeans;

  constructor(visit: () => Visitor, means: SignInMeans = EMAIL_ALONE) {
    this.#visit = visit;
    this.#means = means;
  }

  async signIn(task: SignInTask): Promise<ClaimReport> {
    const { decision, email, verificationUri } = task;
    const visitor = this.#visit();
    const page = await signedInAt(visitor, verificationUri, email, this.#means);
    const form = page.forms.find(asksForCode);
    if (form === undefined) return unfinished(page);
    // Some pages ask beside the code; others on the next page.
    if (decision === 'deny' && page.forms.some(asksToDeny)) {
      return reportOf(await decide(visitor, page, form, task));
    }
    const typed = await decide(visitor, page, form, { ...task, decision: 'approve' });
    const asked = await this.#afterCode(visitor, typed, email);
    const end = await this.#answerAll(visitor, asked, task);
    const isOpen = !end.answer.ok || end.forms.some(asksForCode) || questionOf(end) !== undefined;
    return isOpen ? unfinished(end) : reportOf(end);
  }

  /** Goes on where a page took the code first, and has the user confirm it or sign in then. */
  async #afterCode(visitor: Visitor, typed: Page, email: string): Promise<Page> {
    const isThere = (page: Page) => questionOf(page) !== undefined || page.forms.some(asksForCode);
    return signIn(visitor, typed, email, this.#means, { until: isThere, mayConfirm: () => false });
  }

  /** Answers one question after the other, with sign-ins in between: is this your device, may it do that. */
  async #answerAll(visitor: Visitor, first: Page, { decision, email }: SignInTask): Promise<Page> {
    let page = await answerQuestion(visitor, first, decision);
    if (decision === 'deny') return page;
    for (let step = 0; step < MAX_QUESTIONS; step += 1) {
      const next = await this.#afterCode(visitor, page, email);
      const question = questionOf(next);
      if (question === undefined) return next;
      page = await visitor.submit(next, question, pressedFor(question, 'approve'));
    }
    return page;
  }

  async consent({ consentUri, decision, email }: ConsentTask): Promise<ClaimReport> {
    const visitor = this.#visit();
    const page = await signedInAt(visitor, consentUri, email, this.#means);
    return reportOf(await answerQuestion(visitor, page, decision));
  }

  async revoke({ audience, consentsUri, email }: RevocationTask): Promise<ClaimReport> {
    const visitor = this.#visit();
    const page = await signedInAt(visitor, consentsUri, email, this.#means);
    const revocation = revocationOf(page, audience);
    if (revocation === undefined) {
      throw new CannotTest(`No form of ${consentsUri} names the audience ${audience}.`);
    }
    return reportOf(await visitor.submit(page, revocation.form, revocation.pressed));
  }
}

const MAX_QUESTIONS = 5;

/** What a driver understood no further; it may be the end all the same. */
function unfinished(page: Page): ClaimReport {
  return { ...reportOf(page), stoppedAt: describePage(page) };
}

/** Uses a driver of claim pages for a provider's pages. */
export function providerUserOf(user: User): ProviderUser {
  return {
    signIn: (task) => user.claim(task),
    consent: ({ consentUri, email, decision }) =>
      user.claim({ verificationUri: consentUri, userCode: '', email, decision }),
    revoke: async () => {
      throw new NotApplicable(
        `Revoking a consent on a page needs --user form; this is --user ${user.kind}.`,
      );
    },
  };
}

/** Opens a page and signs in where needed. Submits no consent or confirmation of the page. */
export async function signedInAt(
  visitor: Visitor,
  url: string,
  email: string,
  means: SignInMeans = EMAIL_ALONE,
): Promise<Page> {
  return signIn(visitor, await visitor.open(url), email, means, {
    until: (page) => questionOf(page) !== undefined,
    mayConfirm: (page) => new URL(page.url).pathname !== new URL(url).pathname,
  });
}

/** The form that asks a signed-in user: with approve and deny, or, where there is no way to deny, with approve. */
export function questionOf(page: Page): PageForm | undefined {
  const posted = page.forms.filter(({ method }) => method === 'POST');
  return (
    posted.find((form) => asksToDeny(form) && form.fields.some(isApprove)) ?? lonelyApprove(posted)
  );
}

/** Approve in a form of its own. Its words have to say so: a sign-in, too, has buttons that continue. */
function lonelyApprove(posted: readonly PageForm[]): PageForm | undefined {
  const says = ({ label, value }: FormField) => APPROVE_WORDS.test(`${value} ${label}`);
  return posted.find(({ fields }) => fields.some((field) => isApprove(field) && says(field)));
}

/**
 * Submits a decision; a page without a question is returned as it is.
 * @throws NotApplicable when the user cannot deny there: an approval would not be what is judged.
 */
async function answerQuestion(
  visitor: Visitor,
  page: Page,
  decision: 'approve' | 'deny',
): Promise<Page> {
  // The form that denies is that of the question, or one of its own.
  const denial = page.forms.find((each) => each.method === 'POST' && asksToDeny(each));
  const form = decision === 'deny' ? denial : questionOf(page);
  if (form !== undefined) return visitor.submit(page, form, pressedFor(form, decision));
  if (decision === 'approve') return page;
  throw new NotApplicable(
    `The page at ${new URL(page.url).pathname} has no button to deny: a user cannot refuse there.`,
  );
}

/** The form that revokes the consent to an audience, and its button. */
export function revocationOf({ forms }: Page, audience: string) {
  const form = forms.find(({ values }) => Object.values(values).includes(audience));
  const button = form?.fields.find(({ type, name }) => type === 'submit' && name !== '');
  return form && { form, pressed: button === undefined ? {} : { [button.name]: button.value } };
}

/** The name and value of the button of a decision. */
export function pressedFor(
  form: PageForm,
  decision: 'approve' | 'deny',
): Readonly<Record<string, string>> {
  const button = form.fields.find(decision === 'deny' ? isDeny : isApprove);
  return button === undefined || button.name === '' ? {} : { [button.name]: button.value };
}

function asksToDeny({ fields }: PageForm): boolean {
  return fields.some(isDeny);
}

function isDeny(field: FormField): boolean {
  return (
    isButton(field) &&
    /\b(deny|decline|reject|refuse|cancel|abort)\b/i.test(`${field.value} ${field.label}`)
  );
}

function isApprove(field: FormField): boolean {
  const words = `${field.value} ${field.label}`;
  return (
    isButton(field) &&
    !isDeny(field) &&
    !LEAVE_WORDS.test(words) &&
    !/sign.?in|log.?in/i.test(words)
  );
}
