import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FamilyId, type Given, recogniseAnswer } from '../../src/discovery/index.ts';

const folder = join(import.meta.dirname, '../../fixtures/wild');

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

/** Every published answer that is no error: status, families, what it gives, direction. */
const ANSWERS: readonly (readonly [
  name: string,
  status: number,
  families: readonly FamilyId[],
  gives: readonly Given[],
  direction: string | undefined,
])[] = [
  ['resp-agtls-register-anonymous', 201, ['first'], ['credential', 'claim'], undefined],
  ['resp-authkit-docs-register-anonymous', 200, ['nested'], ['assertion', 'claim'], undefined],
  ['resp-authkit-docs-register-service-auth', 200, ['nested'], ['claim'], 'read_back_page'],
  ['resp-dermascope-claim-remint', 200, ['flat'], ['claim'], 'type_there'],
  ['resp-dermascope-register', 200, ['flat'], ['claim'], 'type_there'],
  ['resp-dermascope-token-claimed', 200, ['flat'], ['assertion', 'token'], undefined],
  ['resp-just-html-register', 200, ['flat'], ['claim'], 'read_back_mailbox'],
  ['resp-neon-claim', 200, ['flat'], ['claim'], 'type_there'],
  // What is asked of the vendor's project is another protocol; the assertion beside it is not.
  ['resp-neon-register', 201, ['flat'], ['assertion'], undefined],
  ['resp-workos-reconciled-claim-complete', 200, ['nested'], ['assertion', 'refresh'], undefined],
  ['resp-workos-reconciled-claim-start', 200, ['nested'], ['claim'], 'read_back_page'],
  ['resp-workos-v01-register-anonymous', 200, ['first'], ['credential', 'claim'], undefined],
];

/** Refusals, two of which open a claim: the code under the name of the wire contract. */
const ERRORS: readonly (readonly [
  name: string,
  status: number,
  code: string,
  gives: readonly Given[],
  direction: string | undefined,
])[] = [
  ['err-workos-login-required', 401, 'login_required', [], undefined],
  ['err-workos-v03-event', 400, 'invalid_issuer', [], undefined],
  ['err-workos-v06-registration', 400, 'invalid_request', [], undefined],
  ['err-workos-v06-token', 400, 'authorization_pending', [], undefined],
  ['resp-cloudinary-error', 403, 'agent_registration_disabled', [], undefined],
  ['resp-neon-error', 400, 'capability_requires_claim', [], undefined],
  [
    'resp-workos-reconciled-interaction-required',
    401,
    'interaction_required',
    ['claim'],
    'read_back_page',
  ],
  ['resp-workos-v06-interaction-required', 401, 'interaction_required', ['claim'], 'type_there'],
];

const NOTHING: readonly (readonly [name: string, why: RegExp])[] = [
  ['resp-cloudinary-provision', /an account of its vendor/],
  ['resp-public-stub-token', /the word “anonymous” to everybody/],
];

describe('published answers', () => {
  it.each(ANSWERS)('reads %s', (name, status, families, gives, direction) => {
    const shown = recogniseAnswer(read(name), status);
    expect(shown).toMatchObject({ families, gives, nothing: undefined, error: undefined });
    expect(shown.direction).toBe(direction);
  });

  it.each(ERRORS)('reads the error of %s', (name, status, code, gives, direction) => {
    const shown = recogniseAnswer(read(name), status);
    expect(shown).toMatchObject({ error: { code }, gives, nothing: undefined });
    expect(shown.direction).toBe(direction);
  });

  it.each(NOTHING)('finds nothing to go on with in %s', (name, why) => {
    const shown = recogniseAnswer(read(name), 200);
    expect(shown.gives).toEqual([]);
    expect(shown.nothing).toMatch(why);
  });

  it('says what of an answer is a vendor’s own', () => {
    expect(recogniseAnswer(read('resp-neon-register'), 201).remarks.join()).toMatch(/project/);
    expect(recogniseAnswer(read('resp-agtls-register-anonymous'), 201).remarks.join()).toMatch(
      /claims without a code/,
    );
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
  it.each<[what: string, body: object, families: FamilyId[], gives: Given[], direction?: string]>([
    [
      'both shapes at once',
      {
        identity_assertion: 'eyJ.a.b',
        identity: { assertion: 'eyJ.a.b' },
        id: 'r',
        type: 'anonymous',
      },
      ['flat', 'nested'],
      ['assertion'],
    ],
    [
      'a token straight from the registration',
      { registration_id: 'r', access_token: 'at_1', token_type: 'Bearer', claim_token: 'clm_1' },
      ['flat'],
      ['token', 'claim'],
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
      ['claim'],
      'read_back_mailbox',
    ],
    [
      'an e-mail registration of version 0.1',
      { registration_id: 'r', registration_type: 'email-verification', claim_token: 'clm_1' },
      ['first'],
      ['claim'],
      'read_back_mailbox',
    ],
    [
      'an assertion beside a refresh token',
      { access_token: 'at', refresh_token: 'rt', token_type: 'Bearer' },
      ['flat'],
      ['token', 'refresh'],
    ],
  ])('reads %s', (_what, body, families, gives, direction) => {
    const shown = recogniseAnswer(body, 200);
    expect([shown.families, shown.gives, shown.direction]).toEqual([families, gives, direction]);
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
    expect(recogniseAnswer({ error: stated }, 400).error).toMatchObject({ code, stated });
  });

  it.each([
    ['error', { error: 'x_y', error_description: 'Why.' }],
    ['error with message', { error: 'x_y', message: 'Why.' }],
    ['a nested error', { error: { code: 'x_y', message: 'Why.' } }],
    ['err', { err: 'x_y', description: 'Why.' }],
    ['code', { code: 'x_y', message: 'Why.' }],
  ])('reads the code and the words in the envelope %s', (_name, body) => {
    expect(recogniseAnswer(body, 400).error).toEqual({ code: 'x_y', stated: 'x_y', text: 'Why.' });
  });

  it('reads a code that stands in the challenge alone', () => {
    const headers = new Headers({ 'www-authenticate': 'AgentAuth error="login_required"' });
    expect(recogniseAnswer({}, 401, headers).error?.code).toBe('login_required');
    expect(recogniseAnswer(null, 401, headers).error?.code).toBe('login_required');
  });
});
