import type { FormField, PageForm } from '../pages/forms.ts';
import type { Page } from '../pages/visitor.ts';
import { asksForCode, buttonsOf, isDeny, isLeaving, isTyped, pressed } from './form-fields.ts';
import { EMAIL_ALONE, type SignInMeans } from './sign-in-means.ts';
import { LEAVE_WORDS } from './words.ts';

/**
 * The sign-in form of a page: one that asks for an email or a password, or whose words say so. A user who
 * has given their email (`isKnown`) also confirms a form without input.
 */
export function signInForm(page: Page, isKnown = false): PageForm | undefined {
  if (page.forms.some(asksForCode)) return undefined;
  const posted = page.forms.filter(({ method }) => method === 'POST');
  const signIns = posted.filter(isSignIn);
  return (
    signIns.find((form) => !isSignUp(form)) ??
    signIns[0] ??
    (isKnown && page.answer.ok ? posted.find(isConfirmation) : undefined)
  );
}

/** The values of a sign-in form: without a password where none is known. */
export function signInValues(
  form: PageForm,
  email: string,
  means: SignInMeans = EMAIL_ALONE,
): Readonly<Record<string, string>> {
  const emailField = form.fields.find(asksForEmail);
  const password = means.account(email)?.password;
  const passwordField = password === undefined ? undefined : form.fields.find(isPassword);
  return {
    ...(emailField === undefined ? {} : { [emailField.name]: email }),
    ...(passwordField === undefined ? {} : { [passwordField.name]: password ?? '' }),
    ...pressed(form, undefined),
  };
}

const SIGN_IN_WORDS =
  /sign.?in|log.?in|continue|\b(?:e-?mail|send) me\b|send (?:a|the|my) (?:code|link)/i;

function isSignIn(form: PageForm): boolean {
  if (form.fields.some((field) => asksForEmail(field) || isPassword(field))) return true;
  const words = `${form.action} ${wordsOf(form)}`;
  return SIGN_IN_WORDS.test(words) && !/log.?out|sign.?out/i.test(words);
}

function isSignUp(form: PageForm): boolean {
  return /\b(?:sign.?up|register|create|join)\b/i.test(
    `${new URL(form.action).pathname} ${wordsOf(form)}`,
  );
}

function wordsOf(form: PageForm): string {
  return buttonsOf(form)
    .map(({ label }) => label)
    .join(' ');
}

/** Whether a form has nothing to type, and a button that continues: `Yes, that is me`. */
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

export function asksForEmail({ type, name, label }: FormField): boolean {
  return (
    type === 'email' || (isTyped(type) && /e-?mail|user|login|account/i.test(`${name} ${label}`))
  );
}

export function isPassword({ type }: FormField): boolean {
  return type === 'password';
}
