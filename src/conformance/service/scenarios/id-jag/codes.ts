import { noStore } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readChallenges } from '../../../http/challenge.ts';
import { makeKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { agentAuthChallenge, challengeField, error, strings } from '../../steps/answers.ts';
import { isAccepted, mustBeAccepted, present } from '../../steps/present-id-jag.ts';
import type { MintOptions } from '../../test-provider.ts';

/** One way in which an ID-JAG is wrong. */
interface Mistake {
  readonly code: string;
  readonly what: string;
  readonly status?: number;
  readonly header?: MintOptions['header'];
  readonly claims?: MintOptions['claims'];
  readonly byStranger?: true;
  readonly forged?: true;
}

/** In the order in which a service has to find them. */
const orderedMistakes = (elsewhere: string): readonly Mistake[] => [
  { code: 'invalid_request', what: 'typ JWT', header: { typ: 'JWT' } },
  { code: 'invalid_issuer', what: 'an issuer without trust', byStranger: true },
  { code: 'invalid_signature', what: 'a signature by another key', forged: true },
  { code: 'invalid_audience', what: 'another audience', claims: { aud: `https://${elsewhere}` } },
  { code: 'expired', what: 'an exp in the past', claims: { iat: 1_000_000, exp: 1_000_300 } },
  {
    code: 'missing_verified_email',
    what: 'an email that is not verified',
    claims: { email_verified: false },
  },
  { code: 'login_required', what: 'no auth_time', claims: { auth_time: undefined }, status: 401 },
];

const furtherMistakes = (elsewhere: string): readonly Mistake[] => [
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
  title: 'Status and code show why an ID-JAG is refused',
  checks: {
    codes: 'Each refusal has the status and the code of the wire contract.',
    order: 'Of two mistakes the one that is looked at first is reported.',
    json: 'Each refusal is a JSON object with an error code.',
    body: 'Each refusal has error, error_description and message.',
    uncached: 'Each refusal has Cache-Control: no-store.',
    challenge: 'A 401 carries a challenge.',
    'own-challenge':
      'The challenge of a 401 has the scheme AgentAuth, the error code and no resource_metadata.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const used = await mustBeAccepted(world);
    const mint = minter(world);
    const mistakes = orderedMistakes(world.elsewhere);
    for (const mistake of [...mistakes, ...furtherMistakes(world.elsewhere)]) {
      const { code, what, status = 400 } = mistake;
      const answer = await present(world, mint([mistake]));
      if (isAccepted(answer)) continue;
      const wanted = { case: what, expected: `${status} ${code}` };
      judge.table(answer, { codes: error(status, code) }, wanted);
      judge.table(answer, {
        json: { ok: answer.mediaType.endsWith('json') && answer.errorCode !== undefined },
        body: strings('error', 'error_description', 'message'),
        uncached: noStore,
      });
      if (answer.status === 401) judgeChallenge(answer);
    }
    const again = await present(world, used.assertion);
    judge.table(again, { codes: error(400, 'replay_detected') }, { case: 'a used ID-JAG' });
    for (const [at, first] of mistakes.entries()) {
      const second = mistakes[at + 1];
      if (second === undefined) break;
      const answer = await present(world, mint([first, second]));
      judge.expect('order', answer.errorCode === first.code, answer, {
        case: `${first.what} (${first.code}) and ${second.what} (${second.code})`,
      });
    }
    judge.skip(['challenge', 'own-challenge'], 'Nothing was answered 401.');
    judge.skip(['json', 'body', 'uncached'], 'Nothing was refused.');

    function judgeChallenge(answer: Answer): void {
      judge.table(answer, {
        challenge: challengeField((field) => (readChallenges(field) ?? []).length > 0),
        'own-challenge': [
          agentAuthChallenge(),
          challengeField((field) => !/resource_metadata/i.test(field)),
        ],
      });
    }
  },
});

/** Mints ID-JAGs of new users with all of some mistakes. */
function minter(world: ServiceWorld) {
  const foreign = makeKey();
  const { provider, stranger } = world.providers;
  return (mistakes: readonly Mistake[]) => {
    const by = mistakes.some(({ byStranger }) => byStranger) ? stranger : provider;
    const isForged = mistakes.some(({ forged }) => forged);
    const merged = (part: 'header' | 'claims') =>
      Object.assign({}, ...mistakes.map((mistake) => mistake[part] ?? {})) as object;
    const options = {
      header: { kid: by.keys[0].kid, ...merged('header') },
      claims: { ...merged('claims') },
      ...(isForged && { key: foreign }),
    };
    return world.idJag(world.freshSubject(), options, by);
  };
}
