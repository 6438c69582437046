import type { RawReply } from '../../../http/raw.ts';
import { serviceScenario } from '../../service-scenario.ts';

/** What must never be answered: it is part of the body of another request. */
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

/** RFC 9112 §6.3: told twice. */
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

/** RFC 9112 §6.1: told in two ways. */
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

/** RFC 9110 §8.6, RFC 9112 §5: no number, or no field. */
const ODD: readonly Framing[] = [
  { what: 'a length with a sign', fields: (length) => [`Content-Length: +${length}`], body: plain },
  { what: 'a length below zero', fields: () => ['Content-Length: -1'], body: plain },
  { what: 'a length that is no number', fields: () => ['Content-Length: ten'], body: plain },
  {
    what: 'a space before the colon',
    fields: (length) => [`Content-Length : ${length}`],
    body: plain,
  },
  {
    what: 'a transfer coding that nobody knows',
    fields: (length) => [`Content-Length: ${length}`, 'Transfer-Encoding: xchunked'],
    body: chunked,
  },
];

/** RFC 9112 §5.2: refused, or read as one line; never as less. */
const FOLDED: readonly Framing[] = [
  {
    what: 'chunks on a folded line',
    fields: (length) => ['Transfer-Encoding:', ' chunked', `Content-Length: ${length}`],
    body: chunked,
  },
];

export const smuggling = serviceScenario({
  id: 'smuggling',
  title: 'A request is one request, however its length is told',
  safe: true,
  checks: {
    'one-answer': 'What lies in the body of a request is never answered as a request.',
    'two-lengths': 'A request with two lengths is refused.',
    'two-ways': 'A request with a length and chunks is refused.',
    'odd-lengths': 'A request whose length cannot be read is refused.',
    folded: 'A folded field that tells the length is refused, or its connection ended.',
  },
  async run(judge, world) {
    const url = world.client.endpoint('identityEndpoint');
    const { host, pathname } = new URL(url);
    for (const [check, framings] of [
      ['two-lengths', TWO_LENGTHS],
      ['two-ways', TWO_WAYS],
      ['odd-lengths', ODD],
      ['folded', FOLDED],
    ] as const) {
      for (const { what, fields, body } of framings) {
        const content = body(smuggled(host, world.invented.word()));
        const request = [
          `POST ${pathname} HTTP/1.1`,
          `Host: ${host}`,
          'Content-Type: application/json',
          ...fields(content.length),
          '',
          content,
        ].join('\r\n');
        const reply = await world.raw(url, { chunks: [request], timeout: 1000 });
        judge.expect('one-answer', reply.statuses.length < 2, seenOf(reply), {
          expected: `one answer to a request with ${what}`,
          exchange: reply.exchange,
        });
        judge.expect(
          check,
          isRefused(reply),
          // RFC 9112 §6.1 lets a server go by the chunks and end the connection.
          seenOf(reply),
          {
            expected: `400 for a request with ${what}, or the end of its connection`,
            exchange: reply.exchange,
            warn: check === 'two-ways' || check === 'folded',
          },
        );
      }
    }
  },
});

function isRefused({ statuses, closed }: RawReply): boolean {
  const [status] = statuses;
  return status === undefined ? closed : (status === 400 || status === 501) && closed;
}

function seenOf({ statuses, closed }: RawReply): string {
  if (statuses.length === 0) return closed ? 'The connection was ended.' : 'Nothing came.';
  return `It answered ${statuses.join(' and ')}${closed ? '' : ', and kept the connection'}.`;
}
