import { NotApplicable } from '../../../engine/judge.ts';
import type { RawReply } from '../../../http/raw.ts';
import { judgeStalled } from '../../../target/bad-connections.ts';
import { serviceScenario } from '../../service-world.ts';

/** A request in the body of another one: it must never be answered. */
function smuggled(host: string, path: string): string {
  return `GET /${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
}

interface Framing {
  readonly what: string;
  /** Header fields, for a body of so many bytes. */
  fields(length: number): readonly string[];
  readonly body: (hidden: string) => string;
}

const plain = (hidden: string) => hidden;
const chunked = (hidden: string) => `0\r\n\r\n${hidden}`;

/** RFC 9112 §6.3. */
const TWO_LENGTHS: readonly Framing[] = [
  {
    what: 'two lengths',
    fields: (length) => ['Content-Length: 0', `Content-Length: ${length}`],
    body: plain,
  },
  {
    what: 'a list of two lengths',
    fields: (length) => [`Content-Length: 0, ${length}`],
    body: plain,
  },
];

/** RFC 9112 §6.1. */
const TWO_WAYS: readonly Framing[] = [
  {
    what: 'a length and chunks',
    fields: (length) => [`Content-Length: ${length}`, 'Transfer-Encoding: chunked'],
    body: chunked,
  },
  {
    what: 'chunks and a length',
    fields: (length) => ['Transfer-Encoding: chunked', `Content-Length: ${length}`],
    body: chunked,
  },
];

/** RFC 9110 §8.6, RFC 9112 §5. */
const ODD: readonly Framing[] = [
  { what: 'a length with a sign', fields: (length) => [`Content-Length: +${length}`], body: plain },
  { what: 'a negative length', fields: () => ['Content-Length: -1'], body: plain },
  { what: 'a length that is no number', fields: () => ['Content-Length: ten'], body: plain },
  {
    what: 'a space before the colon',
    fields: (length) => [`Content-Length : ${length}`],
    body: plain,
  },
  {
    what: 'an unknown transfer coding',
    fields: (length) => [`Content-Length: ${length}`, 'Transfer-Encoding: xchunked'],
    body: chunked,
  },
];

/** RFC 9112 §5.2: to be refused, or read as one line. */
const FOLDED: readonly Framing[] = [
  {
    what: 'chunks on a folded line',
    fields: (length) => ['Transfer-Encoding:', ' chunked', `Content-Length: ${length}`],
    body: chunked,
  },
];

const JSON_TYPE = 'Content-Type: application/json';
/** How long is waited for every answer, beside what one has taken. Milliseconds. */
const AT_LEAST = 2_000;

const ONE_EACH = 'The service closes each connection after one answer: nothing follows a request.';

/** Which of them another way of answering is allowed for. */
const READINGS: Readonly<Record<string, string>> = {
  'two-ways': 'RFC 9112 §6.1 lets a server go by the chunks, and close the connection.',
  folded: 'RFC 9112 §5.2 lets a server read the folded lines as one.',
};

export const smuggling = serviceScenario({
  id: 'smuggling',
  title: 'A request is one request, however it is framed',
  safe: true,
  checks: {
    'one-answer': 'A request in the body of another one is not answered.',
    'two-lengths': 'A request with two lengths is answered 400, or its connection closed.',
    'two-ways': 'A request with a length and chunks is answered 400, or its connection closed.',
    'odd-lengths': 'A request with an invalid length is answered 400, or its connection closed.',
    folded: 'A request with a folded Transfer-Encoding is answered 400, or its connection closed.',
    'refused-bodies': 'The body of a request that is refused is not read as the next request.',
  },
  costly: true,
  async run(judge, world) {
    const url = world.client.endpoint('identityEndpoint');
    const { host, pathname } = new URL(url);
    const next = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const timeout = await mustReadOn();
    for (const [check, framings] of [
      ['two-lengths', TWO_LENGTHS],
      ['two-ways', TWO_WAYS],
      ['odd-lengths', ODD],
      ['folded', FOLDED],
    ] as const) {
      for (const { what, fields, body } of framings) {
        const content = body(smuggled(host, world.invented.word()));
        const request = asBytes(
          `POST ${pathname}`,
          [JSON_TYPE, ...fields(content.length)],
          content,
        );
        const reply = await world.raw(url, { chunks: [request], next, timeout });
        const reading = READINGS[check];
        const more = { case: what, exchange: reply.exchange };
        judge.expect('one-answer', reply.statuses.length < 2, seenOf(reply), more);
        judge.expect(check, isRefused(reply), seenOf(reply), { ...more, reading });
      }
    }

    await judgeRefusedBodies();

    /** Framed rightly, and refused before anybody needs the body: it must be read, or the connection closed. */
    async function judgeRefusedBodies(): Promise<void> {
      const { invented } = world;
      const refused = [
        ['a path that is not there', `POST /${invented.word()}`],
        ['a method that is not taken', `PUT ${pathname}`],
        ['a media type that is not taken', `POST ${pathname}`],
      ] as const;
      for (const [what, line] of refused) {
        const content = smuggled(host, invented.word());
        const fields = [
          `Content-Type: text/${invented.word()}`,
          `Content-Length: ${content.length}`,
        ];
        const request = asBytes(line, fields, content);
        const reply = await world.raw(url, { chunks: [request], next, timeout });
        const more = { case: what, exchange: reply.exchange };
        judge.expect('refused-bodies', reply.statuses.length < 2, seenOf(reply), more);
      }
    }

    /** A service that closes after each 400 would refuse every frame. Resolves to how long answers are waited for. */
    async function mustReadOn(): Promise<number> {
      const began = world.time.now();
      const request = asBytes(`POST ${pathname}`, [JSON_TYPE, 'Content-Length: 2'], '{}');
      if (isRefused(await world.raw(url, { chunks: [request], next }))) {
        throw new NotApplicable(ONE_EACH);
      }
      return AT_LEAST + 5 * (world.time.now() - began);
    }

    function asBytes(line: string, fields: readonly string[], content: string): string {
      return [`${line} HTTP/1.1`, `Host: ${host}`, ...fields, '', content].join('\r\n');
    }
  },
});

function isRefused({ statuses, closed }: RawReply): boolean {
  const [status] = statuses;
  return status === undefined ? closed : (status === 400 || status === 501) && closed;
}

function seenOf({ statuses, closed }: RawReply): string {
  if (statuses.length === 0) return closed ? 'It closed the connection.' : 'No answer came.';
  return `It answered ${statuses.join(' and ')}${closed ? '' : ', and kept the connection open'}.`;
}

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
    await judgeStalled(judge, world, url, 'application/json');
  },
});
