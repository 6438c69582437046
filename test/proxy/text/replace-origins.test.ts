import { describe, expect, it } from 'vitest';
import { replaceOrigins } from '../../../src/proxy/text/replace-origins.ts';

const map = (origin: string) =>
  origin === 'https://api.example' ? 'http://127.0.0.1:1' : undefined;
const replaced = (text: string) => replaceOrigins(text, map);

describe('origins in a text', () => {
  it.each([
    ['https://api.example', 'http://127.0.0.1:1'],
    ['https://api.example/a?b=c#d', 'http://127.0.0.1:1/a?b=c#d'],
    ['HTTPS://API.example:443/a', 'http://127.0.0.1:1/a'],
    ['Open https://api.example. Then', 'Open http://127.0.0.1:1. Then'],
    ['(https://api.example)', '(http://127.0.0.1:1)'],
    ['https://api.example,https://api.example/b', 'http://127.0.0.1:1,http://127.0.0.1:1/b'],
    ['<https://api.example/b>; rel="next"', '<http://127.0.0.1:1/b>; rel="next"'],
    [
      'Bearer resource_metadata="https://api.example/x"',
      'Bearer resource_metadata="http://127.0.0.1:1/x"',
    ],
  ])('are replaced in %s', (text, wanted) => {
    expect(replaced(text)).toBe(wanted);
  });

  it.each([
    'https://api.example.com/',
    'https://api.example.evil',
    'https://api.example:8443/',
    'https://api.example@evil.example/',
    'https://api.example$x@evil.example/',
    'http://api.example/',
    'https://sub.api.example/',
    'xhttps://api.example/',
    'api.example',
    'https://',
    'https://[',
  ])('stay in %s', (text) => {
    expect(replaced(text)).toBe(text);
  });

  it.each([
    'https://'.repeat(100_000),
    `https://a${'.'.repeat(500_000)}b`,
    'https://a@'.repeat(100_000),
  ])('are looked for once in a hostile text', (text) => {
    expect(replaced(text)).toBe(text);
  });
});
