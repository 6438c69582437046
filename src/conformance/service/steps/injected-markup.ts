import type { Invented } from '../../engine/invented.ts';
import type { Answer } from '../../http/answer.ts';
import { readContent } from '../../pages/page-content.ts';
import type { Page } from '../../pages/visitor.ts';

/** Markup that is sent as text, with an element and an attribute that no page of a service has. */
export class Markup {
  /** They break out of a text, of an attribute in either kind of quotes, of a script. */
  readonly texts: readonly string[];
  /** Markup without a space and without angle brackets: allowed in the local part of every email. */
  readonly local: string;
  readonly #element: string;
  readonly #attribute: string;

  constructor(invented: Invented) {
    const element = invented.header();
    const attribute = `on${invented.word()}`;
    this.#element = element;
    this.#attribute = attribute;
    this.local = `'/${attribute}='1`;
    this.texts = [
      `<${element}></${element}>`,
      `"><${element}></${element}>`,
      `'><${element}></${element}>`,
      `" ${attribute}="1`,
      `' ${attribute}='1`,
      `</script><${element}></${element}>`,
    ];
  }

  /** Whether some of it has become part of a page. */
  isPartOf(answer: Answer, url: string): boolean {
    const content = readContent(answer, url);
    return content.has(this.#element) || content.has(this.#attribute);
  }
}

/** The text that a page shows. */
export function textOf({ answer, url }: Page): string {
  return readContent(answer, url).text;
}

/** Whether two texts differ, apart from times and other numbers, which differ from page to page. */
export function differ(one: string, another: string): boolean {
  return one.replace(/\d+/g, '') !== another.replace(/\d+/g, '');
}
