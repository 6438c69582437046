import type { Answer } from '../../../http/answer.ts';
import { openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { bitsToGuess } from '../../steps/entropy.ts';
import { someAssertion } from '../../steps/new-registration.ts';

const TOKENS = 8;
const HOUR_S = 3600;
/** RFC 6749 §10.10 has 128. It is an estimate from few tokens, so that a little less is let pass. */
const MIN_BITS = 120;

export const exchange = serviceScenario({
  id: 'exchange',
  title: 'An assertion is exchanged for access tokens',
  checks: {
    granted: 'The exchange is answered with 200 and an access token.',
    'media-type': 'The answer is application/json.',
    'token-type': 'The token is of the type Bearer.',
    'expires-in': '`expires_in` is a number above zero.',
    'short-lived': 'The token lives for an hour at most.',
    scope: 'The answer says the scope.',
    'no-refresh-token': 'There is no refresh token.',
    'unknown-parameters': 'Parameters that are not known are ignored.',
    'empty-values': 'A parameter without a value is as good as none.',
    unguessable: 'Tokens differ, and are too long to be guessed.',
    opaque: 'Tokens are opaque.',
  },
  async run(judge, world) {
    const { client } = world;
    const assertion = await someAssertion(world);
    const answer = await client.exchange(assertion);
    const at = { exchange: answer.exchange };
    const isGranted = answer.status === 200 && answer.string('access_token') !== undefined;
    judge.expect('granted', isGranted, answer);
    const token = world.must(answer, 'access_token', 'an exchange');
    judge.expect(
      'media-type',
      answer.mediaType === 'application/json',
      `Content-Type: ${answer.header('content-type') ?? 'none'}`,
      { ...at },
    );
    judge.expect(
      'token-type',
      answer.string('token_type')?.toLowerCase() === 'bearer',
      JSON.stringify(answer.member('token_type')) ?? 'nothing',
      { ...at },
    );
    const lifetime = answer.member('expires_in');
    const seen = { seen: JSON.stringify(lifetime) ?? 'nothing', ...at };
    judge.expect('expires-in', typeof lifetime === 'number' && lifetime > 0, seen.seen, {
      exchange: seen.exchange,
    });
    judge.expect('short-lived', typeof lifetime !== 'number' || lifetime <= HOUR_S, seen.seen, {
      expected: `at most ${HOUR_S}`,
      exchange: seen.exchange,
    });
    judge.expect('scope', answer.string('scope') !== undefined, 'No scope.', at);
    judge.expect(
      'no-refresh-token',
      answer.member('refresh_token') === undefined,
      'There is one.',
      { ...at },
    );
    const unknown = await client.exchange(assertion, {
      [world.invented.member()]: world.invented.word(),
    });
    judge.expect('unknown-parameters', unknown.status === 200, unknown);
    const empty = await client.exchange(assertion, { scope: '', resource: '' });
    judge.expect('empty-values', empty.status === 200, empty);
    const tokens = [answer, unknown, empty].flatMap(tokenOf);
    while (tokens.length < TOKENS) tokens.push(await world.accessToken(assertion));
    const bits = bitsToGuess(tokens);
    judge.expect(
      'unguessable',
      bits >= MIN_BITS,
      `${TOKENS} tokens have about ${Math.floor(bits)} bits that differ.`,
    );
    judge.expect('opaque', openJwt(token) === undefined, 'The token is a JWT.', at);
  },
});

function tokenOf(answer: Answer): readonly string[] {
  const token = answer.string('access_token');
  return token === undefined ? [] : [token];
}
