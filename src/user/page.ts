import { type HTMLElement, parse } from 'node-html-parser';

/** A form as a browser sees it: where it goes, what it already holds. */
export interface PageForm {
  readonly action: string;
  readonly method: 'GET' | 'POST';
  /** Names and preset values of the controls that are sent without being touched. */
  readonly fields: Readonly<Record<string, string>>;
  /** Names of every control, empty ones included. */
  readonly controls: readonly string[];
}

export interface Page {
  readonly url: string;
  readonly status: number;
  /** The first heading: what the page says it is. */
  readonly heading: string;
  /** What a reader sees, white space folded. */
  readonly text: string;
  readonly forms: readonly PageForm[];
}

export function readPage(url: string, status: number, html: string): Page {
  const root = parse(html);
  return {
    url,
    status,
    heading: textOf(root.querySelector('h1') ?? root.querySelector('title')),
    text: textOf(root.querySelector('body')),
    forms: root.querySelectorAll('form').map((form) => readForm(form, url)),
  };
}

function readForm(form: HTMLElement, url: string): PageForm {
  const inputs = form.querySelectorAll('input, select, textarea');
  const presets = inputs.filter((input) => {
    const type = (input.getAttribute('type') ?? 'text').toLowerCase();
    if (type === 'submit' || type === 'button') return false;
    return (type !== 'checkbox' && type !== 'radio') || input.hasAttribute('checked');
  });
  const nameOf = (control: HTMLElement) => control.getAttribute('name') ?? '';
  return {
    action: new URL(form.getAttribute('action') ?? '', url).href,
    method: form.getAttribute('method')?.toLowerCase() === 'post' ? 'POST' : 'GET',
    fields: Object.fromEntries(
      presets
        .filter((input) => nameOf(input) !== '')
        .map((input) => [nameOf(input), input.getAttribute('value') ?? '']),
    ),
    controls: [...inputs, ...form.querySelectorAll('button')].map(nameOf).filter(Boolean),
  };
}

function textOf(element: HTMLElement | null): string {
  return element?.text.replace(/\s+/g, ' ').trim() ?? '';
}
