import type { Invented } from '../../../engine/invented.ts';
import { CannotTest, NotApplicable } from '../../../engine/judge.ts';
import { mediaType, refused, status } from '../../../engine/rows.ts';
import { type Answer, isObject } from '../../../http/answer.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { notLimited } from '../../steps/answers.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import { randomBits } from '../../steps/entropy.ts';
import { isRegistered } from '../../steps/present-id-jag.ts';

const SAMPLES = 6;
const ENOUGH_BITS = 128;
/** What a random UUID has. */
const NEARLY_ENOUGH_BITS = 112;
const OF_UUID =
  'RFC 6749 §10.10 asks for 128 bits; the 122 of a random UUID are not guessed either.';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
const TIMES = ['assertion_expires', 'claim_token_expires', 'expires_at'];
const OF_CLAIMS = ['claim-json', 'expires-in', 'interval', 'claim-tokens-random'] as const;

export const registrationAnswers = serviceScenario({
  id: 'registration-answers',
  title: 'What the identity and claim endpoints answer, member by member',
  checks: {
    'no-access-token': 'Neither the identity nor the claim endpoint answers with an access token.',
    'claim-json': 'A claim is answered 200 with application/json.',
    'expires-in': 'The expires_in of each claim is a whole number of seconds above 0.',
    interval: 'The interval of a claim, where it has one, is a whole number of seconds above 0.',
    times: 'Times are RFC 3339, like 2026-01-31T12:00:00Z.',
    'claim-tokens-random': 'Claim tokens have at least 128 random bits.',
  },
  async run(judge, world) {
    const { client } = world;
    const offers = (type: string) => world.facts.identityTypes.includes(type);
    const register = () =>
      offers('anonymous') ? client.registerAnonymous() : client.registerByEmail(world.userEmail());
    const anonymous = offers('anonymous') ? [await client.registerAnonymous()] : [];
    const withEmail = offers('service_auth')
      ? [await client.registerByEmail(world.userEmail())]
      : [];
    const [first] = [...anonymous, ...withEmail];
    if (first === undefined) {
      throw new NotApplicable('The service offers neither anonymous nor service_auth.');
    }
    // That one is refused is a finding of the scenario of its type.
    const registrations = anonymous.filter(isRegistered);
    const byEmail = withEmail.filter(isRegistered);
    const attempts = (await attemptsOf(world, registrations[0])).filter(isRegistered);
    const claims = [...attempts, ...byEmail];
    const answers = [...registrations, ...claims];
    if (answers.length === 0) {
      throw new CannotTest(`A registration gave (${first.describe()}) neither tokens nor codes.`);
    }

    for (const claim of claims) {
      judge.table(claim, {
        'claim-json': [status(200), mediaType('application/json')],
        'expires-in': wholeSeconds('expires_in'),
        interval: claimOf(claim)?.['interval'] === undefined ? undefined : wholeSeconds('interval'),
      });
    }
    for (const answer of answers) {
      judge.table(answer, {
        'no-access-token': { ok: !answer.text.includes('"access_token"') },
        times: TIMES.map(isTime),
      });
    }
    await judgeTokens();
    judge.skip(OF_CLAIMS, 'The service opens no claim.');
    judge.skip('times', 'No answer has a time.');

    async function judgeTokens(): Promise<void> {
      const tokens: string[] = [];
      for (let n = 0; n < SAMPLES; n += 1) {
        const token = (await register()).string('claim_token');
        if (token !== undefined) tokens.push(token);
      }
      if (tokens.length < 2) return;
      const bits = Math.floor(randomBits(tokens));
      judge.expect(
        'claim-tokens-random',
        bits >= ENOUGH_BITS,
        `at most ${bits} bits differ between ${tokens.length} claim tokens`,
        { reading: bits >= NEARLY_ENOUGH_BITS ? OF_UUID : undefined },
      );
    }
  },
});

const wholeSeconds = (name: string) => (answer: Answer) => {
  const value = claimOf(answer)?.[name];
  const reading = value === undefined ? 'The specification does not show this member.' : undefined;
  return { ok: Number.isInteger(value) && Number(value) > 0, reading };
};

const isTime = (name: string) => (answer: Answer) => {
  const time = answer.member(name);
  if (time === undefined) return undefined;
  return {
    ok: typeof time === 'string' && TIME.test(time),
    seen: `${name}: ${JSON.stringify(time)}`,
  };
};

async function attemptsOf(
  world: ServiceWorld,
  registered: Answer | undefined,
): Promise<readonly Answer[]> {
  const claimToken = registered?.string('claim_token');
  if (claimToken === undefined || world.facts.claimEndpoint === undefined) return [];
  return [await world.client.startClaim(claimToken, world.userEmail())];
}

/** The object with the code. */
function claimOf(answer: Answer): Readonly<Record<string, unknown>> | undefined {
  return [answer.member('claim'), answer.member('claim_attempt'), answer.json]
    .filter(isObject)
    .find((block) => block['user_code'] !== undefined);
}

const TYPES = ['anonymous', 'service_auth', 'identity_assertion'] as const;

type BadType = readonly [what: string, body: unknown, code: string];

/** Bodies whose `type` is none of those three. */
const malformedTypes = (invented: Invented): readonly BadType[] =>
  (
    [
      ['an unknown type', { type: invented.word() }],
      ['no type', { login_hint: invented.email() }],
      ['null as type', { type: null }],
      ['a number as type', { type: 1 }],
      ['a list as type', { type: ['anonymous'] }],
      ['an object as type', { type: { anonymous: true } }],
      ['the name of an inherited member as type', { type: 'constructor' }],
    ] as const
  ).map(([what, body]) => [what, body, 'invalid_request']);

function typesNotOffered(offered: readonly string[], invented: Invented): readonly BadType[] {
  return TYPES.filter((type) => !offered.includes(type)).map((type) => [
    `${type}, which is not offered`,
    bodyOf(type, invented),
    `${type}_not_enabled`,
  ]);
}

function bodyOf(type: (typeof TYPES)[number], invented: Invented): unknown {
  if (type === 'service_auth') return { type, login_hint: invented.email() };
  return type === 'anonymous' ? { type } : { type, assertion: 'e30.e30.e30' };
}

export const registrationTypes = serviceScenario({
  id: 'registration-types',
  title: 'A registration of a type that is unknown, missing or not offered',
  checks: {
    refused: 'Only the types that the service offers register anybody.',
    'refusal-status': 'A type that is unknown, missing or not offered is answered 400.',
  },
  dangerous: true,
  async run(judge, world) {
    const { identityTypes } = world.facts;
    const { invented } = world;
    const register = async (body: unknown) => notLimited(await world.client.identity(body));
    await mustTakeRegistrations(world);
    const wrong = [...malformedTypes(invented), ...typesNotOffered(identityTypes, invented)];
    for (const [what, body] of wrong) {
      const answer = await register(body);
      if (!judge.table(answer, { refused }, { case: what })) continue;
      judge.table(answer, { 'refusal-status': status(400) }, { case: what });
    }
  },
});
