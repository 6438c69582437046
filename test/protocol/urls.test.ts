import { describe, expect, it } from 'vitest';
import {
  authorizationServerMetadataUrls,
  covers,
  isLoopbackHost,
  parsedUrl,
  protectedResourceMetadataUrl,
  urlProblem,
} from '../../src/protocol/index.ts';

describe('protectedResourceMetadataUrl', () => {
  it.each([
    ['https://a.test', 'https://a.test/.well-known/oauth-protected-resource'],
    ['https://a.test/', 'https://a.test/.well-known/oauth-protected-resource'],
    ['https://a.test/api/v1', 'https://a.test/.well-known/oauth-protected-resource/api/v1'],
    ['https://a.test/api/', 'https://a.test/.well-known/oauth-protected-resource/api/'],
    ['https://a.test/api?q=1', 'https://a.test/.well-known/oauth-protected-resource/api'],
    ['https://a.test:8443/x', 'https://a.test:8443/.well-known/oauth-protected-resource/x'],
    ['https://a.test/%7Eme', 'https://a.test/.well-known/oauth-protected-resource/%7Eme'],
  ])('inserts the path for %s', (resource, expected) => {
    expect(protectedResourceMetadataUrl(resource)).toBe(expected);
  });
});

describe('authorizationServerMetadataUrls', () => {
  it('has one URL for an issuer without a path', () => {
    const expected = ['https://a.test/.well-known/oauth-authorization-server'];
    expect(authorizationServerMetadataUrls('https://a.test')).toEqual(expected);
    expect(authorizationServerMetadataUrls('https://a.test/')).toEqual(expected);
  });

  it('tries inserted, plain and appended for an issuer with a path', () => {
    expect(authorizationServerMetadataUrls('https://a.test/t1')).toEqual([
      'https://a.test/.well-known/oauth-authorization-server/t1',
      'https://a.test/.well-known/oauth-authorization-server',
      'https://a.test/t1/.well-known/oauth-authorization-server',
    ]);
  });
});

describe('urlProblem', () => {
  it.each([
    ['https://a.test/x', undefined],
    ['http://127.0.0.1:4800', undefined],
    ['http://localhost:4800', undefined],
    ['http://[::1]:4800', undefined],
    ['http://a.test', 'not_https'],
    ['http://127.0.0.1.a.test', 'not_https'],
    ['http://localhost.a.test', 'not_https'],
    ['file:///etc/passwd', 'not_http'],
    ['javascript:alert(1)', 'not_http'],
    ['ftp://a.test', 'not_http'],
    ['https://user@a.test', 'has_userinfo'],
    ['https://a.test/#f', 'has_fragment'],
    ['/relative', 'not_a_url'],
    ['-flag', 'not_a_url'],
    ['https://a.test/to ken', 'has_space'],
    [' https://a.test/ ', undefined],
  ])('judges %s as %s', (url, expected) => {
    expect(urlProblem(url)).toBe(expected);
  });

  it('sees through other spellings of a URL', () => {
    expect(isLoopbackHost(new URL('http://0x7f000001').hostname)).toBe(true);
    expect(isLoopbackHost(new URL('http://0.0.0.0').hostname)).toBe(false);
  });
});

describe('parsedUrl', () => {
  it('takes a host of another script however often it is asked', () => {
    const hosts = Array.from(
      { length: 20_000 },
      () => parsedUrl('https://bücher.example/')?.hostname,
    );
    expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.example']));
  });
});

describe('covers', () => {
  it.each([
    ['https://a.test', 'https://a.test/api', true],
    ['https://a.test/api', 'https://a.test/api', true],
    ['https://a.test/api/', 'https://a.test/api/x', true],
    ['https://a.test/api', 'https://a.test/api/x?q=1', true],
    ['https://a.test/api', 'https://a.test/apis', false],
    ['https://a.test/api', 'https://a.test/api/../other', false],
    ['https://a.test/api', 'https://b.test/api', false],
    ['https://a.test/api', 'http://a.test/api', false],
    ['not a url', 'https://a.test', false],
  ])('%s covers %s: %s', (prefix, url, expected) => {
    expect(covers(prefix, url)).toBe(expected);
  });
});
