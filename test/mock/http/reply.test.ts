import { describe, expect, it } from 'vitest';
import { answerTo, Reply, wholeResponse } from '../../../src/mock/index.ts';

const headers = { 'content-type': 'text/plain', 'x-a': 'b' };
const reply = (text: string | null = 'Grüße', status = 200) => Reply.of({ status, headers, text });
const plainOf = (response: Response) => (response instanceof Reply ? response.plain : undefined);

describe('a reply', () => {
  it('is written as it is, until somebody looks at it as a response', () => {
    const response = reply();
    expect([response.status, response.ok, response.statusText, response.bodyUsed]).toEqual([
      200,
      true,
      '',
      false,
    ]);
    expect(plainOf(response)).toEqual({ status: 200, headers, text: 'Grüße' });
    response.headers.set('x-a', 'c');
    expect(plainOf(response)).toBeUndefined();
    expect(wholeResponse(response).headers.get('x-a')).toBe('c');
  });

  it('is read as any response is, once', async () => {
    const response = reply('{"a":1}', 404);
    expect(response).toBeInstanceOf(Response);
    expect(await response.clone().json()).toEqual({ a: 1 });
    expect(await response.text()).toBe('{"a":1}');
    expect([response.ok, response.bodyUsed]).toEqual([false, true]);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(new Uint8Array(await reply().arrayBuffer())).toHaveLength(7);
    expect((await reply().blob()).size).toBe(7);
    expect(reply(null, 204).body).toBeNull();
  });

  it('can be the pattern of another response', async () => {
    const response = reply();
    const changed = new Response(response.body, response);
    expect([changed.status, changed.headers.get('x-a')]).toEqual([200, 'b']);
    expect(await changed.text()).toBe('Grüße');
  });

  it('is a response from the start where that mends, adds or refuses something', () => {
    const odd = Reply.of({ status: 200, headers: { 'x-a': ' b ' }, text: '' });
    expect([plainOf(odd), odd.headers.get('x-a')]).toEqual([undefined, 'b']);
    expect(odd.headers.get('content-type')).toMatch(/^text\/plain/);
    for (const plain of [
      { status: 200, headers: { 'x-a': 'a\r\nb' }, text: null },
      { status: 200, headers: { 'x-a': '\u2028' }, text: null },
      { status: 204, headers, text: 'a' },
      { status: 999, headers, text: null },
    ]) {
      expect(() => Reply.of(plain)).toThrow();
    }
  });

  it('is none for a caller that is not our server', () => {
    const response = answerTo(new Request('https://mock.test'), reply());
    expect(response).not.toBeInstanceOf(Reply);
    expect(response.headers.get('x-a')).toBe('b');
  });
});
