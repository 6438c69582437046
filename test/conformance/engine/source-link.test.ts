import { describe, expect, it } from 'vitest';
import { baseOf, sourceLink } from '../../../src/conformance/engine/source-link.ts';

describe('a source', () => {
  it.each([
    ['RFC 8628', 'https://www.rfc-editor.org/rfc/rfc8628'],
    ['RFC 9728 §3.3', 'https://www.rfc-editor.org/rfc/rfc9728#section-3.3'],
    ['RFC 6749 App. B', 'https://www.rfc-editor.org/rfc/rfc6749#appendix-B'],
    [
      'draft-ietf-oauth-identity-chaining-17 §2.3',
      'https://datatracker.ietf.org/doc/html/draft-ietf-oauth-identity-chaining-17#section-2.3',
    ],
    [
      'SSF §4.2',
      'https://openid.net/specs/openid-sharedsignals-framework-1_0-final.html#section-4.2',
    ],
    [
      'OpenID Connect Core 1.0 §2',
      'https://openid.net/specs/openid-connect-core-1_0.html#rfc.section.2',
    ],
    ['Fetch, CORS protocol', 'https://fetch.spec.whatwg.org/#http-cors-protocol'],
    [
      'Open Data API v2, server/codes',
      'https://github.com/uWaterloo/api-documentation/blob/master/v2/server/codes.md',
    ],
  ])('is found on the web: %s', (text, href) => {
    expect(sourceLink(text, 'https://ours.example/')).toEqual({ text, href });
  });

  it.each([
    ['specification, States and transitions', 'docs/specification.md#states-and-transitions'],
    ['directory specification, Errors', 'docs/specification.md#directory-errors'],
    ['wire contract §12', 'docs/wire-contract.md#section-12'],
    ['attack A-20', 'docs/attacks.md#a-20'],
  ])('is found in our own pages: %s', (text, path) => {
    expect(sourceLink(text, '')).toEqual({ text, href: path });
    expect(sourceLink(text, 'https://ours.example/')).toEqual({
      text,
      href: `https://ours.example/${path}`,
    });
  });

  it.each(['RFC 8628, somewhere', 'XYZ §3', 'wire contract', 'javascript:alert(1)', ''])(
    'that is not known has no link: %s',
    (text) => {
      expect(sourceLink(text)).toEqual({ text });
    },
  );
});

describe('the pages of docs/', () => {
  it.each([
    [{}, ''],
    [{ repository: 'owner/name' }, 'https://github.com/owner/name/blob/HEAD/'],
    [{ repository: 'github:owner/name' }, 'https://github.com/owner/name/blob/HEAD/'],
    [
      { repository: { url: 'git+https://code.example/owner/name.git' } },
      'https://code.example/owner/name/blob/HEAD/',
    ],
    [{ repository: 'git@code.example:owner/name.git' }, ''],
  ])('are where the package says that its repository is: %j', (file, base) => {
    expect(baseOf(file)).toBe(base);
  });
});
