import { describe, expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';

type Headers = readonly (readonly [string, string])[];

function answer(body: string, status = 400, headers: Headers = []): Answer {
  return new Answer(status, headers, body, 1, 1);
}

describe('an answer', () => {
  it.each([
    [199, false, false],
    [200, true, false],
    [299, true, false],
    [300, false, false],
    [399, false, false],
    [400, false, true],
    [499, false, true],
    [500, false, false],
    [503, false, false],
  ])('with %i is ok: %s, refused: %s', (status, ok, refused) => {
    expect(answer('', status)).toMatchObject({ ok, refused });
  });

  it.each([
    ['{"error":"invalid_grant"}', false, true],
    ['{"error":"invalid_grant","access_token":"t"}', true, false],
    ['{"error":"invalid_grant","identity_assertion":"a"}', true, false],
    ['{"err":"invalid_key"}', false, true],
    ['{"error":{"code":"invalid_grant"}}', false, true],
    ['{"error":null}', true, false],
    ['{"data":[]}', true, false],
  ])('with 200 and %s is ok: %s, refused: %s', (body, ok, refused) => {
    expect(answer(body, 200)).toMatchObject({ ok, refused });
  });

  it('has all lines of a header, in their order', () => {
    const lines = answer('', 200, [
      ['vary', 'origin'],
      ['cache-control', 'No-Store ,'],
      ['vary', 'accept'],
      ['cache-control', 'Max-Age=0'],
    ]);
    expect(lines.header('vary')).toBe('origin, accept');
    expect(lines.headerLines('vary')).toEqual(['origin', 'accept']);
    expect(lines.header('etag')).toBeUndefined();
    expect(lines.cacheControl).toEqual(expect.arrayContaining(['no-store', 'max-age=0']));
  });

  it.each([
    ['Application/JSON; charset=utf-8', 'application/json'],
    [' text/html ', 'text/html'],
    ['', ''],
  ])('of the type %j is %j', (value, mediaType) => {
    expect(answer('', 200, [['content-type', value]]).mediaType).toBe(mediaType);
  });

  it('has the members that were sent, not those that every object has', () => {
    expect(answer('{"a":1}').member('a')).toBe(1);
    expect(answer('{"a":1}').member('toString')).toBeUndefined();
    expect(answer('{}').member('constructor')).toBeUndefined();
    expect(answer('["a"]').member('length')).toBeUndefined();
    expect(answer('{"a":1}').string('a')).toBeUndefined();
    expect(answer('{').member('a')).toBeUndefined();
  });

  it.each([
    ['{"error":"a","err":"b","code":"c"}', 'a'],
    ['{"error":{"code":"a"},"err":"b"}', 'a'],
    ['{"error":{"message":"a"},"err":"b"}', undefined],
    ['{"err":"b","code":"c"}', 'b'],
    ['{"code":"c"}', 'c'],
    ['{"error":7}', undefined],
    ['a page', undefined],
  ])('%s has the code %s', (body, code) => {
    expect(answer(body).errorCode).toBe(code);
  });

  it.each([
    ['{"error":"a"}', '400 a'],
    [
      '{"error":"a","error_description":" The  code\\nhas expired. "}',
      '400 a, “The code has expired.”',
    ],
    ['{"error":{"code":"a","message":"Gone."}}', '400 a, “Gone.”'],
    ['{"err":"a","description":"Not here."}', '400 a, “Not here.”'],
    ['{"error":"a","message":"a"}', '400 a'],
    ['{"error":"a","message":" "}', '400 a'],
    [`{"message":"${'x'.repeat(201)}"}`, `400, “${'x'.repeat(200)}…”`],
    ['a page', '400'],
  ])('%s is described as %s', (body, said) => {
    expect(answer(body).describe()).toBe(said);
  });
});
