import { isNumber, isText, matches, mediaType, member, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { noRefreshToken } from '../../steps/answers.ts';
import { bitsToGuess } from '../../steps/entropy.ts';
import { someAssertion } from '../../steps/new-registration.ts';

const TOKENS = 8;
const HOUR_S = 3600;
/** RFC 6749 §10.10 has 128; the estimate from few tokens can be a little less. */
const MIN_BITS = 120;

export const exchange = serviceScenario({
  id: 'exchange',
  title: 'An assertion is exchanged for access tokens',
  checks: {
    granted: 'The exchange is answered with 200 and `access_token`.',
    'media-type': 'The answer is application/json.',
    'token-type': '`token_type` is Bearer, in any case.',
    'expires-in': '`expires_in` is a number above zero.',
    'short-lived': '`expires_in` is at most 3600.',
    scope: 'The answer has `scope`.',
    'no-refresh-token': 'The answer has no `refresh_token`.',
    'unknown-parameters': 'Unknown parameters are ignored: the answer is 200.',
    'empty-values': 'An empty scope or resource is ignored: the answer is 200.',
    unguessable: 'Tokens differ in at least 128 bits.',
  },
  async run(judge, world) {
    const { client } = world;
    const assertion = await someAssertion(world);
    const answer = await client.exchange(assertion);
    const isGranted = answer.status === 200 && answer.string('access_token') !== undefined;
    judge.expect('granted', isGranted, answer);
    judge.table(answer, {
      'media-type': mediaType('application/json'),
      'token-type': member('token_type', matches(/^bearer$/i)),
      'expires-in': member('expires_in', (seconds) => isNumber(seconds) && seconds > 0),
      'short-lived': member('expires_in', (seconds) => !isNumber(seconds) || seconds <= HOUR_S),
      scope: member('scope', isText),
      'no-refresh-token': noRefreshToken,
    });
    const unknown = await client.exchange(assertion, {
      [world.invented.member()]: world.invented.word(),
    });
    judge.table(unknown, { 'unknown-parameters': status(200) });
    const empty = await client.exchange(assertion, { scope: '', resource: '' });
    judge.table(empty, { 'empty-values': status(200) });
    const tokens = [answer, unknown, empty].flatMap(tokenOf);
    while (tokens.length < TOKENS) tokens.push(await world.accessToken(assertion));
    const bits = bitsToGuess(tokens);
    const seen = `${TOKENS} tokens differ in about ${Math.floor(bits)} bits.`;
    judge.expect('unguessable', bits >= MIN_BITS, seen);
  },
});

function tokenOf(answer: Answer): readonly string[] {
  const token = answer.string('access_token');
  return token === undefined ? [] : [token];
}
