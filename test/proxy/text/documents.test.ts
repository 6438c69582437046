import { describe, expect, it } from 'vitest';
import { mapFields } from '../../../src/proxy/pass-request.ts';
import { mapHtmlUrls } from '../../../src/proxy/text/map-html-urls.ts';
import { mapJsonStrings } from '../../../src/proxy/text/map-json-strings.ts';

const upper = (text: string) => (text.startsWith('a') ? text.toUpperCase() : text);

describe('a JSON text', () => {
  it('keeps what is not replaced as it was written', () => {
    const text =
      '{ "a" : "abc", "n": 1.0e5, "n": 12345678901234567890,\n "l":["\\u0062", "a\\/b", "x"] }';
    expect(mapJsonStrings(text, upper)).toBe(
      '{ "a" : "ABC", "n": 1.0e5, "n": 12345678901234567890,\n "l":["\\u0062", "A/B", "x"] }',
    );
  });

  it.each(['', '{', '{"a":"abc', '"\\', '"\\u00"', '\\"'.repeat(200_000), '"'.repeat(200_001)])(
    'that is none stays',
    (text) => {
      expect(mapJsonStrings(text, upper)).toBe(text);
    },
  );
});

describe('a form', () => {
  it('keeps what is not replaced as it was written', () => {
    expect(mapFields('b=1+2&a=abc%20d&&c&d=%zz&e=%7e', upper)).toBe(
      'b=1+2&a=ABC%20D&&c&d=%zz&e=%7e',
    );
  });
});

describe('a page', () => {
  const map = (origin: string) => (origin === 'https://a.example' ? 'http://x:1' : undefined);
  const mapped = (html: string) => mapHtmlUrls(html, map);

  it.each([
    ['<a href="https://a.example/b">', '<a href="http://x:1/b">'],
    ["<form action='https:&#x2F;&#x2F;a.example/b'>", "<form action='http://x:1/b'>"],
    ['<a title="a>b" href=https://a.example/b>c', '<a title="a>b" href=http://x:1/b>c'],
    ['<meta content="0; url=https://a.example/">', '<meta content="0; url=http://x:1/">'],
    ['<title>x</title><img src="https://a.example/">', '<title>x</title><img src="http://x:1/">'],
  ])('is rewritten in %s', (html, wanted) => {
    expect(mapped(html)).toBe(wanted);
  });

  it.each([
    '<p>https://a.example/</p>',
    '<script>fetch("https://a.example/" + "<a href=\'https://a.example/\'>")</script>',
    '<style>a { background: url(https://a.example/) }</style>',
    '<!-- <a href="https://a.example/"> -->',
    '<textarea><a href="https://a.example/"></textarea>',
    '<script>',
    '<',
    '<'.repeat(300_000),
    '<a'.repeat(300_000),
    `<a ${'"'.repeat(300_000)}`,
    '<!--'.repeat(100_000),
    '<title>'.repeat(100_000),
  ])('stays as it is', (html) => {
    expect(mapped(html)).toBe(html);
  });
});
