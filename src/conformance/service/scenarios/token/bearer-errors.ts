import { challenge, header, is, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { mustOpen, refusedUnlike } from '../../steps/controls.ts';
import { isErrorText } from '../../steps/error-text.ts';
import { someAssertion } from '../../steps/new-registration.ts';
import { isSecureUrl, metadataHint } from '../../steps/urls.ts';

const REVOKED = 'a revoked token';
const SPELLING =
  'No text says how tokens are compared: where letter case or padding does not count, they are easier to guess.';

export const bearerErrors = serviceScenario({
  id: 'bearer-errors',
  title: 'Bad tokens are refused alike',
  checks: {
    refused: 'A malformed, unknown or revoked token is answered 401 or 400.',
    altered: 'A valid token with one changed letter, or a letter more, is refused.',
    'same-connection': 'After a call with a token, one without is refused on the same connection.',
    status: 'An unknown or revoked token is answered with 401.',
    challenge: 'The 401 carries a Bearer challenge with resource_metadata.',
    'invalid-token': 'The 401 says error="invalid_token".',
    characters: 'The strings of the challenge are printable ASCII without quotes and backslashes.',
  },
  restsOn: { 'same-connection': 'challenge.open' },
  async run(judge, world) {
    const { client, facts } = world;
    const assertion = await someAssertion(world);
    const token = await world.accessToken(assertion);
    const altered = refusedUnlike(await mustOpen(world, token));
    const cases: [what: string, value: string][] = [
      ['an unknown token', `Bearer ${world.invented.token()}`],
    ];
    const malformed: readonly (readonly [what: string, value: string])[] = [
      ['no token after the scheme', 'Bearer'],
      ['two words', `Bearer ${token} ${token}`],
      ['a quoted token', `Bearer "${token}"`],
      // What a table of tokens that is a plain object finds, and what a missing value is as a text.
      ...['constructor', '__proto__', 'undefined', 'null'].map(
        (word) => [`the word ${word}`, `Bearer ${word}`] as const,
      ),
    ];
    if (facts.revocationEndpoint !== undefined) {
      const revoked = await world.accessToken(assertion);
      await client.revoke(revoked);
      cases.push([REVOKED, `Bearer ${revoked}`]);
    }
    const answers: [string, Answer][] = [];
    const odd: [string, Answer][] = [];
    for (const [what, value] of [...cases, ...malformed]) {
      const answer = await client.call(undefined, { headers: [['authorization', value]] });
      // That a revoked token still works is judged by what revokes it.
      if (what === REVOKED && answer.ok) continue;
      const isRefused = judge.table(answer, { refused: status(400, 401) }, { case: what });
      const isMalformed = malformed.some(([other]) => other === what);
      if (isRefused) (isMalformed ? odd : answers).push([what, answer]);
    }
    for (const [what, changed] of alterations(token)) {
      judge.table(await client.call(changed), { altered }, { case: what });
    }
    for (const [what, respelt] of respellings(token)) {
      judge.table(await client.call(respelt), { altered }, { case: what, reading: SPELLING });
    }
    await judgeConnection();
    for (const [what, answer] of answers) {
      judge.table(answer, { status: status(401) }, { case: what });
      if (answer.status !== 401) continue;
      judge.table(
        answer,
        {
          challenge: header('WWW-Authenticate', () => isSecureUrl(metadataHint(answer))),
          'invalid-token': challenge('error', is('invalid_token')),
          characters: [
            challenge('error', isErrorText),
            challenge('error_description', isErrorText),
          ],
        },
        { case: what },
      );
    }

    /** RFC 9110 §3.3: no request is understood by what its connection carried before. */
    async function judgeConnection(): Promise<void> {
      const url = client.protectedUrl();
      const { host, pathname, search } = new URL(url);
      const get = (...fields: readonly string[]) =>
        [`GET ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...fields, '', ''].join('\r\n');
      const alone = await world.raw(url, { chunks: [get()] });
      const authorization = `Authorization: Bearer ${token}`;
      const next = get('Connection: close');
      const { exchange, nextStatus } = await world.raw(url, { chunks: [get(authorization)], next });
      if (!((alone.statuses[0] ?? 0) >= 400) || nextStatus === undefined) {
        return judge.skip('same-connection', 'No second call of a connection tells anything.');
      }
      judge.expect('same-connection', nextStatus >= 400, `${nextStatus}`, { exchange });
    }
  },
});

/** One letter changed, at the beginning, in the middle and at the end. */
function alterations(token: string): readonly (readonly [what: string, changed: string])[] {
  return [4, Math.floor(token.length / 2), token.length - 2].map((at) => {
    const letter = token[at] === 'A' ? 'B' : 'A';
    const what = `letter ${at + 1} of ${token.length} changed`;
    return [what, token.slice(0, at) + letter + token.slice(at + 1)];
  });
}

/** The same token to whoever compares without letter case, or decodes it leniently. */
function respellings(token: string): readonly (readonly [what: string, respelt: string])[] {
  const at = token.slice(4).search(/[A-Za-z]/) + 4;
  const letter = token.charAt(at);
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return [
    ...(at < 4
      ? []
      : [['one letter in other case', token.slice(0, at) + other + token.slice(at + 1)] as const]),
    ['with padding', `${token}=`],
  ];
}
