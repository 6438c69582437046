import type { FormField, PageForm } from '../pages/forms.ts';
import type { ClaimTask } from './user.ts';
import { CODE_WORDS, DENY_WORDS, LEAVE_WORDS } from './words.ts';

export function asksForCode(form: PageForm): boolean {
  return form.fields.some(isCodeField);
}

export function isCodeField({ type, name, label }: FormField): boolean {
  return isTyped(type) && CODE_WORDS.test(`${name} ${label}`);
}

export function isTyped(type: string): boolean {
  return ['text', 'email', 'tel', 'number', 'search'].includes(type);
}

export function isDeny({ type, name, value, label }: FormField): boolean {
  return (
    ['submit', 'button', 'radio', 'hidden'].includes(type) &&
    DENY_WORDS.test(type === 'hidden' ? value : `${name} ${value} ${label}`)
  );
}

export function isLeaving({ label, value }: FormField): boolean {
  return LEAVE_WORDS.test(`${label} ${value}`);
}

export function isButton({ type }: FormField): boolean {
  return type === 'submit' || type === 'button';
}

export function buttonsOf({ fields }: PageForm): readonly FormField[] {
  return fields.filter(isButton);
}

/** The name and value of the button of a decision. */
export function pressed(
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
