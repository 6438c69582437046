import type { PageForm } from './forms.ts';
import type { Page } from './visitor.ts';

const SIGN_OUT = /(log|sign).?(out|off)/i;

/** The form to sign out with: one that says so or, where none does, one with nothing to type. */
export function signOutForm(page: Page): PageForm | undefined {
  return saidSignOut(page) ?? page.forms.find(isBare);
}

/** The form that says, by its URL or its button, that it signs out. */
export function saidSignOut({ forms }: Page): PageForm | undefined {
  const says = ({ action, fields }: PageForm) =>
    SIGN_OUT.test(action) || fields.some(({ label, value }) => SIGN_OUT.test(`${label} ${value}`));
  return forms.filter(isBare).find(says);
}

/** A form with nothing to type. */
function isBare({ fields, method }: PageForm): boolean {
  return method === 'POST' && fields.every(({ type }) => ['hidden', 'submit'].includes(type));
}
