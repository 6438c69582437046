import type { Answer } from '../../../http/answer.ts';
import { challengeParameter, readChallenges } from '../../../http/challenge.ts';
import { makeKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { isTaken, mustBeTaken, present } from '../../steps/present-id-jag.ts';
import type { MintOptions, TestProvider } from '../../test-provider.ts';

/** The mistakes that an ID-JAG can have, in the order in which they are to be found. */
const mistakesOf = (elsewhere: string): readonly Mistake[] => [
  { code: 'invalid_request', what: 'typ JWT', header: { typ: 'JWT' } },
  { code: 'invalid_issuer', what: 'an issuer without trust', byStranger: true },
  { code: 'invalid_signature', what: 'a signature by another key', forged: true },
  { code: 'invalid_audience', what: 'another audience', claims: { aud: `https://${elsewhere}` } },
  { code: 'expired', what: 'an exp that is over', claims: { iat: 1_000_000, exp: 1_000_300 } },
  {
    code: 'missing_verified_email',
    what: 'an address that is not verified',
    claims: { email_verified: false },
  },
  {
    code: 'login_required',
    what: 'no auth_time',
    claims: { auth_time: undefined },
    status: 401,
  },
];

interface Mistake {
  readonly code: string;
  readonly what: string;
  readonly status?: number;
  readonly header?: MintOptions['header'];
  readonly claims?: MintOptions['claims'];
  readonly byStranger?: true;
  readonly forged?: true;
}

const furtherOf = (elsewhere: string): readonly Mistake[] => [
  {
    code: 'invalid_client_id',
    what: 'the client of somebody else',
    claims: { client_id: `https://${elsewhere}/client` },
  },
  { code: 'invalid_request', what: 'no sub', claims: { sub: undefined } },
  { code: 'invalid_signature', what: 'alg none', header: { alg: 'none' } },
];

export const idJagCodes = serviceScenario({
  id: 'id-jag-codes',
  title: 'A refused ID-JAG is told apart by status and code',
  checks: {
    codes: 'Each refusal has the status and the code of the wire contract.',
    order: 'Of two mistakes the one that is looked at first is told.',
    json: 'Each refusal is a JSON object with an error code.',
    body: 'It has error, error_description and message.',
    uncached: 'No cache may keep a refusal.',
    challenge: 'A 401 carries a challenge.',
    'own-challenge': 'The challenge of a 401 is AgentAuth, says the code and leads to no metadata.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const replayed = await mustBeTaken(world);
    const forge = forger(world);
    const mistakes = mistakesOf(world.elsewhere);
    for (const mistake of [...mistakes, ...furtherOf(world.elsewhere)]) {
      const { code, what, status = 400 } = mistake;
      const answer = await present(world, forge([mistake]));
      if (isTaken(answer)) continue;
      judge.expect('codes', answer.status === status && answer.errorCode === code, answer, {
        expected: `${status} ${code} for an ID-JAG with ${what}`,
      });
      judgeBody(answer);
    }
    const again = await present(world, replayed.assertion);
    judge.expect('codes', again.status === 400 && again.errorCode === 'replay_detected', again);
    for (const [at, first] of mistakes.entries()) {
      const second = mistakes[at + 1];
      if (second === undefined) break;
      const answer = await present(world, forge([first, second]));
      judge.expect('order', answer.errorCode === first.code, answer, {
        expected: `${first.code} for an ID-JAG with ${first.what} and ${second.what}`,
      });
    }
    judge.skip(['challenge', 'own-challenge'], 'Nothing was answered 401.');
    judge.skip(['json', 'body', 'uncached'], 'Nothing was refused.');

    function judgeBody(answer: Answer): void {
      judge.expect(
        'json',
        answer.mediaType.endsWith('json') && answer.errorCode !== undefined,
        answer,
      );
      judge.expect(
        'body',
        ['error', 'error_description', 'message'].every((name) => answer.string(name)),
        answer,
      );
      judge.expect(
        'uncached',
        answer.cacheControl.includes('no-store'),
        answer.header('cache-control') ?? 'no Cache-Control',
        { exchange: answer.exchange },
      );
      if (answer.status === 401) judgeChallenge(answer);
    }

    function judgeChallenge(answer: Answer): void {
      const field = answer.header('www-authenticate');
      const seen = { seen: field ?? 'no WWW-Authenticate', exchange: answer.exchange };
      judge.expect('challenge', (readChallenges(field ?? '') ?? []).length > 0, seen.seen, {
        exchange: seen.exchange,
      });
      judge.expect(
        'own-challenge',
        challengeParameter(field, 'agentauth', 'error') === answer.errorCode &&
          !/resource_metadata/i.test(field ?? ''),
        seen.seen,
        { exchange: seen.exchange },
      );
    }
  },
});

function forger(world: ServiceWorld) {
  const foreign = makeKey();
  const { provider, stranger } = world.providers;
  return (mistakes: readonly Mistake[]) => {
    const by: TestProvider = mistakes.some(({ byStranger }) => byStranger) ? stranger : provider;
    const forged = mistakes.some((mistake) => mistake.forged);
    const merged = (part: 'header' | 'claims') =>
      Object.assign({}, ...mistakes.map((mistake) => mistake[part] ?? {})) as object;
    return world.idJag(
      world.freshSubject(),
      {
        header: { kid: by.keys[0].kid, ...merged('header') },
        claims: { ...merged('claims') },
        ...(forged && { key: foreign }),
      },
      by,
    );
  };
}
