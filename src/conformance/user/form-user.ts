import type { PageForm } from '../pages/forms.ts';
import type { Page, Visitor } from '../pages/visitor.ts';
import { asksForCode, isCodeField, isDeny, pressed } from './form-fields.ts';
import { NoDenial } from './own-reading.ts';
import { signIn } from './sign-in.ts';
import { asksForEmail } from './sign-in-form.ts';
import { EMAIL_ALONE, type SignInMeans } from './sign-in-means.ts';
import type { ClaimReport, ClaimTask, User } from './user.ts';

/** Reads the forms of pages by types, names and labels. No browser. */
export class FormUser implements User {
  readonly kind = 'form';
  readonly #visit: () => Visitor;
  readonly #means: SignInMeans;

  constructor(visit: () => Visitor, means: SignInMeans = EMAIL_ALONE) {
    this.#visit = visit;
    this.#means = means;
  }

  async claim(task: ClaimTask): Promise<ClaimReport> {
    const visitor = this.#visit();
    const first = await visitor.open(task.verificationUri);
    const page = await signIn(visitor, first, task.email, this.#means);
    const form = page.forms.find(asksForCode);
    if (form === undefined) return reportOf(page);
    return reportOf(await decide(visitor, page, form, task));
  }
}

/** What a user types and decides. */
type Decision = Pick<ClaimTask, 'userCode' | 'decision'> & Partial<Pick<ClaimTask, 'email'>>;

/**
 * Submits the form of a claim page. Without a control to deny nothing is sent: the form alone approves.
 * @throws NoDenial
 */
export async function decide(
  visitor: Visitor,
  page: Page,
  form: PageForm,
  task: Decision,
): Promise<Page> {
  const chosen = task.decision === 'deny' ? denying(page) : form;
  if (chosen === undefined) throw new NoDenial();
  return visitor.submit(page, chosen, decisionValues(chosen, task));
}

/** The values of the form of a claim page. One that asks for everything at once is given the email, too. */
export function decisionValues(
  form: PageForm,
  { userCode, decision, email }: Decision,
): Readonly<Record<string, string>> {
  const code = form.fields.find(isCodeField);
  const address = form.fields.find((each) => !isCodeField(each) && asksForEmail(each));
  return {
    ...(address && email && !form.values[address.name] ? { [address.name]: email } : {}),
    ...(code === undefined ? {} : { [code.name]: userCode }),
    ...pressed(form, decision),
  };
}

/** The form with the control that denies; undefined where no form has one. */
export function denying({ forms }: Pick<Page, 'forms'>): PageForm | undefined {
  return forms.find(({ fields }) => fields.some(isDeny));
}

/** The page at which a user's part ended. */
export function reportOf({ answer }: Page): ClaimReport {
  return { status: answer.status, text: answer.text, exchange: answer.exchange };
}
