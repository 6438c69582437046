import { describe, expect, it } from 'vitest';
import { readTranscript, TranscriptError } from '../../../src/traffic/replay/read-transcript.ts';
import { replayOf, SERVICE } from './replay-of.ts';

const EXCHANGE = {
  to: 'service',
  request: { method: 'GET', url: '{service}/x', headers: {}, body: null },
  response: { status: 200, headers: { 'content-type': 'application/json' }, body: { a: 1 } },
};

const file = (exchange: unknown) => JSON.stringify({ transcript: 1, exchanges: [exchange] });
const withRequest = (request: object) =>
  file({ ...EXCHANGE, request: { ...EXCHANGE.request, ...request } });
const withResponse = (response: object) =>
  file({ ...EXCHANGE, response: { ...EXCHANGE.response, ...response } });

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const WRONG: readonly (readonly [what: string, text: string, path: string])[] = [
  ['no JSON', 'x', '$'],
  ['a list', '[]', '$'],
  ['another document', '{"version":1}', '$.transcript'],
  ['an unknown version', '{"transcript":2,"exchanges":[]}', '$.transcript'],
  ['no list', '{"transcript":1,"exchanges":{}}', '$.exchanges'],
  ['an exchange that is none', '{"transcript":1,"exchanges":[7]}', '$.exchanges[0]'],
  ['another receiver', file({ ...EXCHANGE, to: 'x' }), '$.exchanges[0].to'],
  ['a missing request', file({ to: 'service' }), '$.exchanges[0].request'],
  ['a method that is none', withRequest({ method: 'G T' }), '$.exchanges[0].request.method'],
  [
    'a URL of somebody else',
    withRequest({ url: 'https://a.example/' }),
    '$.exchanges[0].request.url',
  ],
  ['a longer host', withRequest({ url: '{service}.a.example/' }), '$.exchanges[0].request.url'],
  [
    'a name as user information',
    withRequest({ url: '{service}@a.example' }),
    '$.exchanges[0].request.url',
  ],
  ['a status that is none', withResponse({ status: 99 }), '$.exchanges[0].response.status'],
  ['a status in words', withResponse({ status: '200' }), '$.exchanges[0].response.status'],
  [
    'a header of two lines',
    withResponse({ headers: { a: 'b\r\nc: d' } }),
    '$.exchanges[0].response.headers.a',
  ],
  [
    'a header that is none',
    withResponse({ headers: { 'a b': 'c' } }),
    '$.exchanges[0].response.headers.a b',
  ],
  [
    'a header with a list',
    withResponse({ headers: { a: [] } }),
    '$.exchanges[0].response.headers.a',
  ],
  ['a state that is none', withResponse({ body_state: 'x' }), '$.exchanges[0].response.body_state'],
  [
    'a time that is none',
    withResponse({ times: { '/a': { after: 'x', as: 'text' } } }),
    '$.exchanges[0].response.times./a.after',
  ],
];

describe('a file that is no transcript', () => {
  it.each(WRONG)('is refused with its place: %s', (_what, text, path) => {
    expect(() => readTranscript(text)).toThrow(
      expect.objectContaining({ name: 'TranscriptError', path }),
    );
  });

  it.each([
    ['junk', 'It is no JSON'],
    ['[]', 'It is no transcript'],
  ])('is called what it is, where all of it is wrong: %s', (text, message) => {
    expect(() => readTranscript(text)).toThrow(message);
  });

  it('is refused where it is too deep, whatever the depth', () => {
    for (const levels of [100, 5_000]) {
      const text = file(EXCHANGE).replace('{"a":1}', deep(levels));
      expect(() => readTranscript(text)).toThrow(TranscriptError);
    }
  });

  it('is refused where it is too long', () => {
    expect(() => readTranscript(`"${'x'.repeat(17 * 1024 * 1024)}"`)).toThrow('16 MB');
    const many = Array.from({ length: 20_001 }, () => EXCHANGE);
    expect(() => readTranscript(JSON.stringify({ transcript: 1, exchanges: many }))).toThrow(
      '20000',
    );
  });

  it('changes no prototype, and is answered with its own members', async () => {
    const text = file(EXCHANGE).replace('{"a":1}', '{"__proto__":{"polluted":1},"constructor":2}');
    const { fetch } = await replayOf(text);
    const response = await fetch(`${SERVICE}/x`);
    expect(await response.text()).toBe('{"__proto__":{"polluted":1},"constructor":2}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('leads to an end in good time where names stand side by side', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `{a_${index}}`).join('');
    const { fetch } = await replayOf(
      withRequest({ method: 'POST', headers: { 'content-type': 'text/plain' }, body: names }),
    );
    const response = await fetch(`${SERVICE}/x`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'a'.repeat(100_000),
    });
    expect(response.status).toBe(501);
  });

  it('shows markup of its titles as text', async () => {
    const headers = { 'content-type': 'text/html' };
    const { fetch } = await replayOf(
      withResponse({ headers, body: { title: '<script>alert(1)</script>' } }),
    );
    const page = await (await fetch(`${SERVICE}/x`)).text();
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script>');
  });
});
