import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeMeant, type FamilyId, recogniseAnswer } from '../../src/discovery/index.ts';

const folder = join(import.meta.dirname, '../../fixtures/wild');

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

/** Every published answer that is no error: status, families, what it gives, direction. */
const ANSWERS: readonly (readonly [
  name: string,
  status: number,
  families: readonly FamilyId[],
  direction: string | undefined,
])[] = [
  ['resp-agtls-register-anonymous', 201, ['first'], undefined],
  ['resp-authkit-docs-register-anonymous', 200, ['nested'], undefined],
  ['resp-authkit-docs-register-service-auth', 200, ['nested'], 'read_back_page'],
  ['resp-dermascope-claim-remint', 200, ['flat'], 'type_there'],
  ['resp-dermascope-register', 200, ['flat'], 'type_there'],
  ['resp-dermascope-token-claimed', 200, ['flat'], undefined],
  ['resp-just-html-register', 200, ['flat'], 'read_back_mailbox'],
  ['resp-neon-claim', 200, ['flat'], 'type_there'],
  // What is asked of the vendor's project is another protocol; the assertion beside it is not.
  ['resp-neon-register', 201, ['flat'], undefined],
  ['resp-workos-reconciled-claim-complete', 200, ['nested'], undefined],
  ['resp-workos-reconciled-claim-start', 200, ['nested'], 'read_back_page'],
  ['resp-workos-v01-register-anonymous', 200, ['first'], undefined],
];

/** Refusals, two of which open a claim. */
const ERRORS: readonly (readonly [name: string, status: number, direction: string | undefined])[] =
  [
    ['err-workos-login-required', 401, undefined],
    ['err-workos-v03-event', 400, undefined],
    ['err-workos-v06-registration', 400, undefined],
    ['err-workos-v06-token', 400, undefined],
    ['resp-cloudinary-error', 403, undefined],
    ['resp-neon-error', 400, undefined],
    ['resp-workos-reconciled-interaction-required', 401, 'read_back_page'],
    ['resp-workos-v06-interaction-required', 401, 'type_there'],
  ];

const NOTHING: readonly (readonly [name: string, why: RegExp])[] = [
  ['resp-cloudinary-provision', /an account of its vendor/],
  ['resp-public-stub-token', /the word “anonymous” to everybody/],
];

describe('published answers', () => {
  it.each(ANSWERS)('reads %s', (name, status, families, direction) => {
    const shown = recogniseAnswer(read(name), status);
    expect(shown).toEqual({ families, direction, nothing: undefined });
  });

  it.each(ERRORS)('reads the ceremony in the refusal %s', (name, status, direction) => {
    const shown = recogniseAnswer(read(name), status);
    expect(shown).toMatchObject({ direction, nothing: undefined });
  });

  it.each(NOTHING)('finds nothing to go on with in %s', (name, why) => {
    expect(recogniseAnswer(read(name), 200).nothing).toMatch(why);
  });

  it('leaves none out', () => {
    const published = readdirSync(folder)
      .map((file) => file.replace('.json', ''))
      .filter((name) => /^(resp|err)-/.test(name));
    const tested = [ANSWERS, ERRORS, NOTHING].flatMap((table) => table.map(([name]) => name));
    expect(tested.sort()).toEqual(published.sort());
  });
});

describe('answers of other kinds', () => {
  it.each<[what: string, body: object, families: FamilyId[], direction?: string]>([
    [
      'both shapes at once',
      {
        identity_assertion: 'eyJ.a.b',
        identity: { assertion: 'eyJ.a.b' },
        id: 'r',
        type: 'anonymous',
      },
      ['flat', 'nested'],
    ],
    [
      'a token straight from the registration',
      { registration_id: 'r', access_token: 'at_1', token_type: 'Bearer', claim_token: 'clm_1' },
      ['flat'],
    ],
    [
      'an attempt of version 0.2, whose code is in a mail',
      {
        registration_id: 'r',
        claim_attempt_id: 'a',
        status: 'initiated',
        expires_at: '2026-01-01T00:00:00Z',
      },
      ['first'],
      'read_back_mailbox',
    ],
    [
      'an e-mail registration of version 0.1',
      { registration_id: 'r', registration_type: 'email-verification', claim_token: 'clm_1' },
      ['first'],
      'read_back_mailbox',
    ],
    [
      'an assertion beside a refresh token',
      { access_token: 'at', refresh_token: 'rt', token_type: 'Bearer' },
      ['flat'],
    ],
  ])('reads %s', (_what, body, families, direction) => {
    const shown = recogniseAnswer(body, 200);
    expect(shown).toEqual({ families, direction, nothing: undefined });
  });

  it.each([
    ['anonymous_registration_disabled', 'anonymous_not_enabled'],
    ['service_auth_registration_disabled', 'service_auth_not_enabled'],
    ['user_code_invalid', 'invalid_user_code'],
    ['otp_invalid', 'invalid_user_code'],
    ['otp_expired', 'claim_attempt_expired'],
    ['user_code_expired', 'claim_attempt_expired'],
    ['previously_claimed', 'already_claimed'],
    ['rate_limit_exceeded', 'rate_limited'],
    ['invalid_claim', 'invalid_claim_token'],
    ['issuer_not_enabled', 'invalid_issuer'],
    ['verified_email_not_enabled', 'service_auth_not_enabled'],
    ['claim_superseded', 'claim_attempt_expired'],
    ['code_dead', 'too_many_attempts'],
    // Words of the list, which mean another one at another place.
    ['expired_token', 'expired_token'],
    ['claimed_or_in_flight', 'claimed_or_in_flight'],
    ['something_else', 'something_else'],
  ])('takes %s for %s', (stated, code) => {
    const places = ['read_back', 'identity', 'claim', 'token'] as const;
    expect(places.map((place) => codeMeant(place, stated))).toContain(code);
  });
});
