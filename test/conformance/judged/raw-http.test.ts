import { describe, expect, it } from 'vitest';
import { CLAIM_SCENARIOS } from '../../../src/conformance/service/scenarios/index.ts';
import { RAW_HTTP_BUGS } from '../services/raw-http/bugs.ts';
import { startRawHttp } from '../services/raw-http.ts';
import { itIsRight, itShowsBugs, type Outcomes } from './it-is-judged.ts';
import { judge, scenariosOf } from './judge.ts';
import { RAW_HTTP } from './judged-services.ts';

/** What it does otherwise, and may. */
const WARNINGS = {
  'hostile-json.duplicates': 'JSON.parse takes the last of two members',
  'hostile-json.unstorable-text': 'does not look at members that it does not know',
  'id-jag-claims.optional-types': 'does not look at claims that it does not use',
  'service-keys.thumbprints': 'draws the names of its keys',
};

/** Bug → what the first screen shows of it. */
const OUTCOMES = {
  'alg-confusion': { finds: 'id-jag-headers.hmac' },
  'psychic-signature': { finds: 'id-jag-headers.ecdsa' },
  'case-of-none': { finds: 'id-jag-headers.alg-none' },
  'embedded-jwk': { finds: 'id-jag-headers.embedded-key' },
  'issuer-prefix': { finds: 'id-jag-issuer.look-alike' },
  'exp-unparsed': { finds: 'id-jag-claims.required' },
  'subject-without-issuer': { finds: 'event-revocation.other-issuer' },
  'redirected-keys': { warns: 'id-jag-key-redirect.unfollowed' },
  'jti-race': { finds: 'id-jag-replay.parallel' },
  'event-of-other': { finds: 'event-issuer-bounds.foreign-sub-id' },
  'cached-introspection': { finds: 'revocation.at-once' },
  'id-jag-audience': { finds: 'id-jag-audience.other-service' },
  'session-kept-at-sign-in': { finds: 'session-ids.fixation' },
  'csrf-only-if-sent': { finds: 'completion-forgery.token-needed' },
  'next-by-first-slash': { finds: 'sign-in-redirects.after-sign-in' },
  'tries-per-session': { finds: 'wrong-codes.burnt' },
  'approve-by-get': { finds: 'completion-forgery.by-address' },
  'email-echoed-raw': { finds: 'page-injection.sign-in-form' },
  'csrf-skipped-for-other-types': { finds: 'completion-forgery.sibling-page' },
  'unknown-account-told': { warns: 'password-sign-in.unknown-alike' },
  'account-of-the-second-form': { finds: 'password-sign-in.own-account' },
} satisfies Outcomes;

describe('a right service on node:http', () => {
  itIsRight(RAW_HTTP, WARNINGS);
  itShowsBugs(RAW_HTTP, RAW_HTTP_BUGS, OUTCOMES, WARNINGS);

  it('fails where it takes the ID-JAG of one provider for that of another', async () => {
    const known = scenariosOf('id-jag-known.per-issuer');
    const { failed } = await judge(RAW_HTTP, 'subject-without-issuer', known);
    expect(failed).toContain('id-jag-known.per-issuer');
  });

  it('has one reason, and not one for each made-up user, where no accounts were given', async () => {
    const { report } = await judge({ start: startRawHttp }, undefined, CLAIM_SCENARIOS);
    const missing = report.causes.filter(({ option }) => option === '--accounts');
    expect(missing.map(({ seen }) => seen)).toEqual([
      expect.stringContaining(
        'none is known for conformance-visitor-{n}@example.com: name it in --accounts',
      ),
    ]);
    expect(missing[0]?.checks.length).toBeGreaterThan(10);
  });
});
