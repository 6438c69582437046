import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import type { Invented } from '../../../engine/invented.ts';
import { readChallenges } from '../../../http/challenge.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';

interface Attempt {
  readonly what: string;
  readonly headers?: HeaderList;
  readonly form?: Readonly<Record<string, string>>;
}

function attemptsOf(invented: Invented): readonly Attempt[] {
  const basic = Buffer.from(`${invented.word()}:${invented.token()}`).toString('base64');
  return [
    { what: 'Basic credentials', headers: [['authorization', `Basic ${basic}`]] },
    { what: 'Bearer credentials', headers: [['authorization', `Bearer ${invented.token()}`]] },
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
  title: 'A client that authenticates wrongly is told so',
  checks: {
    refused: 'Credentials of a client that are not right are never passed over.',
    code: 'They are answered invalid_client.',
    challenge:
      'Where the Authorization field was used, it is a 401 with a challenge of that scheme.',
    'client-id': 'A client_id alone changes nothing.',
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
      for (const { what, headers = [], form = {} } of attemptsOf(world.invented)) {
        const where = `${what} at ${new URL(url).pathname}`;
        const answer = await client.postForm(
          url,
          { ...right, ...form },
          { from: 'agent', headers },
        );
        const isRefused = judge.expect(
          'refused',
          answer.refused,
          // RFC 7009 §2.1 has credentials validated of those clients alone that were given some.
          answer,
          {
            expected: `${where} are validated, and refused (RFC 7523 §3.1)`,
            warn: url === facts.revocationEndpoint,
          },
        );
        if (!isRefused) continue;
        judge.expect('code', answer.errorCode === 'invalid_client', answer, {
          expected: `invalid_client for ${where}`,
        });
        const used = headers[0]?.[1].split(' ')[0]?.toLowerCase();
        if (used === undefined) continue;
        const schemes = readChallenges(answer.header('www-authenticate') ?? '');
        const isMatching = schemes?.some(({ scheme }) => scheme === used) === true;
        judge.expect(
          'challenge',
          answer.status === 401 && isMatching,
          `${answer.status}, ${answer.header('www-authenticate') ?? 'without a challenge'}`,
          {
            expected: `401 with a challenge of the scheme ${used} (RFC 6749 §5.2)`,
            exchange: answer.exchange,
          },
        );
      }
      const named = await client.postForm(
        url,
        { ...right, client_id: world.invented.word() },
        { from: 'agent' },
      );
      judge.expect('client-id', named.status === 200, named, {
        expected: `200 at ${new URL(url).pathname} with a client_id`,
      });
    }
  },
});
