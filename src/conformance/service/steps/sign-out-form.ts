import type { PageForm } from '../../pages/forms.ts';
import type { Page } from '../../pages/visitor.ts';

/** The form to sign out with: one that says so or, where none does, one with nothing to type. */
export function signOutForm({ forms }: Page): PageForm | undefined {
  const bare = forms.filter(isBare);
  return bare.find(({ action }) => /(log|sign).?(out|off)/i.test(action)) ?? bare[0];
}

/** A form with nothing to type. */
function isBare({ fields, method }: PageForm): boolean {
  return method === 'POST' && fields.every(({ type }) => ['hidden', 'submit'].includes(type));
}
