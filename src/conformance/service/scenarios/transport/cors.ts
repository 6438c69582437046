import type { Answer } from '../../../http/answer.ts';
import type { Sending } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';

export const cors = serviceScenario({
  id: 'cors',
  title: 'Scripts of other origins get nothing with credentials',
  safe: true,
  checks: {
    credentials: 'No foreign origin is allowed to send cookies along and read the answer.',
  },
  async run(judge, world) {
    for (const origin of [`https://${world.elsewhere}`, 'null']) {
      for (const url of addressesOf(world)) {
        for (const sending of requestsOf(origin)) {
          const answer = await world.send(url, sending);
          judge.expect(
            'credentials',
            !isOpen(answer, origin),
            `Access-Control-Allow-Origin: ${answer.header('access-control-allow-origin')}, with credentials`,
            {
              expected: `no Access-Control-Allow-Credentials for ${origin} at ${new URL(url).pathname}`,
              exchange: answer.exchange,
            },
          );
        }
      }
    }
  },
});

function isOpen(answer: Answer, origin: string): boolean {
  const allowed = answer.header('access-control-allow-origin');
  const credentials = answer.header('access-control-allow-credentials');
  return credentials?.toLowerCase() === 'true' && allowed === origin;
}

function addressesOf({ facts }: ServiceWorld): readonly string[] {
  return [
    facts.identityEndpoint,
    facts.claimEndpoint,
    facts.tokenEndpoint,
    facts.revocationEndpoint,
    facts.resource,
    facts.jwksUri,
  ].filter((url) => url !== undefined);
}

function requestsOf(origin: string): readonly Sending[] {
  return [
    { headers: [['origin', origin]] },
    {
      method: 'OPTIONS',
      headers: [
        ['origin', origin],
        ['access-control-request-method', 'POST'],
        ['access-control-request-headers', 'authorization,content-type'],
      ],
    },
  ];
}
