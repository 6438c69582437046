import type { Answer } from '../http/answer.ts';
import { readContent } from './page-content.ts';

/** Only text is read: no link is resolved. */
const NO_URL = 'about:blank';

/**
 * What a page says, without what differs from try to try: numbers, in digits and in words, what they count, and the
 * time that is left, which says "9 minutes 59 seconds" once and "9 minutes" once.
 */
export function pageShape(answer: Answer, asksAgain: boolean): string {
  const words = readContent(answer, NO_URL)
    .text.toLowerCase()
    .replace(/[\p{L}]*\d[\p{L}\d-]*/gu, '#')
    .replace(/\b(no|one|two|three|four|five|six|seven|eight|nine|ten)\b/g, '#')
    .replace(/# (hour|min|minute|sec|second)s?\b/g, '#')
    .replace(/#(?:,? (?:and )?#)+/g, '#')
    .replace(/\b(attempt|tr(?:y|ie)|time|chance|code)s?\b/g, '*')
    .replace(/\b(is|are)\b/g, '~');
  return `${answer.status} ${asksAgain} ${words}`;
}
