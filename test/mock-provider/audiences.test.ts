import { describe, expect, it } from 'vitest';
import type { MockProviderOptions } from '../../src/mock-provider/index.ts';
import { Harness, ISSUER, SERVICE } from './harness.ts';

const OTHER = 'https://other.test';
const NAMED = { issuer: SERVICE, name: 'Example Service' };

type Audiences = MockProviderOptions['audiences'];

const start = (audiences: Audiences) => Harness.start(audiences === undefined ? {} : { audiences });

/** What a request for an ID-JAG is answered with before any consent: the audience was found. */
const FOUND = 'consent_required';

describe('the audiences of a provider', () => {
  it.each<[what: string, audiences: Audiences, own: string, other: string]>([
    ['any by default', undefined, FOUND, FOUND],
    ['any', 'any', FOUND, FOUND],
    ['any beside the listed ones', ['any', NAMED], FOUND, FOUND],
    ['the listed ones alone', [NAMED], FOUND, 'invalid_target'],
    ['none', [], 'invalid_target', 'invalid_target'],
  ])('are %s', async (_what, audiences, own, other) => {
    const harness = await start(audiences);
    const idToken = await harness.signIn();
    const codeFor = async (audience: string) =>
      (await harness.mint(idToken, { audience })).body['error'];
    expect([await codeFor(SERVICE), await codeFor(OTHER)]).toEqual([own, other]);
    expect(await codeFor(ISSUER)).toBe('invalid_target');
  });

  it('have their names on pages, and the others their hosts', async () => {
    const harness = await start(['any', NAMED]);
    const idToken = await harness.signIn();
    const asked = async (audience: string) => {
      const { body } = await harness.mint(idToken, { audience });
      const page = await harness
        .newUser()
        .openSignedIn(String(body['consent_uri']), 'alice@example.com');
      return page.text;
    };
    expect(await asked(SERVICE)).toContain('Example Service');
    expect(await asked(OTHER)).toContain('other.test');
  });
});
