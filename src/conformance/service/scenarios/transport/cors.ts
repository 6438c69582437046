import type { Answer } from '../../../http/answer.ts';
import type { Sending } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { endpointsOf } from './methods.ts';

export const cors = serviceScenario({
  id: 'cors',
  title: 'CORS grants other origins no credentials',
  safe: true,
  checks: {
    credentials: 'No foreign origin gets Access-Control-Allow-Credentials.',
  },
  async run(judge, world) {
    const { jwksUri, resource } = world.facts;
    const others = [resource, jwksUri].filter((url) => url !== undefined);
    const urls = [...endpointsOf(world), ...others];
    for (const origin of [`https://${world.elsewhere}`, 'null']) {
      for (const url of urls) {
        for (const sending of requestsOf(origin)) {
          const answer = await world.send(url, sending);
          const seen = `Access-Control-Allow-Origin: ${origin}, with credentials`;
          const more = { case: new URL(url).pathname };
          judge.table(answer, { credentials: { ok: !isOpen(answer, origin), seen } }, more);
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
