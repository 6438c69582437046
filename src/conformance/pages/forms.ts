import { type HTMLElement, parse } from 'node-html-parser';
import type { Answer } from '../http/answer.ts';

export interface FormField {
  readonly name: string;
  /** `text`, `email`, `hidden`, `submit`, …, in lower case; `button` for a `<button>`. */
  readonly type: string;
  readonly value: string;
  /** Its label, placeholder or, for a button, its text. */
  readonly label: string;
  /** False for an unchecked radio button or checkbox, unless that is required. */
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

/**
 * The forms of a page, in order; none when it is not HTML. A button that submits its form elsewhere
 * (`formaction`, `formmethod`) makes a form of its own, with the same fields and no other button.
 */
export function readForms(answer: Answer, url: string): readonly PageForm[] {
  if (!/^(text\/html|application\/xhtml\+xml)$/.test(answer.mediaType)) return [];
  // In one walk: selectors would take most of the time of reading a page.
  const elements = parse(answer.text).getElementsByTagName('*');
  const withTag = (...tags: readonly string[]) =>
    elements.filter(({ tagName }) => tags.includes(tagName));
  const base =
    withTag('BASE')
      .find((each) => each.hasAttribute('href'))
      ?.getAttribute('href') ?? '';
  const place = URL.canParse(base, url) ? new URL(base, url).href : url;
  const labels = withTag('LABEL');
  const controls = withTag('INPUT', 'BUTTON', 'TEXTAREA', 'SELECT').filter(
    (element) => !isDisabled(element),
  );
  return withTag('FORM').flatMap((form) => {
    const owned = controls.filter((element) => isOwned(element, form));
    const leads = (element: HTMLElement): Lead => ({
      action: element.getAttribute('formaction'),
      method: element.getAttribute('formmethod'),
    });
    const elsewhere = owned.filter((element) => isElsewhere(leads(element)));
    const isUsual = elsewhere.length === 0 || owned.some((one) => isUsualButton(one, elsewhere));
    const usual = owned.filter((element) => !elsewhere.includes(element));
    const inputs = owned.filter((element) => !isButton(element));
    return [
      ...(isUsual ? [{ lead: {}, elements: usual }] : []),
      ...elsewhere.map((button) => ({ lead: leads(button), elements: [...inputs, button] })),
    ].flatMap(({ elements, lead }) => toForm(form, elements, lead, { labels, place, url }));
  });
}

/** Where a button leads instead of its form. */
interface Lead {
  readonly action?: string | undefined;
  readonly method?: string | undefined;
}

function isElsewhere({ action, method }: Lead): boolean {
  return action !== undefined || method !== undefined;
}

function isButton(element: HTMLElement): boolean {
  const type = element.getAttribute('type')?.toLowerCase() ?? '';
  return element.tagName === 'BUTTON' || BUTTONS.has(type);
}

function isUsualButton(element: HTMLElement, elsewhere: readonly HTMLElement[]): boolean {
  return isButton(element) && !elsewhere.includes(element);
}

/** Whether an element belongs to a form: by the attribute `form`, else by where it stands. */
function isOwned(element: HTMLElement, form: HTMLElement): boolean {
  const named = element.getAttribute('form');
  return named === undefined
    ? ancestor(element, 'FORM') === form
    : named === form.getAttribute('id');
}

/** A disabled field is not sent. A button that waits for a script is pressed: no script runs here. */
function isDisabled(element: HTMLElement): boolean {
  if (isButton(element)) return false;
  return (
    element.getAttribute('disabled') !== undefined ||
    ancestor(element, 'FIELDSET', (each) => each.hasAttribute('disabled')) !== undefined
  );
}

/** The nearest element with a tag that an element lies in. */
function ancestor(
  element: HTMLElement,
  tag: string,
  fits: (each: HTMLElement) => boolean = () => true,
): HTMLElement | undefined {
  for (let at = element.parentNode; at !== null && at !== undefined; at = at.parentNode) {
    if (at.tagName === tag && fits(at)) return at;
  }
  return undefined;
}

function toForm(
  form: HTMLElement,
  elements: readonly HTMLElement[],
  lead: Lead,
  {
    labels,
    place,
    url,
  }: { readonly labels: readonly HTMLElement[]; readonly place: string; readonly url: string },
): readonly PageForm[] {
  const action = lead.action ?? form.getAttribute('action') ?? '';
  const from = action === '' ? url : place;
  if (!URL.canParse(action, from)) return [];
  const method = lead.method ?? form.getAttribute('method');
  const fields = elements
    .map((element) => readField(element, labels))
    .filter(({ name, type }) => name !== '' || type === 'submit');
  const sent = fields.filter(
    ({ name, type, isChosen }) => name !== '' && !BUTTONS.has(type) && isChosen,
  );
  return [
    {
      method: method?.toUpperCase() === 'POST' ? 'POST' : 'GET',
      action: new URL(action, from).href,
      fields,
      values: Object.fromEntries(sent.map(({ name, value }) => [name, value])),
    },
  ];
}

const BUTTONS = new Set(['submit', 'button', 'image', 'reset']);

function readField(element: HTMLElement, labels: readonly HTMLElement[]): FormField {
  const isButton = element.tagName === 'BUTTON';
  const value = initialValue(element);
  const type = (element.getAttribute('type') ?? (isButton ? 'submit' : 'text')).toLowerCase();
  return {
    name: element.getAttribute('name') ?? '',
    type,
    value,
    label: (isButton
      ? element.text
      : (labelOf(element, labels) ??
        element.getAttribute('aria-label') ??
        element.getAttribute('placeholder') ??
        value)
    ).trim(),
    isChosen:
      (type !== 'checkbox' && type !== 'radio') ||
      element.getAttribute('checked') !== undefined ||
      // Nobody gets on without it.
      (type === 'checkbox' && element.getAttribute('required') !== undefined),
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
function labelOf(element: HTMLElement, labels: readonly HTMLElement[]): string | undefined {
  const id = element.getAttribute('id');
  const label = labels.find((each) => each.getAttribute('for') === id);
  return (id === undefined ? undefined : label?.text) ?? ancestor(element, 'LABEL')?.text;
}

interface HasForms {
  readonly forms: readonly PageForm[];
}

const SIGN_OUT = /(log|sign).?(out|off)/i;

/** The form to sign out with: one that says so or, where none does, one with nothing to type. */
export function signOutForm(page: HasForms): PageForm | undefined {
  return saidSignOut(page) ?? page.forms.find(isBare);
}

/** The form that says, by its URL or its button, that it signs out. */
export function saidSignOut({ forms }: HasForms): PageForm | undefined {
  const says = ({ action, fields }: PageForm) =>
    SIGN_OUT.test(action) || fields.some(({ label, value }) => SIGN_OUT.test(`${label} ${value}`));
  return forms.filter(isBare).find(says);
}

/** A form with nothing to type. */
function isBare({ fields, method }: PageForm): boolean {
  return method === 'POST' && fields.every(({ type }) => ['hidden', 'submit'].includes(type));
}
