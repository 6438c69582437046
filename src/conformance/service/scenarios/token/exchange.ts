import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import type { Invented } from '../../../engine/invented.ts';
import { CannotTest } from '../../../engine/judge.ts';
import {
  errorCode,
  header,
  isNumber,
  isText,
  matches,
  mediaType,
  member,
  refused,
  status,
} from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readChallenges } from '../../../http/challenge.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-world.ts';
import { noRefreshToken, noToken } from '../../steps/answers.ts';
import { bitsToGuess } from '../../steps/entropy.ts';
import { isDocumented } from '../../steps/metadata-documents.ts';
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

const JOINED = 'RFC 6749 §3.2 forbids it to agents; the scopes of both may be read as one list.';
const SEVERAL_SCOPES = /\bscope\b.*\b(?:repeat|twice|several times|more than once)/i;

export const exchangeRefusals = serviceScenario({
  id: 'exchange-refusals',
  title: 'Wrong token requests are refused, each with its error code',
  checks: {
    refused: 'A wrong request is answered with a 4xx status and no token.',
    missing: 'A request without grant_type or assertion is answered invalid_request.',
    'bad-assertion': 'A malformed assertion is answered invalid_grant.',
    repeated: 'A repeated parameter is answered invalid_request.',
    'one-jwt': 'Several JWTs, or a JWT in JSON serialization, are refused as an assertion.',
    get: 'A request by GET gets no token.',
  },
  resting: { 'exchange-refusals.refused': ['repeated'] },
  async run(judge, world) {
    const { client } = world;
    const assertion = await someAssertion(world);
    await world.accessToken(assertion);
    const right = { grant_type: JWT_BEARER_GRANT, assertion };
    const judgeError = (
      check: 'missing' | 'bad-assertion' | 'repeated',
      code: string,
      answer: Answer,
      what: string,
      reading: string | false = false,
    ) => {
      const more = { case: what, ...(reading && { reading }) };
      if (!judge.table(answer, { refused: noToken }, more)) return;
      judge.table(answer, { [check]: errorCode(code) }, more);
    };
    for (const [what, form] of [
      ['no parameters', {}],
      ['no grant_type', { assertion }],
      ['no assertion', { grant_type: JWT_BEARER_GRANT }],
      ['an empty assertion', { ...right, assertion: '' }],
    ] as const) {
      judgeError('missing', 'invalid_request', await client.token(form), what);
    }
    for (const [what, bad] of [
      ['a word as assertion', world.invented.word()],
      ['three dots as assertion', '...'],
      ['half an assertion', assertion.slice(0, assertion.length / 2)],
    ] as const) {
      judgeError('bad-assertion', 'invalid_grant', await client.exchange(bad), what);
    }
    const url = client.endpoint('tokenEndpoint');
    const scope = world.invented.scope();
    for (const [name, value] of [
      ['grant_type', JWT_BEARER_GRANT],
      ['assertion', assertion],
      ['scope', scope],
    ] as const) {
      const first: [string, string][] = name === 'scope' ? [['scope', scope]] : [];
      const form: [string, string][] = [...Object.entries(right), ...first, [name, value]];
      const answer = await client.postForm(url, form, { from: 'agent' });
      const isTaken = name === 'scope' && answer.errorCode !== 'invalid_request';
      if (isTaken && (await isDocumented(world, SEVERAL_SCOPES))) continue;
      judgeError('repeated', 'invalid_request', answer, `two of ${name}`, isTaken && JOINED);
    }
    const [protectedHeader = '', payload = '', signature = ''] = assertion.split('.');
    for (const several of [
      `${assertion} ${assertion}`,
      `${assertion},${assertion}`,
      JSON.stringify({ protected: protectedHeader, payload, signature }),
      JSON.stringify({ payload, signatures: [{ protected: protectedHeader, signature }] }),
    ]) {
      judge.table(await client.exchange(several), { 'one-jwt': refused });
    }
    const query = new URLSearchParams(right).toString();
    const got = await world.send(`${url}?${query}`, { from: 'agent' });
    judge.expect('get', !got.ok && got.string('access_token') === undefined, got);
  },
});

interface Attempt {
  readonly what: string;
  readonly headers?: HeaderList;
  readonly form?: Readonly<Record<string, string>>;
}

const REVOCATION =
  'RFC 7009 §2.1 has the credentials validated only of clients that were given some.';

function attemptsOf(invented: Invented): readonly Attempt[] {
  const basic = Buffer.from(`${invented.word()}:${invented.token()}`).toString('base64');
  return [
    { what: 'Basic credentials', headers: [['authorization', `Basic ${basic}`]] },
    {
      what: 'a client secret',
      form: { client_id: invented.word(), client_secret: invented.token() },
    },
    {
      what: 'a client assertion',
      form: {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `${invented.word()}.${invented.word()}.${invented.word()}`,
      },
    },
  ];
}

export const clientAuthentication = serviceScenario({
  id: 'client-authentication',
  title: 'Wrong client credentials are refused',
  checks: {
    refused: 'Wrong client credentials are refused, not ignored (RFC 7523 §3.1).',
    code: 'Wrong client credentials are answered invalid_client.',
    challenge:
      'Wrong credentials in Authorization are answered 401 with a challenge of their scheme.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    const assertion = await someAssertion(world);
    const requests: [string, Readonly<Record<string, string>>][] = [
      [client.endpoint('tokenEndpoint'), { grant_type: JWT_BEARER_GRANT, assertion }],
    ];
    if (facts.revocationEndpoint !== undefined) {
      requests.push([facts.revocationEndpoint, { token: world.invented.token() }]);
    }
    judge.skip(['code', 'challenge'], 'No credentials were refused.');
    for (const [url, right] of requests) {
      const plain = await client.postForm(url, right, { from: 'agent' });
      if (!plain.ok) {
        const at = new URL(url).pathname;
        throw new CannotTest(
          `The request without credentials was refused at ${at} (${plain.describe()}).`,
        );
      }
      for (const { what, headers = [], form = {} } of attemptsOf(world.invented)) {
        const more = { case: `${what} at ${new URL(url).pathname}` };
        const sent = { ...right, ...form };
        const answer = await client.postForm(url, sent, { from: 'agent', headers });
        const reading = url === facts.revocationEndpoint ? REVOCATION : undefined;
        if (!judge.table(answer, { refused }, { ...more, reading })) continue;
        judge.table(answer, { code: errorCode('invalid_client') }, more);
        const used = headers[0]?.[1].split(' ')[0]?.toLowerCase();
        if (used === undefined) continue;
        const challenges = readChallenges(answer.header('www-authenticate') ?? '') ?? [];
        const isOfScheme = () => challenges.some(({ scheme }) => scheme === used);
        judge.table(
          answer,
          { challenge: [status(401), header('WWW-Authenticate', isOfScheme)] },
          { ...more, expected: `401 with a challenge of the scheme ${used} (RFC 6749 §5.2)` },
        );
      }
    }
  },
});
