import type { Judge, Reading } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { makeKey } from '../../../jwt/forge.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { notLimited } from '../../steps/answers.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import { someAssertion } from '../../steps/new-registration.ts';
import { isAccepted, mustBeAccepted, present, presentNew } from '../../steps/present-id-jag.ts';
import type { MintOptions } from '../../test-provider.ts';

type Name = 'registration' | 'claim' | 'token' | 'assertion';

/** An agent acts by the code: it mints anew, signs its user in, registers again, or gives up. */
export const misleadingCodes = serviceScenario({
  id: 'misleading-codes',
  title: 'The code of a refusal names its cause, and no other one',
  checks: {
    registration: 'The refusal of a malformed registration has no code that names another cause.',
    claim: 'The refusal of a claim has no code that names another cause.',
    token: 'The refusal of a token request has no code that names another cause.',
    assertion: 'The refusal of an ID-JAG has no code that names another cause.',
  },
  async run(judge, world) {
    await mustTakeRegistrations(world);
    await judgeRegistrations(judge, world);
    await judgeClaims(judge, world);
    await judgeTokens(judge, world);
    world.needType('identity_assertion');
    await judgeIdJags(judge, world);
  },
});

type Sent = readonly [what: string, answer: Promise<Answer>, ...causes: readonly ErrorCause[]];

/** What is taken, or is no error at all, is judged elsewhere. */
async function judgeEach(
  judge: Judge<Name>,
  name: Name,
  sent: readonly (() => Sent)[],
): Promise<void> {
  for (const send of sent) {
    const [what, answering, ...causes] = send();
    const answer = notLimited(await answering);
    if (isAccepted(answer) || answer.status < 400) continue;
    judge.table(answer, { [name]: noOtherCause(...causes) }, { case: what });
  }
  judge.skip(name, 'Nothing was refused.');
}

async function judgeRegistrations(judge: Judge<Name>, world: ServiceWorld): Promise<void> {
  const { client, facts, invented } = world;
  const byEmail = facts.identityTypes.includes('service_auth');
  const byIdJag = facts.identityTypes.includes('identity_assertion');
  await judgeEach(judge, 'registration', [
    () => ['an unknown type', client.identity({ type: invented.word() })],
    () => ['no type', client.identity({})],
    ...(byEmail
      ? [
          (): Sent => [
            'a login_hint that is no email',
            client.identity({ type: 'service_auth', login_hint: invented.word() }),
            'hint',
          ],
          (): Sent => ['no login_hint', client.identity({ type: 'service_auth' }), 'hint'],
        ]
      : []),
    ...(byIdJag
      ? [(): Sent => ['no assertion', client.identity({ type: 'identity_assertion' }), 'signature']]
      : []),
  ]);
}

async function judgeClaims(judge: Judge<Name>, world: ServiceWorld): Promise<void> {
  const { client, facts, invented } = world;
  const url = facts.claimEndpoint;
  if (url === undefined || !facts.identityTypes.includes('anonymous')) {
    return judge.skip('claim', 'The service opens no claim of an anonymous registration.');
  }
  const email = world.userEmail();
  const { claimToken } = await world.anonymous();
  const start = (body: object) => client.postJson(url, body, { from: 'agent' });
  await judgeEach(judge, 'claim', [
    // What has expired long ago may be forgotten.
    () => [
      'an unknown claim token',
      start({ claim_token: invented.token(), email }),
      'claim-token',
      'claim-over',
      'time',
    ],
    () => ['no claim token', start({ email }), 'claim-token'],
    () => [
      'an email that is none',
      start({ claim_token: claimToken, email: invented.word() }),
      'hint',
    ],
  ]);
}

async function judgeTokens(judge: Judge<Name>, world: ServiceWorld): Promise<void> {
  const { client, facts, invented } = world;
  await judgeEach(judge, 'token', [
    () => ['a word as assertion', client.exchange(invented.word()), 'signature', 'client'],
    () => [
      'a grant that does not exist',
      client.token({ grant_type: invented.urn() }),
      'grant',
      'client',
    ],
    ...(facts.claimGrant === undefined
      ? []
      : [
          (): Sent => [
            'an unknown claim token',
            client.poll(invented.token()),
            'time',
            'claim-token',
            'claim-over',
            'client',
          ],
        ]),
  ]);
  if (!facts.identityTypes.includes('anonymous')) return;
  const assertion = await someAssertion(world);
  await judgeEach(judge, 'token', [
    () => [
      'a scope that does not exist',
      client.exchange(assertion, { scope: invented.scope() }),
      'scope',
    ],
    () => [
      'a resource of somebody else',
      client.exchange(assertion, { resource: `https://${world.elsewhere}/` }),
      'target',
    ],
  ]);
}

async function judgeIdJags(judge: Judge<Name>, world: ServiceWorld): Promise<void> {
  const { invented, providers } = world;
  const used = await mustBeAccepted(world);
  const { kid } = providers.provider.keys[0];
  const minted =
    (what: string, options: MintOptions, ...causes: readonly ErrorCause[]) =>
    (): Sent => [what, presentNew(world, options).then(({ answer }) => answer), ...causes];
  const raw =
    (what: string, text: string, ...causes: readonly ErrorCause[]) =>
    (): Sent => [what, present(world, text), ...causes];
  await judgeEach(judge, 'assertion', [
    raw('a word in place of a JWT', invented.word(), 'signature'),
    raw('three words in place of a JWT', invented.token().replaceAll('-', '.'), 'signature'),
    raw('a used ID-JAG', used.assertion, 'replay'),
    () => [
      'an issuer without trust',
      presentNew(world, {}, providers.untrusted).then(({ answer }) => answer),
      'issuer',
      'signature',
      'client',
    ],
    minted('a signature by another key', { header: { kid }, key: makeKey() }, 'signature'),
    minted('alg none', { header: { alg: 'none' } }, 'signature'),
    minted(
      'another audience',
      { claims: { aud: `https://${world.elsewhere}` } },
      'audience',
      'target',
    ),
    minted('an exp in the past', { claims: { iat: 1_000_000, exp: 1_000_300 } }, 'time'),
    minted('an email that is not verified', { claims: { email_verified: false } }, 'contact'),
    minted('no sub', { claims: { sub: undefined } }),
  ]);
}

/** What an error code says to have been wrong, as an agent understands it. */
const CODES = {
  issuer: ['invalid_issuer', 'issuer_not_enabled', 'untrusted_issuer', 'unknown_issuer'],
  signature: ['invalid_signature', 'invalid_key', 'signature_invalid'],
  audience: ['invalid_audience', 'audience_mismatch'],
  time: ['expired', 'expired_token', 'token_expired', 'assertion_expired'],
  client: ['invalid_client_id', 'invalid_client', 'unauthorized_client'],
  contact: ['missing_verified_email', 'email_not_verified', 'unverified_email'],
  replay: ['replay_detected', 'replayed', 'jti_reused'],
  'sign-in': ['login_required', 'insufficient_user_authentication'],
  question: ['interaction_required', 'consent_required'],
  hint: ['invalid_login_hint', 'invalid_email'],
  'switched-off': [
    'anonymous_not_enabled',
    'service_auth_not_enabled',
    'identity_assertion_not_enabled',
  ],
  'claim-token': ['invalid_claim_token'],
  'claim-over': ['claim_expired'],
  'other-email': ['email_mismatch'],
  claimed: ['claimed_or_in_flight', 'already_claimed'],
  tries: ['too_many_attempts'],
  outage: ['temporarily_unavailable'],
  scope: ['invalid_scope', 'insufficient_scope'],
  target: ['invalid_target'],
  grant: ['unsupported_grant_type'],
  pending: ['authorization_pending', 'slow_down'],
  denied: ['access_denied'],
} as const;

type ErrorCause = keyof typeof CODES;

const CAUSES = new Map<string, ErrorCause>(
  Object.entries(CODES).flatMap(([cause, codes]) =>
    codes.map((code): [string, ErrorCause] => [code, cause as ErrorCause]),
  ),
);

/**
 * A row for a refusal: its code names one of these causes, or none in particular. A code of the service's own
 * says nothing that an agent could misread.
 */
const noOtherCause =
  (...causes: readonly ErrorCause[]) =>
  (answer: Answer): Reading => {
    const named = CAUSES.get(answer.errorCode ?? '');
    const own = causes.map((cause) => CODES[cause][0]).join(' or ');
    return {
      ok: named === undefined || causes.includes(named),
      expected: `${own === '' ? 'a code' : `${own}, or a code`} that names no other cause, such as invalid_request`,
    };
  };
