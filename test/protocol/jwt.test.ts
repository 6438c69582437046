import { describe, expect, it } from 'vitest';
import { decodeJwt } from '../../src/protocol/index.ts';

const part = (text: string) => Buffer.from(text).toString('base64url');
const jwt = (header: string, payload: string) => `${part(header)}.${part(payload)}.c2ln`;

describe('decoding a JWT', () => {
  it('gives each its own claims, also where headers are the same', () => {
    const header = '{"alg":"ES256","kid":"a"}';
    for (const sub of ['x', 'y', 'x']) {
      expect(decodeJwt(jwt(header, `{"sub":"${sub}"}`))).toEqual({
        header: { alg: 'ES256', kid: 'a' },
        payload: { sub },
      });
    }
    expect(decodeJwt(jwt('{"alg":"ES256","kid":"b"}', '{}'))?.header).toMatchObject({ kid: 'b' });
  });

  it('lets nobody change what is deeper in a header either', () => {
    const header = '{"alg":"ES256","jwk":{"kty":"EC"},"x5c":["a"]}';
    const { jwk, x5c } = decodeJwt(jwt(header, '{}'))?.header ?? {};
    for (const inner of [jwk, x5c]) {
      try {
        Object.assign(inner ?? {}, { 0: 'b', kty: 'RSA' });
      } catch {}
    }
    expect(decodeJwt(jwt(header, '{}'))?.header).toEqual(JSON.parse(header));
  });

  it.each([
    ['a member twice', '{"alg":"ES256","alg":"none"}', '{}'],
    ['no object', '[]', '{}'],
    ['no JSON', '{"alg"', '{}'],
    ['claims that are none', '{"alg":"ES256"}', '[]'],
  ])('refuses %s each time', (_name, header, payload) => {
    for (let time = 0; time < 2; time += 1) {
      expect(decodeJwt(jwt(header, payload))).toBeUndefined();
      expect(decodeJwt(jwt('{"alg":"ES256"}', '{}'))).toBeDefined();
    }
  });
});
