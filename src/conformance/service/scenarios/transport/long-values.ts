import { gzipSync } from 'node:zlib';
import { JWT_BEARER_GRANT, MEDIA_TYPE } from '../../../../protocol/index.ts';
import { failing, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import type { Sending } from '../../../http/http-client.ts';
import { NoAnswer } from '../../../http/no-answer.ts';
import { endlessHead, refusedOrClosed } from '../../../target/bad-connections.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import { someAssertion, someRegistration } from '../../steps/new-registration.ts';
import { isMuchSlower } from '../../steps/response-time.ts';

const SHORT = 10;
const LENGTH = 30_000;
/** A busy machine is slow by chance: one of so many pairs has to be quick. */
const TRIES = 3;

export const longValues = serviceScenario({
  id: 'long-values',
  title: 'Long values are answered as quickly as short ones',
  checks: {
    quick: 'A long value is answered about as quickly as a short one.',
    answered: 'A long value is taken or refused, never answered 5xx.',
  },
  costly: true,
  dangerous: true,
  async run(judge, world) {
    // What is refused at once is not slow.
    await mustTakeRegistrations(world);
    for (const [what, send] of requestsOf(world)) {
      const odd = `${what} of ${LENGTH} letters`;
      const sendOddly = () => world.recorder.oddly(odd, () => sendBoth(send));
      let pair = await sendOddly();
      for (let tries = 1; tries < TRIES && isSlow(pair) && pair.long !== undefined; tries += 1) {
        pair = await sendOddly();
      }
      const { short, long } = pair;
      const more = { case: odd, exchange: long?.exchange };
      if (long !== undefined) judge.expect('answered', long.status < 500, long, more);
      const time = long === undefined ? 'no answer in time' : `${long.duration} ms`;
      judge.expect(
        'quick',
        !isSlow(pair),
        `${time}, but ${short.duration} ms for ${SHORT} letters`,
        more,
      );
    }
  },
});

type Request = (length: number) => Promise<Answer>;

interface Pair {
  readonly short: Answer;
  /** Absent when it had no answer in time, unlike the short one. */
  readonly long: Answer | undefined;
}

async function sendBoth(send: Request): Promise<Pair> {
  const short = await send(SHORT);
  try {
    return { short, long: await send(LENGTH) };
  } catch (error) {
    if (error instanceof NoAnswer && error.kind === 'timeout') return { short, long: undefined };
    throw error;
  }
}

function isSlow({ short, long }: Pair): boolean {
  return long === undefined || isMuchSlower(long, short);
}

function requestsOf({ client }: ServiceWorld): readonly (readonly [what: string, Request])[] {
  return [
    ['an email', (length) => client.registerByEmail(`${'a.'.repeat(length / 2)}@example.com`)],
    ['an email of at signs', (length) => client.registerByEmail('@'.repeat(length))],
    ['a scope', (length) => client.exchange('x', { scope: 'a '.repeat(length / 2) })],
    ['a word of a scope', (length) => client.exchange('x', { scope: 'a'.repeat(length) })],
    ['an assertion', (length) => client.exchange('a.'.repeat(length / 2))],
    ['a resource', (length) => client.exchange('x', { resource: `https://${'a'.repeat(length)}` })],
  ];
}

const MEGABYTE = 1024 * 1024;
const HUGE = 10 * MEGABYTE;

export const oversized = serviceScenario({
  id: 'oversized',
  title: 'Oversized requests are refused while they arrive',
  checks: {
    bodies: 'A body of ten megabytes is refused.',
    'bodies-status': 'A body of ten megabytes is answered with 413.',
    chunks: 'A chunked body that does not end is refused, or its connection closed.',
    packed: 'A gzip body that unpacks to ten megabytes is refused.',
    headers: 'A request with a megabyte of header fields is refused, or its connection closed.',
    addresses: 'A request with a URL of a megabyte is refused, or its connection closed.',
  },
  costly: true,
  dangerous: true,
  async run(judge, world) {
    const { client, facts } = world;
    await mustTakeRegistrations(world);
    const identity = client.endpoint('identityEndpoint');
    const raw = async (url: string, odd: string, chunks: Iterable<string>) => {
      const reply = await world.recorder.oddly(odd, () => world.raw(url, { chunks }));
      if (reply.closed) await mustAnswer(world);
      return reply;
    };
    const padded = (size: number) =>
      JSON.stringify({ ...someRegistration(world), padding: 'x'.repeat(size) });
    // Right ones, but for their size: a service that reads them takes them.
    await judgeLarge(identity, json(padded(HUGE)));
    const packed = gzipSync(padded(HUGE));
    const bomb = await sendLarge(world, identity, {
      headers: [
        ['content-type', MEDIA_TYPE.json],
        ['content-encoding', 'gzip'],
      ],
      body: packed,
    });
    judge.expect('packed', bomb === undefined || bomb.refused, bomb ?? '', {
      case: `${packed.byteLength} bytes of gzip`,
      ...(bomb && failing(bomb)),
    });
    const endless = await raw(identity, 'a body without an end', endlessBody(identity, world));
    judge.table(endless, { chunks: refusedOrClosed });
    const { jwksUri: document = facts.skill } = facts;
    if (document === undefined) {
      judge.skip(['headers', 'addresses'], 'The service names no document to ask for.');
    } else {
      const flood = await raw(
        document,
        'a megabyte of header',
        endlessHead(document, world.invented.header()),
      );
      judge.table(flood, { headers: refusedOrClosed });
      const long = await raw(document, 'a URL of a megabyte', longUrl(document, world));
      judge.table(long, { addresses: refusedOrClosed });
    }
    // At the end: not every service registers without a user.
    if (world.facts.identityTypes.some((type) => type !== 'service_auth')) {
      const assertion = await someAssertion(world);
      await world.accessToken(assertion);
      const exchange = new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion }).toString();
      const padding = 'x'.repeat(HUGE);
      await judgeLarge(client.endpoint('tokenEndpoint'), form(`${exchange}&padding=${padding}`));
    }
    judge.skip('bodies-status', 'The service closed the connection, or took the body.');

    async function judgeLarge(url: string, sending: Sending): Promise<void> {
      const answer = await sendLarge(world, url, sending);
      const more = { case: new URL(url).pathname };
      judge.expect('bodies', answer?.ok !== true, answer ?? '', more);
      // What was taken is one finding, and its status no second one.
      if (answer === undefined || answer.ok) return;
      judge.table(answer, { 'bodies-status': status(413) }, more);
    }
  },
});

function json(body: string): Sending {
  return { headers: [['content-type', MEDIA_TYPE.json]], body };
}

function form(body: string): Sending {
  return { headers: [['content-type', MEDIA_TYPE.form]], body };
}

/** Undefined when the service closed the connection, as RFC 9110 §15.5.14 allows. */
async function sendLarge(
  world: ServiceWorld,
  url: string,
  sending: Sending,
): Promise<Answer | undefined> {
  try {
    // A connection with half a body on it cannot be reused.
    const headers = [...(sending.headers ?? []), ['connection', 'close'] as const];
    const send = () => world.send(url, { ...sending, headers });
    return await world.recorder.oddly('a body of ten megabytes', send);
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.kind !== 'broken') throw error;
    await mustAnswer(world);
    return undefined;
  }
}

/** A service that has died of a request has refused nothing by that. @throws NoAnswer */
async function mustAnswer(world: ServiceWorld): Promise<void> {
  await world.send(world.facts.issuer);
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

function* longUrl(url: string, { invented }: ServiceWorld): Iterable<string> {
  yield `GET ${new URL(url).pathname}?${invented.word()}=`;
  const part = 'x'.repeat(64 * 1024);
  for (let at = 0; at < 16; at += 1) yield part;
  yield ` HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n\r\n`;
}
