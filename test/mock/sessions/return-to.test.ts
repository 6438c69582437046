import { describe, expect, it } from 'vitest';
import { safeReturnTo } from '../../../src/mock/sessions/return-to.ts';

const ORIGIN = 'http://127.0.0.1:4800';

describe('the page to go back to', () => {
  it.each([
    '/',
    '/claim',
    '/claim?claim_attempt_token=cat_abc-_1',
    '/device?user_code=AB%2DCD&x=%2F%2Fevil.example',
    '/a/b.c/d',
    '/connections?next=https://evil.example/',
    '/%E2%82%AC',
  ])('is %s when that is asked for', (value) => {
    expect(safeReturnTo(value, ORIGIN, '/home')).toBe(value);
  });

  it.each([
    undefined,
    '',
    'claim',
    'https://evil.example/',
    `${ORIGIN}/claim`,
    'http:evil.example',
    'https:/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '/path\\..\\evil',
    '/%2fevil.example',
    '/%2f%2fevil.example',
    '%2f%2fevil.example',
    '/%252fevil.example',
    '/%25252fevil.example',
    '/%5cevil.example',
    '/%255cevil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/%2e%2e//evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/%09//evil.example',
    '/%0d%0aLocation:%20//evil.example',
    '/\r\nSet-Cookie: a=b',
    '/claim?x=\r\ny',
    ' /claim',
    '/cla im',
    '/\u0000',
    '/%00',
    '/%zz',
    '/%ff',
    '/@evil.example\\',
    '/login',
    '/login?return_to=//evil.example',
    '/login/',
    '/%6cogin\\',
    '/logout',
    `/${'a'.repeat(5000)}`,
    `/${'%25'.repeat(10)}2f`.replace('%25%25', '%2525252525252525'),
  ])('is the default page for %j', (value) => {
    expect(safeReturnTo(value, ORIGIN, '/home')).toBe('/home');
  });

  it.each([
    ['five', '/%2525252541'],
    ['six', '/%252525252541'],
  ])('may be encoded five times and no more: here %s', (times, value) => {
    expect(safeReturnTo(value, ORIGIN, '/home')).toBe(times === 'five' ? value : '/home');
  });

  it('never leaves the origin, whatever is put together', () => {
    const parts = [
      '/',
      '\\',
      '//',
      '%2f',
      '%5c',
      '.',
      '..',
      '%2e',
      '@',
      ':',
      '\t',
      '%09',
      'evil.example',
      '?',
      '#',
      'http:',
    ];
    let tried = 0;
    for (const a of parts)
      for (const b of parts)
        for (const c of parts)
          for (const d of parts) {
            const result = safeReturnTo(`/${a}${b}${c}${d}`, ORIGIN, '/home');
            const there = new URL(result, ORIGIN);
            if (there.origin !== ORIGIN || /^\/[/\\]/.test(result)) {
              expect.fail(`${a}${b}${c}${d} leads to ${result}`);
            }
            tried += 1;
          }
    expect(tried).toBe(parts.length ** 4);
  });
});
