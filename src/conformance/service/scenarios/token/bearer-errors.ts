import type { Answer } from '../../../http/answer.ts';
import { readChallenges } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';
import { isSecureUrl, metadataHint } from '../../steps/urls.ts';

/** RFC 6750 §3. */
const ALLOWED = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

export const bearerErrors = serviceScenario({
  id: 'bearer-errors',
  title: 'Bad tokens are refused, all in the same way',
  checks: {
    refused: 'A malformed, unknown or revoked token is refused.',
    altered: 'A good token with one changed letter is refused.',
    status: 'It is answered with 401.',
    challenge: 'The refusal carries a Bearer challenge that names the metadata.',
    'invalid-token': 'The challenge says invalid_token.',
    characters: 'Its texts have none but the allowed characters.',
    alike: 'Unknown and revoked tokens cannot be told apart.',
    malformed: 'A malformed token is answered as an unknown one.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    const assertion = await someAssertion(world);
    const token = await world.accessToken(assertion);
    const cases: [what: string, header: string][] = [
      ['an unknown token', `Bearer ${world.invented.token()}`],
    ];
    const malformed: readonly [what: string, header: string][] = [
      ['no token after the scheme', 'Bearer'],
      ['two words', `Bearer ${token} ${token}`],
      ['a quoted token', `Bearer "${token}"`],
    ];
    if (facts.revocationEndpoint !== undefined) {
      const revoked = await world.accessToken(assertion);
      await client.revoke(revoked);
      cases.push(['a revoked token', `Bearer ${revoked}`]);
    }
    const answers: [string, Answer][] = [];
    const odd: [string, Answer][] = [];
    for (const [what, header] of [...cases, ...malformed]) {
      const answer = await client.call(undefined, { headers: [['authorization', header]] });
      const isRefused = judge.expect(
        'refused',
        answer.status === 401 || answer.status === 400,
        answer,
        { expected: `401 for ${what}` },
      );
      const isMalformed = malformed.some(([other]) => other === what);
      if (isRefused) (isMalformed ? odd : answers).push([what, answer]);
    }
    for (const changed of alterations(token)) {
      const answer = await client.call(changed);
      judge.expect('altered', answer.refused && answer.status !== 403, answer);
    }
    for (const [what, answer] of answers) {
      const challenge = readChallenges(answer.header('www-authenticate') ?? '')?.find(
        ({ scheme }) => scheme === 'bearer',
      );
      const parameters = new Map(challenge?.parameters ?? []);
      const seen = answer.header('www-authenticate') ?? 'No WWW-Authenticate.';
      const at = { seen, exchange: answer.exchange };
      judge.expect('status', answer.status === 401, answer, { expected: `401 for ${what}` });
      if (answer.status !== 401) continue;
      judge.expect('challenge', isSecureUrl(metadataHint(answer)), at.seen, {
        expected: `a Bearer challenge with resource_metadata for ${what}`,
        exchange: at.exchange,
      });
      judge.expect('invalid-token', parameters.get('error') === 'invalid_token', at.seen, {
        expected: `error="invalid_token" for ${what}`,
        exchange: at.exchange,
      });
      const texts = ['error', 'error_description'].map((name) => parameters.get(name) ?? '');
      judge.expect(
        'characters',
        texts.every((text) => ALLOWED.test(text)),
        at.seen,
        { exchange: at.exchange },
      );
    }
    const [first] = answers;
    judge.skip('alike', 'Only one kind of bad token could be made.');
    if (first === undefined) {
      judge.skip('malformed', 'An unknown token is not refused.');
      return;
    }
    for (const [check, others] of [
      ['alike', answers.slice(1)],
      ['malformed', odd],
    ] as const) {
      for (const [what, answer] of others) {
        judge.expect(check, likenessOf(answer) === likenessOf(first[1]), answer, {
          expected: `the same answer for ${what} as for ${first[0]}`,
        });
      }
    }
  },
});

/** One letter changed, at the beginning, in the middle and at the end. */
function alterations(token: string): readonly string[] {
  return [4, Math.floor(token.length / 2), token.length - 2].map((at) => {
    const letter = token[at] === 'A' ? 'B' : 'A';
    return token.slice(0, at) + letter + token.slice(at + 1);
  });
}

function likenessOf(answer: Answer | undefined): string {
  return [answer?.status, answer?.header('www-authenticate'), answer?.text].join('\n');
}
