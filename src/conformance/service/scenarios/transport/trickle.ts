import type { RawReply } from '../../../http/raw.ts';
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
  async run(judge, world) {
    const url = world.client.endpoint('identityEndpoint');
    const timeout = world.connectionLimit;
    world.time.needPatience(timeout);
    const { host, pathname } = new URL(url);
    const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`;
    const [first, second] = await Promise.all([
      world.raw(url, { chunks: [head], timeout }),
      world.raw(url, {
        chunks: [`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`],
        timeout,
      }),
    ]);
    const seen = `Nothing within ${Math.ceil(timeout / 1000)} s.`;
    const ended = ({ statuses, closed, exchange }: RawReply) => ({
      ok: closed || statuses.length > 0,
      seen,
      exchange,
    });
    judge.table(first, { head: ended });
    judge.table(second, { body: ended });
  },
});
