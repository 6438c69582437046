import { expect, it } from 'vitest';
import { pathOf } from '../../../src/mock/http/request.ts';

it.each([
  'https://mock.test',
  'https://mock.test/a/b?c=/d?e#f',
  'http://127.0.0.1:80/a%2Fb;c=d/@x:y',
  'http://[::1]:8080/#/a?b',
  'http://mock.test/a//b/../c/./d?',
  'http://mock.test?x=/y',
])('the path of %s is what the URL parser says', (text) => {
  const { href, pathname } = new URL(text);
  expect(pathOf(href)).toBe(pathname);
});
