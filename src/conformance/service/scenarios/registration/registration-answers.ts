import { NotApplicable } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { isObject } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { randomBits } from '../../steps/randomness.ts';

const SAMPLES = 6;
const ENOUGH_BITS = 128;
/** What a random UUID has is too little by RFC 6749 §10.10, and no open door. */
const NEARLY_ENOUGH_BITS = 112;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIMES = ['assertion_expires', 'claim_token_expires', 'expires_at'];
const PREFIXES = {
  registration_id: 'reg_',
  claim_token: 'clm_',
  claim_attempt_id: 'cla_',
} as const;

const ANONYMOUS = [
  'registration_id',
  'registration_type',
  'assertion_expires',
  'pre_claim_scopes',
  'post_claim_scopes',
  'claim_url',
  'claim_token_expires',
];
const BY_EMAIL = [
  'registration_id',
  'registration_type',
  'claim_url',
  'claim_token_expires',
  'post_claim_scopes',
];
const OF_CLAIMS = [
  'claim-json',
  'expires-in',
  'interval',
  'claim-tokens-random',
  'prefixes',
] as const;
const SECONDS = [
  ['expires-in', 'expires_in'],
  ['interval', 'interval'],
] as const;
const ATTEMPT = ['registration_id', 'claim_attempt_id', 'status', 'expires_at', 'claim_attempt'];

export const registrationAnswers = serviceScenario({
  id: 'registration-answers',
  title: 'What the identity and claim endpoints answer, member by member',
  checks: {
    'no-access-token': 'Neither endpoint ever answers with an access token.',
    'not-cached': 'Answers with tokens and codes forbid caches to keep them.',
    pragma: 'They say so to caches of old, too.',
    'anonymous-members':
      'An anonymous registration is answered with all members of the wire contract.',
    'service-auth-members':
      'A service_auth registration is answered with all members of the wire contract.',
    'attempt-members': 'The claim endpoint answers with all members of the wire contract.',
    'claim-json': 'A claim is 200 with JSON.',
    'expires-in': 'Each claim says in whole positive seconds how long it lives.',
    interval: 'Each claim says in whole positive seconds how often it is to be polled.',
    times: 'Times are RFC 3339 in UTC with milliseconds.',
    prefixes: 'Ids and tokens begin as the wire contract has it.',
    'claim-tokens-random': 'Claim tokens have at least 128 random bits.',
  },
  async run(judge, world) {
    const { client } = world;
    const offers = (type: string) => world.facts.identityTypes.includes(type);
    const registrations = offers('anonymous') ? [await client.registerAnonymous()] : [];
    const attempts = await attemptsOf(world, registrations[0]);
    const byEmail = offers('service_auth')
      ? [await client.registerByEmail(world.freshEmail())]
      : [];
    const claims = [...attempts, ...byEmail];
    const answers = [...registrations, ...claims];
    if (answers.length === 0) {
      throw new NotApplicable('The service offers neither anonymous nor service_auth.');
    }

    judgeMembers('anonymous-members', registrations, ANONYMOUS);
    judgeMembers('attempt-members', attempts, ATTEMPT);
    judgeMembers('service-auth-members', byEmail, BY_EMAIL);
    for (const claim of claims) judgeClaim(claim);
    for (const answer of answers) {
      judgeSecrecy(answer);
      judgeSpelling(answer);
    }
    await judgeTokens();
    judge.skip(OF_CLAIMS, 'The service opens no claim.');
    judge.skip('times', 'No answer has a time.');

    function judgeMembers(
      name: 'anonymous-members' | 'attempt-members' | 'service-auth-members',
      seen: readonly Answer[],
      names: readonly string[],
    ): void {
      for (const answer of seen) {
        const whole = names.every((member) => answer.member(member) !== undefined);
        judge.expect(name, whole, answer, { expected: names.join(', ') });
      }
      judge.skip(name, 'The service does not offer it.');
    }

    function judgeClaim(claim: Answer): void {
      judge.expect(
        'claim-json',
        claim.status === 200 && claim.mediaType === 'application/json',
        claim,
      );
      for (const [name, member] of SECONDS) {
        const value = blockOf(claim)?.[member];
        judge.expect(
          name,
          Number.isInteger(value) && Number(value) > 0,
          // The specification shows neither: another name for the same is no failure.
          claim,
          { expected: `${member}, a whole number of seconds above 0`, warn: value === undefined },
        );
      }
    }

    function judgeSecrecy(answer: Answer): void {
      const { exchange } = answer;
      judge.expect('no-access-token', !answer.text.includes('"access_token"'), answer);
      judge.expect(
        'not-cached',
        answer.cacheControl.includes('no-store'),
        `Cache-Control: ${answer.header('cache-control') ?? '(none)'}`,
        { exchange },
      );
      judge.expect(
        'pragma',
        answer.header('pragma') === 'no-cache',
        `Pragma: ${answer.header('pragma') ?? '(none)'}`,
        { exchange },
      );
    }

    function judgeSpelling(answer: Answer): void {
      const { exchange } = answer;
      for (const member of TIMES) {
        const time = answer.member(member);
        if (time === undefined) continue;
        judge.expect('times', typeof time === 'string' && TIME.test(time), JSON.stringify(time), {
          expected: `${member} like 2026-01-31T12:00:00.000Z`,
          exchange,
        });
      }
      for (const [member, prefix] of Object.entries(PREFIXES)) {
        const value = answer.string(member);
        if (value === undefined) continue;
        judge.expect(
          'prefixes',
          value.startsWith(prefix),
          `${member} that begins with ${value.slice(0, prefix.length)}`,
          { expected: `${member} that begins with ${prefix}`, exchange },
        );
      }
    }

    async function judgeTokens(): Promise<void> {
      const tokens: string[] = [];
      for (let n = 0; n < SAMPLES; n += 1) {
        const answer = offers('anonymous')
          ? await client.registerAnonymous()
          : await client.registerByEmail(world.freshEmail());
        const token = answer.string('claim_token');
        if (token !== undefined) tokens.push(token);
      }
      if (tokens.length < 2) return;
      const bits = Math.floor(randomBits(tokens));
      judge.expect(
        'claim-tokens-random',
        bits >= ENOUGH_BITS,
        `at most ${bits} bits differ between ${tokens.length} claim tokens`,
        {
          expected: `at least ${ENOUGH_BITS} bits that differ from token to token`,
          warn: bits >= NEARLY_ENOUGH_BITS,
        },
      );
    }
  },
});

async function attemptsOf(
  world: ServiceWorld,
  registered: Answer | undefined,
): Promise<readonly Answer[]> {
  const claimToken = registered?.string('claim_token');
  if (claimToken === undefined || world.facts.claimEndpoint === undefined) return [];
  return [await world.client.startClaim(claimToken, world.freshEmail())];
}

/** Where the code stands. */
function blockOf(answer: Answer): Readonly<Record<string, unknown>> | undefined {
  return [answer.member('claim'), answer.member('claim_attempt'), answer.json]
    .filter(isObject)
    .find((block) => block['user_code'] !== undefined);
}
