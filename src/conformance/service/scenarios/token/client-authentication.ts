import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import type { Invented } from '../../../engine/invented.ts';
import { CannotTest } from '../../../engine/judge.ts';
import { errorCode, header, refused, status } from '../../../engine/rows.ts';
import { readChallenges } from '../../../http/challenge.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';

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
