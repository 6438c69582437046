import type { RawReply } from '../../../http/raw.ts';
import { serviceScenario } from '../../service-scenario.ts';

export const trickle = serviceScenario({
  id: 'trickle',
  title: 'A connection that stops in the middle of a request is ended',
  safe: true,
  checks: {
    head: 'A request whose header fields do not end is given up.',
    body: 'A request whose body does not come is given up.',
  },
  async run(judge, world) {
    const url = world.client.endpoint('identityEndpoint');
    const timeout = world.connectionLimit;
    world.time.needPatience(timeout);
    const { host, pathname } = new URL(url);
    const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`;
    const within = `${Math.ceil(timeout / 1000)} s`;
    const [first, second] = await Promise.all([
      world.raw(url, { chunks: [head], timeout }),
      world.raw(url, {
        chunks: [`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`],
        timeout,
      }),
    ]);
    for (const [check, reply] of [
      ['head', first],
      ['body', second],
    ] as const) {
      judge.expect(check, isEnded(reply), `Nothing within ${within}.`, {
        expected: `408, or the end of the connection, within ${within}`,
        exchange: reply.exchange,
      });
    }
  },
});

function isEnded({ statuses, closed }: RawReply): boolean {
  return closed || statuses.length > 0;
}
