import { expect, it } from 'vitest';
import { causesOf } from '../../../src/conformance/engine/causes.ts';
import { verdictOf } from '../../../src/conformance/engine/verdict.ts';
import type { Role, ScenarioResult } from '../../../src/conformance/index.ts';
import { judgeMock } from '../support/judge-mock.ts';
import { judgeMockProvider } from '../support/judge-mock-provider.ts';

/** What stands on top. */
function headlineOf(role: Role, scenarios: readonly ScenarioResult[]): string | undefined {
  const run = { scenarios, core: [], selectedOnly: true, interrupted: false };
  const target = 'https://target.example';
  const [first] = causesOf({ role, target, seed: 7, scenarios, verdict: verdictOf(run) });
  return first && `${first.kind}: ${first.title}`;
}

it.each([
  [
    'a foreign key',
    ['uncheckedSignature'],
    ['id-jag-headers', 'event-refusals'],
    'attack: Registers as any user with a signature that is none.',
  ],
  [
    'an assertion that the service did not sign',
    ['uncheckedAssertionSignature'],
    ['assertion-attacks'],
    'attack: Gets the access of any registration with an assertion that the service did not sign.',
  ],
  [
    'a provider that nobody trusts, which is also fetched from',
    ['uncheckedIssuer'],
    ['id-jag-issuer', 'event-refusals'],
    'attack: Registers as any user by a provider that the service does not trust.',
  ],
  [
    'what was revoked and lives again',
    ['staleRevivedRegistration'],
    ['event-revocation'],
    'attack: Acts for a user again with an assertion or a token that was revoked.',
  ],
  [
    'a denial by anybody, before races',
    ['uncheckedDenialAccount', 'racyReopen'],
    ['wrong-account', 'claim-races'],
    'attack: Denies the claim of somebody else.',
  ],
  [
    'a sign-in that is skipped, before a code that has ended',
    ['uncheckedSession', 'acceptedExpiredUserCode'],
    ['attempt-expiry', 'wrong-account'],
    'attack: Completes a claim without signing in.',
  ],
  [
    'a confirmation by another account, whosever the access is that it brings',
    ['acceptedConfirmationEmail'],
    ['confirmation-reopen'],
    'attack: Confirms, as another account, a link that the owner was asked for.',
  ],
  [
    'a sign-in that a foreign page sends, by which nobody acts for the user',
    ['uncheckedSignInCsrf'],
    ['sign-in-forgery'],
    'attack: Has a user who opens a page of the attacker work in the session of the attacker.',
  ],
  [
    'a link that counts who looks at it, without any page of the attacker',
    ['extraTryForView'],
    ['claim-page'],
    'attack: Has the claim of a user completed, or used up, by whoever only opens its link.',
  ],
  [
    'a form that its own page sends without its token',
    ['uncheckedClaimCsrfToken'],
    ['completion-forgery'],
    'attack: Forges the form of a user with one thing less to get over: its token, or its Origin.',
  ],
  [
    'a challenge that a URL breaks, without a header more',
    ['unescapedPathInChallenge'],
    ['header-injection'],
    'attack: Breaks the challenge that an agent gets, or adds parameters to it, by the URL that it is sent to.',
  ],
  [
    'members that a body does not have, of which nothing fails',
    ['trustedPrototype'],
    ['hostile-json'],
    'attack: Registers with members that the body does not have, by `__proto__` or `constructor`.',
  ],
  [
    'an assertion from before the claim, which warns',
    ['stalePreClaimAssertion'],
    ['anonymous'],
    'warning: After the claim the first assertion gives no post-claim scope.',
  ],
  [
    'an email that is changed, which warns',
    ['acceptedEmailChange'],
    ['reopen-by-email'],
    'warning: A registration by email opens no attempt for another email.',
  ],
  [
    'a registration that needs its assertion_type, which warns',
    ['refusedMissingAssertionType'],
    ['id-jag-request'],
    'warning: assertion_type may be left out.',
  ],
])('the first line says of %s what happened', async (_, faults, scenarios, headline) => {
  expect(headlineOf('service', await judgeMock(faults, scenarios))).toBe(headline);
});

it('warns of two scopes in one request, and of nothing that the skill file tells agents', async () => {
  const judged = async (server?: 'documenting') => {
    const faults = ['acceptedRepeatedParameter', 'refusedMissingAssertionType'];
    const results = await judgeMock(faults, ['exchange-refusals', 'id-jag-request'], {
      ...(server && { server }),
    });
    const checks = results.flatMap((each) => each.checks);
    const of = (id: string) => checks.find((each) => each.id === id);
    return [
      of('exchange-refusals.repeated')?.ownStatus,
      of('id-jag-request.type-optional')?.status,
    ];
  };
  expect(await judged()).toEqual(['warn', 'warn']);
  expect(await judged('documenting')).toEqual([undefined, 'skip']);
});

it.each([
  [
    'a mint without the consent that the specification asks for',
    ['noConsent'],
    ['consent'],
    'attack: Gets an ID-JAG of a user who has not consented.',
  ],
  [
    'a device code that a foreign page approves, in the session of its user',
    ['uncheckedDeviceCsrf', 'exposedSession'],
    ['device-attacks'],
    'attack: Has a user who opens a page of the attacker sign the agent of the attacker in.',
  ],
])('the first line of a provider says of %s what happened', async (_, faults, scenarios, line) => {
  expect(headlineOf('provider', await judgeMockProvider(faults, scenarios))).toBe(line);
});
