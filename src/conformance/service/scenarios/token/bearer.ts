import { challenge, header, is, status } from '../../../engine/rows.ts';
import { type Answer, isObject } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-world.ts';
import { isErrorText } from '../../steps/answers.ts';
import { mustOpen, refusedUnlike } from '../../steps/controls.ts';
import { someAssertion } from '../../steps/new-registration.ts';
import { isSecureUrl, metadataHint } from '../../steps/urls.ts';
import { described, NO_WRITE, Writes } from '../../steps/writes.ts';
import type { WriteRequest } from '../../write-request.ts';

export const bearer = serviceScenario({
  id: 'bearer',
  title: 'A token is taken from the Authorization header alone',
  checks: {
    works: 'A call with a valid token is answered, and not with 401.',
    'letter-case': 'The scheme is case-insensitive.',
    query: 'A token in the query is refused, unless bearer_methods_supported has `query`.',
    body: 'A token in the body is refused, unless bearer_methods_supported has `body`.',
    repeated: 'A call with two Authorization headers is answered 400 or 401.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    const token = await world.accessToken(await someAssertion(world));
    const good = await client.call(token);
    if (!judge.expect('works', good.status !== 401 && good.status < 500, good)) return;
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      const headers = [['authorization', `${scheme} ${token}`]] as const;
      const answer = await client.call(undefined, { headers });
      const more = { case: scheme, expected: `${good.status}, as after Bearer` };
      judge.table(answer, { 'letter-case': status(good.status) }, more);
    }
    const listed = [facts.resourceMetadata, facts.metadata].flatMap(
      (document) => document['bearer_methods_supported'] ?? [],
    );
    if (!listed.includes('query')) {
      const url = new URL(client.protectedUrl());
      url.searchParams.set('access_token', token);
      const answer = await world.send(url.href, { from: 'agent' });
      // One that is read is answered as that of the header is, or is too narrow.
      const isRead = answer.status === good.status || answer.status === 403;
      judge.expect('query', answer.refused && !isRead, answer);
    }
    if (!listed.includes('body')) await judgeBody();
    const other = world.invented.token();
    for (const values of [
      [token, other],
      [other, token],
    ]) {
      const headers = values.map((value) => ['authorization', `Bearer ${value}`] as const);
      const answer = await client.call(undefined, { headers });
      judge.table(answer, { repeated: status(400, 401) });
    }

    async function judgeBody(): Promise<void> {
      const writes = new Writes(world);
      for (const write of writes.all().filter(({ body }) => body !== undefined)) {
        const withToken = { ...write, body: holding(write.body, token) };
        const answer = await writes.send(withToken, undefined);
        const outcome = await writes.outcome(write, answer);
        if (outcome === 'unknown') continue;
        // Whoever finds it too narrow has read it.
        const isRead =
          outcome === 'taken' ||
          (answer.status === 403 && (await writes.send(write, undefined)).status !== 403);
        judge.table(answer, { body: { ok: !isRead } }, { case: described(write) });
      }
      judge.skip('body', NO_WRITE, { needs: '--write-request' });
    }
  },
});

/** The same body with an access token in it, as RFC 6750 §2.2 has it, or as a member. */
function holding(body: WriteRequest['body'], token: string): WriteRequest['body'] {
  if (body?.type !== 'application/json') {
    const form = new URLSearchParams(body?.text);
    form.set('access_token', token);
    return { type: 'application/x-www-form-urlencoded', text: form.toString() };
  }
  const value: unknown = JSON.parse(body.text);
  return isObject(value)
    ? { ...body, text: JSON.stringify({ ...value, access_token: token }) }
    : body;
}

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
  resting: { 'challenge.open': ['same-connection'] },
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

/** The token with one letter changed, at the beginning, in the middle and at the end. */
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
