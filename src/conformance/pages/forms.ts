import { type HTMLElement, parse } from 'node-html-parser';
import type { Answer } from '../http/answer.ts';

export interface FormField {
  readonly name: string;
  /** `text`, `email`, `hidden`, `submit`, …, in lower case; `button` for a `<button>`. */
  readonly type: string;
  readonly value: string;
  /** Its label, placeholder or, for a button, its text. */
  readonly label: string;
  /** False for an unchecked checkbox or radio button. */
  readonly isChosen: boolean;
}

/** A form of a page. */
export interface PageForm {
  readonly method: 'GET' | 'POST';
  /** Absolute. */
  readonly action: string;
  readonly fields: readonly FormField[];
  /** What is sent without any input and without a button. */
  readonly values: Readonly<Record<string, string>>;
}

/** The forms of a page, in order; none when it is not HTML. */
export function readForms(answer: Answer, url: string): readonly PageForm[] {
  if (!/^(text\/html|application\/xhtml\+xml)$/.test(answer.mediaType)) return [];
  const root = parse(answer.text);
  return root.querySelectorAll('form').flatMap((form) => {
    const action = form.getAttribute('action') ?? '';
    if (!URL.canParse(action, url)) return [];
    const fields = form
      .querySelectorAll('input, button, textarea, select')
      .map((element) => readField(element, root))
      .filter(({ name, type }) => name !== '' || type === 'submit');
    return [
      {
        method: form.getAttribute('method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
        action: new URL(action, url).href,
        fields,
        values: Object.fromEntries(
          fields
            .filter(({ name, type, isChosen }) => name !== '' && !BUTTONS.has(type) && isChosen)
            .map(({ name, value }) => [name, value]),
        ),
      } satisfies PageForm,
    ];
  });
}

const BUTTONS = new Set(['submit', 'button', 'image', 'reset']);

function readField(element: HTMLElement, root: HTMLElement): FormField {
  const isButton = element.tagName === 'BUTTON';
  const value = initialValue(element);
  const type = (element.getAttribute('type') ?? (isButton ? 'submit' : 'text')).toLowerCase();
  return {
    name: element.getAttribute('name') ?? '',
    type,
    value,
    label: (isButton
      ? element.text
      : (labelOf(element, root) ??
        element.getAttribute('aria-label') ??
        element.getAttribute('placeholder') ??
        value)
    ).trim(),
    isChosen:
      (type !== 'checkbox' && type !== 'radio') || element.getAttribute('checked') !== undefined,
  };
}

/** The initial value of a field. */
function initialValue(element: HTMLElement): string {
  if (element.tagName === 'TEXTAREA') return element.text;
  if (element.tagName !== 'SELECT') return element.getAttribute('value') ?? '';
  const option = element.querySelector('option[selected]') ?? element.querySelector('option');
  return option?.getAttribute('value') ?? option?.text ?? '';
}

/** A label names its field by `for`, or contains it. */
function labelOf(element: HTMLElement, root: HTMLElement): string | undefined {
  const id = element.getAttribute('id');
  const label = root.querySelectorAll('label').find((each) => each.getAttribute('for') === id);
  return (id === undefined ? undefined : label?.text) ?? element.closest('label')?.text;
}
