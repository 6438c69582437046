import { judgePart } from '../../engine/judge-part.ts';
import type { RawReply } from '../../http/raw-reply.ts';
import { providerScenario } from '../provider-scenario.ts';

const MEGABYTE = 1024 * 1024;
const FIELD = 4000;

export const providerConnections = providerScenario({
  id: 'provider-connections',
  title: 'Requests that never end do not block the provider',
  safe: true,
  checks: {
    'header-flood': 'A megabyte of header fields is answered 4xx, or the connection is closed.',
    head: 'A request whose header never ends is answered, or its connection is closed.',
    body: 'A request whose body never arrives is answered, or its connection is closed.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const { metadataUrl } = world.facts;
    const flood = await world.raw(metadataUrl, {
      chunks: endlessHead(metadataUrl, world.invented.header()),
    });
    const [status] = flood.statuses;
    const refused = status === undefined ? flood.closed : status >= 400 && status < 500;
    judge.expect('header-flood', refused, status === undefined ? 'no answer' : `${status}`, {
      exchange: flood.exchange,
    });
    const url = world.client.endpoint('tokenEndpoint');
    const timeout = world.time.within(world.connectionLimit);
    const { host, pathname } = new URL(url);
    const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`;
    const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
    const [first, second] = await world.time.away(() =>
      Promise.all([
        world.raw(url, { chunks: [head], timeout }),
        world.raw(url, { chunks: [`${head}${form}Content-Length: 100\r\n\r\na`], timeout }),
      ]),
    );
    const seen = `no answer within ${Math.ceil(timeout / 1000)} s`;
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

function isEnded({ closed, statuses }: RawReply): boolean {
  return closed || statuses.length > 0;
}

function* endlessHead(url: string, name: string): Iterable<string> {
  yield `GET ${new URL(url).pathname} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n`;
  const value = 'x'.repeat(FIELD);
  for (let at = 0; at < MEGABYTE / FIELD; at += 1) yield `${name}-${at}: ${value}\r\n`;
  yield 'Connection: close\r\n\r\n';
}
