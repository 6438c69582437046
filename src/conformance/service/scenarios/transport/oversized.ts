import { gzipSync } from 'node:zlib';
import { MEDIA_TYPE } from '../../../../protocol/index.ts';
import type { Answer } from '../../../http/answer.ts';
import { NoAnswer, type Sending } from '../../../http/http-client.ts';
import type { RawReply } from '../../../http/raw.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { someRegistration } from '../../steps/new-registration.ts';

const MEGABYTE = 1024 * 1024;
const HUGE = 10 * MEGABYTE;

export const oversized = serviceScenario({
  id: 'oversized',
  title: 'What is too large is refused while it arrives',
  checks: {
    bodies: 'A body of ten megabytes is refused.',
    'bodies-status': 'It is answered with 413.',
    chunks: 'A body that goes on without a length is refused.',
    packed: 'A small body that unpacks to a huge one is not taken.',
    headers: 'A request with ever more header fields is refused.',
    addresses: 'A request with an endless address is refused.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    const identity = client.endpoint('identityEndpoint');
    const padded = (size: number) =>
      JSON.stringify({ ...someRegistration(world), padding: 'x'.repeat(size) });
    const large: [string, Sending][] = [
      [identity, json(padded(HUGE))],
      [client.endpoint('tokenEndpoint'), form(`assertion=${'x'.repeat(HUGE)}`)],
    ];
    for (const [url, sending] of large) {
      const answer = await sendLarge(world, url, sending);
      if (answer === undefined) {
        judge.expect('bodies', true, '');
        continue;
      }
      const where = new URL(url).pathname;
      judge.expect('bodies', answer.refused, answer, {
        expected: `ten megabytes at ${where} are refused`,
      });
      judge.expect('bodies-status', answer.status === 413, answer, {
        expected: `413 at ${where}`,
        warn: true,
      });
    }
    const packed = gzipSync(padded(HUGE));
    const bomb = await sendLarge(world, identity, {
      headers: [
        ['content-type', MEDIA_TYPE.json],
        ['content-encoding', 'gzip'],
      ],
      body: packed,
    });
    judge.expect('packed', bomb === undefined || bomb.refused, bomb ?? '', {
      expected: `${packed.byteLength} bytes that unpack to ten megabytes are refused`,
    });
    const endless = await world.raw(identity, { chunks: endlessBody(identity, world) });
    judge.expect('chunks', isRefused(endless), seenOf(endless), { exchange: endless.exchange });
    const { jwksUri: document = facts.skill } = facts;
    if (document === undefined) {
      judge.skip(['headers', 'addresses'], 'The service names no document to ask for.');
      return;
    }
    const flood = await world.raw(document, { chunks: endlessHead(document, world) });
    judge.expect('headers', isRefused(flood), seenOf(flood), { exchange: flood.exchange });
    const long = await world.raw(document, { chunks: longAddress(document, world) });
    judge.expect('addresses', isRefused(long), seenOf(long), { exchange: long.exchange });
  },
});

function json(body: string): Sending {
  return { headers: [['content-type', MEDIA_TYPE.json]], body };
}

function form(body: string): Sending {
  return { headers: [['content-type', MEDIA_TYPE.form]], body };
}

/** Undefined when the service broke off, as it may: RFC 9110 §15.5.14. */
async function sendLarge(
  world: ServiceWorld,
  url: string,
  sending: Sending,
): Promise<Answer | undefined> {
  try {
    // A connection with half a body on it is good for nothing else.
    const headers = [...(sending.headers ?? []), ['connection', 'close'] as const];
    return await world.send(url, { ...sending, headers });
  } catch (error) {
    if (error instanceof NoAnswer && error.kind === 'broken') return undefined;
    throw error;
  }
}

function isRefused({ statuses, closed }: RawReply): boolean {
  const [status] = statuses;
  return status === undefined ? closed : status >= 400 && status < 500;
}

function seenOf({ statuses, closed }: RawReply): string {
  const [status] = statuses;
  if (status !== undefined) return `It answered ${status}.`;
  return closed ? 'It ended the connection.' : 'It read on.';
}

function head(url: string, method: string, path = new URL(url).pathname): string {
  return `${method} ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n`;
}

function* endlessBody(url: string, world: ServiceWorld): Iterable<string> {
  const start = JSON.stringify(someRegistration(world)).slice(0, -1);
  yield `${head(url, 'POST')}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  yield chunk(`${start},"${world.invented.member()}":"`);
  const part = chunk('x'.repeat(64 * 1024));
  for (let sent = 0; sent < HUGE; sent += 64 * 1024) yield part;
  yield chunk('"}');
  yield '0\r\n\r\n';
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

function* endlessHead(url: string, { invented }: ServiceWorld): Iterable<string> {
  yield head(url, 'GET');
  const name = invented.header();
  const value = 'x'.repeat(4000);
  for (let at = 0; at < MEGABYTE / 4000; at += 1) yield `${name}-${at}: ${value}\r\n`;
  yield 'Connection: close\r\n\r\n';
}

function* longAddress(url: string, { invented }: ServiceWorld): Iterable<string> {
  yield `GET ${new URL(url).pathname}?${invented.word()}=`;
  const part = 'x'.repeat(64 * 1024);
  for (let at = 0; at < 16; at += 1) yield part;
  yield ` HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n\r\n`;
}
