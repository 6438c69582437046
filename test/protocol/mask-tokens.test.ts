import { describe, expect, it } from 'vitest';
import { maskPath, maskTokens } from '../../src/protocol/index.ts';

describe('a token in a path', () => {
  it.each([
    ['of a claim attempt', '/c/cat_X5hLimyzYSwu2q-MeUTjESuy01o', '/c/***'],
    ['of a claim', '/claim/clm_X5hLimyzYSwu2q-MeUTjESuy01o/start', '/claim/***/start'],
    ['that gives access', '/x/at_abcdefgh', '/x/***'],
    ['that is a JWT', '/x/eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ4In0.c2ln', '/x/***'],
    ['written with escapes', '/c/%63at_X5hLimyzYSwu2q', '/c/***'],
    ['behind other words', '/c/link:cat_X5hLimyzYSwu2q', '/c/link:***'],
    ['of another service', '/activate/9f8e7d6c5b4a39281706f5e4', '/activate/***'],
  ])('%s is masked', (_what, path, shown) => {
    expect(maskPath(path)).toBe(shown);
  });

  it.each([
    '/agent/identity/claim',
    '/.well-known/oauth-protected-resource/v2/buildings',
    '/v2/buildings/list.json',
    '/oauth2/token',
    '/__mock/registrations/reg_X5hLimyzYSwu2q-MeUTjESuy01o/complete',
    '/combat_training/at_1',
    '/%',
  ])('is not seen in %s', (path) => {
    expect(maskPath(path)).toBe(path);
  });

  it.each([
    ['/%1b]0;evil%07%0aat_abcdefgh', '/***'],
    ['/%1b]0;evil%07/at_abcdefgh', '/%1b]0;evil%07/***'],
    ['/x%20y:at_abcdefgh', '/x%20y:***'],
    ['/at_abcdefgh:%63at_X5hLimyzYSwu2q', '/***'],
  ])('is masked, and no escape of the path is decoded: %s', (path, shown) => {
    expect(maskPath(path)).toBe(shown);
  });

  it('is masked within a sentence too', () => {
    expect(
      maskTokens('Open https://a.example/c/cat_X5hLimyzYSwu2q, then call with at_12345678.'),
    ).toBe('Open https://a.example/c/***, then call with ***.');
  });

  it.each([
    ['padded', 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkoifQ==.eyJzdWIiOiJhIn0=.c2lnbmF0dXJl=='],
    ['in plain base64', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ+P34vIn0.c2ln/bmF0+dXJl'],
    ['in a form', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln%2FbmF0%2BdXJl%3D%3D'],
    ['with a broken line', 'eyJhbGciOiJFUzI1NiJ9.\\neyJzdWIiOiJhIn0.c2lnbmF0dXJl'],
  ])('is masked whole where it is a JWT, %s', (_how, jwt) => {
    expect(maskTokens(`{"a":"${jwt}"}`)).toBe('{"a":"***"}');
  });
});
