import { judgePart } from '../../../engine/judge-part.ts';
import type { RawReply } from '../../../http/raw-reply.ts';
import { serviceScenario } from '../../service-scenario.ts';

export const trickle = serviceScenario({
  id: 'trickle',
  title: 'A connection that stalls in the middle of a request is closed',
  safe: true,
  checks: {
    head: 'A request whose header stalls is answered, or its connection is closed.',
    body: 'A request whose body stalls is answered, or its connection is closed.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const url = world.client.endpoint('identityEndpoint');
    const timeout = world.time.within(world.connectionLimit);
    const { host, pathname } = new URL(url);
    const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`;
    const [first, second] = await world.time.away(() =>
      Promise.all([
        world.raw(url, { chunks: [head], timeout }),
        world.raw(url, {
          chunks: [`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`],
          timeout,
        }),
      ]),
    );
    const isEnded = ({ statuses, closed }: RawReply) => closed || statuses.length > 0;
    const seen = `Nothing within ${Math.ceil(timeout / 1000)} s.`;
    for (const [name, reply] of [
      ['head', first],
      ['body', second],
    ] as const) {
      await judgePart(judge, name, async () => {
        if (!isEnded(reply)) world.time.needPatience(world.connectionLimit);
        judge.expect(name, isEnded(reply), seen, { exchange: reply.exchange });
      });
    }
  },
});
