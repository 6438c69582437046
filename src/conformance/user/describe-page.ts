import { plainText } from '../engine/plain-text.ts';
import type { FormField, PageForm } from '../pages/forms.ts';
import { readContent } from '../pages/page-content.ts';
import type { Page } from '../pages/visitor.ts';
import { buttonsOf, isButton } from './form-fields.ts';

const MOST_FORMS = 3;
const MOST_FIELDS = 8;
/** A part of a path this long may be a secret of a link. */
const SECRET_PART = /[^/]{16,}/g;

/** `200 at https://host/login “Sign in”, with the form POST /login (email, password; button “Next”)`. */
export function describePage(page: Page): string {
  const { answer, forms, url } = page;
  const { origin } = new URL(url);
  const title = plainText(readContent(answer, url).title, 60);
  const named = title === '' ? '' : ` “${title}”`;
  const shown = forms.slice(0, MOST_FORMS).map((form) => describeForm(form, origin));
  const more = forms.length > MOST_FORMS ? ` and ${forms.length - MOST_FORMS} more` : '';
  const seen =
    forms.length === 0
      ? 'without a form'
      : `with the form${forms.length === 1 ? '' : 's'} ${shown.join(', ')}${more}`;
  return `${answer.status} at ${origin}${pathOf(url)}${named}, ${seen}`;
}

function describeForm(form: PageForm, origin: string): string {
  const { action, fields, method } = form;
  const target = new URL(action);
  const at = `${target.origin === origin ? '' : target.origin}${pathOf(action)}`;
  const inputs = fields.filter((field) => !isButton(field) && field.type !== 'hidden');
  const buttons = buttonsOf(form);
  const parts = [
    inputs.slice(0, MOST_FIELDS).map(describeField).join(', ') || 'nothing to fill in',
    buttons.map(({ label, value }) => `“${plainText(label || value, 30)}”`).join(' ') ||
      'no button',
  ];
  return `${method} ${at} (${parts.join('; ')})`;
}

function describeField({ name, type }: FormField): string {
  const shown = plainText(name, 30);
  return shown === type ? shown : `${shown}: ${plainText(type, 20)}`;
}

function pathOf(url: string): string {
  return plainText(new URL(url).pathname.replace(SECRET_PART, '…'), 100);
}
