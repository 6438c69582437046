import { readContent } from '../../pages/page-content.ts';
import type { Page } from '../../pages/visitor.ts';

/** The text that a page shows. */
export function textOf({ answer, url }: Page): string {
  return readContent(answer, url).text;
}

/** Whether two texts differ, apart from times and other numbers, which differ from page to page. */
export function differ(one: string, another: string): boolean {
  return one.replace(/\d+/g, '') !== another.replace(/\d+/g, '');
}
