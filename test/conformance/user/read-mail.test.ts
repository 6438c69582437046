import { describe, expect, it } from 'vitest';
import { codeIn, linkIn } from '../../../src/conformance/user/read-mail.ts';

const HEAD =
  'Date: Mon, 23 Nov 2026 00:01:02 +0000\nMessage-ID: <8837462@mail>\nSubject: Hello\n\n';

describe('the code of a mail', () => {
  it.each([
    ['nothing but it', '483920\n', '483920'],
    ['a word of letters alone', 'KXPQ-RTWZ', 'KXPQ-RTWZ'],
    ['a sentence', 'Your sign-in code is 483 920. It is valid for 10 minutes.', '483 920'],
    ['before its name', '483920 is your Acme sign-in code. Reference 98765.', '483920'],
    ['beside a year', 'On 2026-11-23 at 10:15 you asked for a code: K7PQ2M', 'K7PQ2M'],
    ['letters that are called one', 'Your code: KXPQRT', 'KXPQRT'],
    ['below a head', `${HEAD}Your code is 483920.`, '483920'],
    ['in the subject', 'Date: Mon\nSubject: 483920 is your code\n\nWelcome.', '483920'],
    ['beside a link', 'https://a.test/login/99999999 or type the code 483920', '483920'],
  ])('is found as %s', (_how, mail, code) => {
    expect(codeIn(mail)).toBe(code);
  });

  it.each([['', 'Welcome to ACME, PLEASE read this.']])('is none in %j', (mail) => {
    expect(codeIn(mail)).toBeUndefined();
  });
});

describe('the link of a mail', () => {
  const page = 'http://service.test/login';

  it('is the one that leads to the service', () => {
    const mail = 'See https://help.test/a. Sign in: http://service.test/in?a=1&amp;b=2.';
    expect(linkIn(mail, page)).toBe('http://service.test/in?a=1&b=2');
  });

  it('may lead to another host where there is no other', () => {
    expect(linkIn('<https://id.test/x>', page)).toBe('https://id.test/x');
    expect(linkIn('no link', page)).toBeUndefined();
  });
});
