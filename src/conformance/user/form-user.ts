import type { FormField, PageForm } from '../pages/forms.ts';
import type { Page, Visitor } from '../pages/visitor.ts';
import { NoDenial, NotUnderstood } from './own-reading.ts';
import type { ClaimReport, ClaimTask, User } from './user.ts';
import { CODE_WORDS, DENY_WORDS, LEAVE_WORDS } from './words.ts';

const MAX_STEPS = 8;

/** Reads the forms of pages by types, names and labels. No browser. */
export class FormUser implements User {
  readonly kind = 'form';
  readonly #visit: () => Visitor;

  constructor(visit: () => Visitor) {
    this.#visit = visit;
  }

  async claim(task: ClaimTask): Promise<ClaimReport> {
    const visitor = this.#visit();
    const page = await signIn(visitor, await visitor.open(task.verificationUri), task.email);
    const form = page.forms.find(asksForCode);
    if (form === undefined) return report(page);
    return report(await decide(visitor, page, form, task));
  }
}

/** Submits sign-in forms until a page has another one. */
export async function signIn(visitor: Visitor, first: Page, email: string): Promise<Page> {
  let page = first;
  let isKnown = false;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const form = signInForm(page, isKnown);
    if (form === undefined) return page;
    if (form.fields.some(({ type }) => type === 'password')) {
      throw new NotUnderstood('The sign-in asks for a password: use --user manual or command.');
    }
    isKnown = true;
    page = await visitor.submit(page, form, signInValues(form, email));
  }
  throw new NotUnderstood('The sign-in does not end: use --user manual, browser or command.');
}

/**
 * The sign-in form of a page: one that asks for an email, or whose words say so. A user who has given
 * their email (`isKnown`) also confirms a form without input.
 */
export function signInForm(page: Page, isKnown = false): PageForm | undefined {
  if (page.forms.some(asksForCode)) return undefined;
  const posted = page.forms.filter(({ method }) => method === 'POST');
  return (
    posted.find(isSignIn) ?? (isKnown && page.answer.ok ? posted.find(isConfirmation) : undefined)
  );
}

/** The values of a sign-in form. */
export function signInValues(form: PageForm, email: string): Readonly<Record<string, string>> {
  const emailField = form.fields.find(asksForEmail);
  return {
    ...(emailField === undefined ? {} : { [emailField.name]: email }),
    ...pressed(form, undefined),
  };
}

/**
 * Submits the form of a claim page. Without a control to deny nothing is sent: the form alone approves.
 * @throws NoDenial
 */
export async function decide(
  visitor: Visitor,
  page: Page,
  form: PageForm,
  { userCode, decision }: Pick<ClaimTask, 'userCode' | 'decision'>,
): Promise<Page> {
  const chosen = decision === 'deny' ? denying(page) : form;
  if (chosen === undefined) throw new NoDenial();
  return visitor.submit(page, chosen, decisionValues(chosen, { userCode, decision }));
}

/** The values of the form of a claim page. */
export function decisionValues(
  form: PageForm,
  { userCode, decision }: Pick<ClaimTask, 'userCode' | 'decision'>,
): Readonly<Record<string, string>> {
  const code = form.fields.find(isCodeField);
  return {
    ...(code === undefined ? {} : { [code.name]: userCode }),
    ...pressed(form, decision),
  };
}

export function asksForCode(form: PageForm): boolean {
  return form.fields.some(isCodeField);
}

function isCodeField({ type, name, label }: FormField): boolean {
  return isTyped(type) && CODE_WORDS.test(`${name} ${label}`);
}

/** The form with the control that denies; undefined where no form has one. */
export function denying({ forms }: Pick<Page, 'forms'>): PageForm | undefined {
  return forms.find(({ fields }) => fields.some(isDeny));
}

function isDeny({ type, name, value, label }: FormField): boolean {
  return (
    ['submit', 'button', 'radio', 'hidden'].includes(type) &&
    DENY_WORDS.test(type === 'hidden' ? value : `${name} ${value} ${label}`)
  );
}

function isSignIn(form: PageForm): boolean {
  if (form.fields.some(asksForEmail)) return true;
  const words = `${form.action} ${buttonsOf(form)
    .map(({ label }) => label)
    .join(' ')}`;
  return /sign.?in|log.?in|continue/i.test(words) && !/log.?out|sign.?out/i.test(words);
}

/** Nothing to type, and a button that continues: `Yes, that is me`. */
function isConfirmation(form: PageForm): boolean {
  const nothingToType = form.fields.every(({ type }) => !isTyped(type) && type !== 'password');
  const buttons = buttonsOf(form);
  return (
    nothingToType &&
    !LEAVE_WORDS.test(new URL(form.action).pathname) &&
    buttons.some((button) => !isDeny(button) && !isLeaving(button)) &&
    buttons[0] !== undefined &&
    !isLeaving(buttons[0])
  );
}

function isLeaving({ label, value }: FormField): boolean {
  return LEAVE_WORDS.test(`${label} ${value}`);
}

function asksForEmail({ type, name, label }: FormField): boolean {
  return (
    type === 'email' || (isTyped(type) && /e-?mail|user|login|account/i.test(`${name} ${label}`))
  );
}

function isTyped(type: string): boolean {
  return ['text', 'email', 'tel', 'number', 'search'].includes(type);
}

function buttonsOf({ fields }: PageForm): readonly FormField[] {
  return fields.filter(({ type }) => type === 'submit' || type === 'button');
}

/** The name and value of the button of a decision. */
function pressed(
  form: PageForm,
  decision: ClaimTask['decision'] | undefined,
): Record<string, string> {
  const buttons = buttonsOf(form);
  const button =
    decision === 'deny'
      ? buttons.find(isDeny)
      : (buttons.find((candidate) => !isDeny(candidate) && !isLeaving(candidate)) ??
        buttons.find((candidate) => !isDeny(candidate)));
  const chosen = [
    button,
    // The decision may be a pair of radio buttons.
    decision && form.fields.find((f) => f.type === 'radio' && isDeny(f) === (decision === 'deny')),
  ];
  return Object.fromEntries(
    chosen.flatMap((field) => (field && field.name !== '' ? [[field.name, field.value]] : [])),
  );
}

function report({ answer }: Page): ClaimReport {
  return { status: answer.status, text: answer.text, exchange: answer.exchange };
}
