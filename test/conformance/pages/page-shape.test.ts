import { expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { pageShape } from '../../../src/conformance/pages/page-content.ts';

const HTML = [['content-type', 'text/html']] as const;

const page = (text: string, status = 400) =>
  pageShape(new Answer(status, HTML, `<main>${text}</main>`, 1, 1), true);

it.each([
  ['10 minutes left. 4 tries are left.', '9 minutes 59 seconds left. 3 tries are left.'],
  ['10 minutes left.', '9 minutes, and 1 second left.'],
  ['You have four more tries.', 'You have one more try.'],
  ['3 tries are left.', '1 try is left.'],
])('takes "%s" and "%s" for the same page', (first, second) => {
  expect(page(first)).toBe(page(second));
});

it.each([
  ['That code is wrong.', 'Too many wrong codes.'],
  ['1 minute left.', 'The time is over.'],
])('takes "%s" and "%s" for different pages', (first, second) => {
  expect(page(first)).not.toBe(page(second));
});

it('takes pages with another status, or without a code to type, for different ones', () => {
  const answer = new Answer(400, HTML, 'That code is wrong.', 1, 1);
  expect(page('That code is wrong.', 429)).not.toBe(page('That code is wrong.'));
  expect(pageShape(answer, false)).not.toBe(pageShape(answer, true));
});
