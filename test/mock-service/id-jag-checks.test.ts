import { describe, expect, it } from 'vitest';
import { resolveTrust } from '../../src/mock-service/config/config.ts';
import type { IdJag } from '../../src/mock-service/id-jag/id-jag-checks.ts';
import { ID_JAG_CHECKS, type IdJagRefusal } from '../../src/mock-service/id-jag/id-jag-checks.ts';
import { matchIdJag } from '../../src/mock-service/id-jag/match-id-jag.ts';
import { readIdJag } from '../../src/mock-service/id-jag/read-id-jag.ts';
import { resolveOptions } from '../../src/mock-service/options.ts';
import { FakeClock } from '../../src/runtime/index.ts';
import { BASE, PROVIDER } from './harness.ts';

const clock = new FakeClock();
const now = clock.now();
const config = resolveOptions({ baseUrl: BASE });
const trusted = resolveTrust({ issuer: PROVIDER });

const RIGHT: IdJag = {
  trusted,
  issuer: PROVIDER,
  tenant: '',
  subject: 'user',
  jti: 'jag-1',
  audiences: [BASE],
  clientId: PROVIDER,
  issuedAt: now,
  expiresAt: now + 300_000,
  notBefore: 0,
  signedInAt: now,
  email: 'alice@example.com',
  phone: undefined,
  resources: [],
  scopes: ['api.read'],
};

/** One mistake a check, in the order of the checks. */
const MISTAKES: readonly (readonly [
  name: string,
  code: IdJagRefusal['code'],
  mistake: Partial<IdJag>,
])[] = [
  ['audience', 'invalid_audience', { audiences: [BASE, PROVIDER] }],
  ['client', 'invalid_client_id', { clientId: 'https://other.test' }],
  ['expiry', 'expired', { issuedAt: now - 120_000, expiresAt: now - 60_000 }],
  ['issuance', 'expired', { issuedAt: now + 60_001 }],
  ['not-before', 'expired', { notBefore: now + 60_001 }],
  ['lifetime', 'invalid_request', { expiresAt: now + 3_600_001 }],
  ['resource', 'invalid_audience', { resources: ['https://other.test'] }],
  ['contact', 'missing_verified_email', { email: undefined }],
  ['sign-in', 'login_required', { signedInAt: now - 3_600_001 }],
  ['scope', 'invalid_request', { scopes: [] }],
];

/** The checks that an ID-JAG does not pass, and the codes that they answer. */
function failing(change: Partial<IdJag>): readonly (readonly [string, string])[] {
  const facts = { idJag: { ...RIGHT, ...change }, config, now };
  return ID_JAG_CHECKS.flatMap(({ name, check }) => {
    const refusal = check(facts);
    return refusal ? [[name, refusal.code] as const] : [];
  });
}

describe('the checks of an ID-JAG', () => {
  it('let a right one pass', () => {
    expect(failing({})).toEqual([]);
  });

  it.each(MISTAKES)('%s: finds its own mistake alone', (name, code, mistake) => {
    expect(failing(mistake)).toEqual([[name, code]]);
  });

  it('are listed in the order in which mistakes are told, with the code of each', () => {
    expect(ID_JAG_CHECKS.map(({ name }) => name)).toEqual(MISTAKES.map(([name]) => name));
    for (const [at, { description }] of ID_JAG_CHECKS.entries()) {
      expect(description).toContain(`\`${MISTAKES[at]?.[1]}\``);
    }
  });
});

describe('the claims of an ID-JAG', () => {
  const claims = {
    iss: PROVIDER,
    sub: 'user',
    aud: BASE,
    client_id: PROVIDER,
    jti: 'jag-1',
    iat: now / 1000,
    exp: now / 1000 + 300,
    auth_time: now / 1000,
    email: 'Alice@Example.com',
    email_verified: true,
    scope: 'profile api.read',
  };

  it('are read in one form', () => {
    expect(readIdJag(claims, { trusted, config })).toEqual({ ok: true, idJag: RIGHT });
  });

  it.each([
    ['an email that is not verified', { email_verified: false }, { email: undefined }],
    ['an email that is none', { email: 'alice' }, { email: undefined }],
    [
      'a verified phone number',
      { phone_number: '+15550100', phone_number_verified: true },
      { phone: '+15550100' },
    ],
    ['a phone number that is not verified', { phone_number: '+15550100' }, {}],
    ['no scope', { scope: undefined }, { scopes: ['api.read', 'api.write'] }],
    ['one resource', { resource: BASE }, { resources: [BASE] }],
  ])('hold %s', (_what, sent, read) => {
    const idJag = { ...RIGHT, ...read };
    expect(readIdJag({ ...claims, ...sent }, { trusted, config })).toEqual({ ok: true, idJag });
  });
});

describe('an ID-JAG of a subject that is not known', () => {
  const nobody = {
    idJag: RIGHT,
    now,
    registration: undefined,
    emailAccount: undefined,
    phoneAccount: undefined,
    revokedUpTo: undefined,
    jtiUsed: false,
    linkExisting: 'ask' as const,
  };
  const refused = (code: string) => ({ kind: 'refused', code });
  const confirmed = (email: string) => ({ kind: 'confirm', email, reuse: false });

  it.each([
    ['makes a user', {}, { kind: 'provision' }],
    ['asks whose email it is', { emailAccount: { email: 'a@x.test' } }, confirmed('a@x.test')],
    [
      'asks the owner of the email before that of the phone number',
      { emailAccount: { email: 'a@x.test' }, phoneAccount: { email: 'b@x.test' } },
      confirmed('a@x.test'),
    ],
    [
      'asks nobody where nobody can sign in',
      { phoneAccount: { email: undefined } },
      refused('missing_verified_email'),
    ],
    [
      'asks about an email that its provider does not speak for',
      { idJag: { ...RIGHT, trusted: { ...trusted, mailDomains: ['other.test'] } } },
      confirmed('alice@example.com'),
    ],
    ['is not redeemed twice', { jtiUsed: true }, refused('replay_detected')],
    ['is over when it was revoked', { revokedUpTo: now, jtiUsed: true }, refused('expired')],
  ])('%s', (_what, facts, match) => {
    expect(matchIdJag({ ...nobody, ...facts })).toEqual(match);
  });

  const alice = { id: 'usr_1', email: 'alice@example.com' };
  const byPhone = { ...RIGHT, email: undefined, phone: '+15550100' };
  const spokenFor = (...mailDomains: string[]) => ({ ...trusted, mailDomains });
  const linked = { kind: 'link', userId: 'usr_1', email: 'alice@example.com' };

  it.each([
    ['an email', { emailAccount: alice }, linked],
    ['a phone number', { idJag: byPhone, phoneAccount: alice }, linked],
    [
      'an email that its provider speaks for',
      { emailAccount: alice, idJag: { ...RIGHT, trusted: spokenFor('example.com') } },
      linked,
    ],
    [
      'no email that its provider does not speak for',
      { emailAccount: alice, idJag: { ...RIGHT, trusted: spokenFor('other.test') } },
      confirmed('alice@example.com'),
    ],
    [
      'no account of such an email, by its phone number either',
      { phoneAccount: alice, idJag: { ...byPhone, trusted: spokenFor('other.test') } },
      confirmed('alice@example.com'),
    ],
    [
      'no account by its phone number beside such an email',
      {
        phoneAccount: alice,
        idJag: { ...byPhone, email: 'a@x.test', trusted: spokenFor('example.com') },
      },
      confirmed('alice@example.com'),
    ],
    [
      'no account that nobody can sign in to',
      { idJag: byPhone, phoneAccount: { id: 'usr_1', email: undefined } },
      refused('missing_verified_email'),
    ],
    ['none, and makes a user', {}, { kind: 'provision' }],
    [
      'none when it is redeemed twice',
      { emailAccount: alice, jtiUsed: true },
      refused('replay_detected'),
    ],
    ['none when it was revoked', { emailAccount: alice, revokedUpTo: now }, refused('expired')],
  ])('links silently, where that is configured, %s', (_what, facts, match) => {
    expect(matchIdJag({ ...nobody, linkExisting: 'silent', ...facts })).toEqual(match);
  });
});
