import { Agent, errors, request } from 'undici';
import type { Clock } from '../../runtime/index.ts';
import { Answer } from './answer.ts';
import { NoAnswer } from './no-answer.ts';
import { type RawReply, type RawSending, sendRaw } from './raw.ts';
import type { Recorder } from './recorder.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface Sending {
  /** Default: GET, or POST with a body. */
  readonly method?: string;
  /** In this order; a name may stand twice. */
  readonly headers?: HeaderList;
  readonly body?: string | Uint8Array;
  /** Who sends it, for the record. Default: `suite`. */
  readonly from?: string;
  /** Who receives it, for the record. Default: the peer of the client. */
  readonly to?: string;
}

/** Answers are read up to this; what is longer is cut off, and the connection closed. */
const MAX_ANSWER_BYTES = 1024 * 1024;

interface HttpClientOptions {
  /** Who answers, for the record: `service` or `provider`. */
  readonly peer: string;
  readonly clock: Clock;
  /** Milliseconds without a byte until a request is given up. */
  readonly timeout: number;
  /** PEM of every authority that is trusted. Default: those of Node. */
  readonly ca?: string | undefined;
}

/**
 * The suite's own HTTP client: sends exactly what it is given, follows no redirect, keeps no state, and
 * records every exchange with the recorder of the scenario.
 */
export class HttpClient {
  readonly #dispatcher: Agent;
  readonly #options: HttpClientOptions;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#dispatcher = new Agent({
      connect: {
        timeout: options.timeout,
        // Even with NODE_TLS_REJECT_UNAUTHORIZED=0.
        rejectUnauthorized: true,
        ...(options.ca === undefined ? {} : { ca: options.ca }),
      },
      headersTimeout: options.timeout,
      bodyTimeout: options.timeout,
      connections: 64,
    });
  }

  /** @throws NoAnswer when none came. */
  async send(url: string, sending: Sending, recorder: Recorder): Promise<Answer> {
    const { body, headers = [] } = sending;
    const method = sending.method ?? (body === undefined ? 'GET' : 'POST');
    const began = this.#options.clock.now();
    const entry = recorder.begin({
      from: sending.from ?? 'suite',
      to: sending.to ?? this.#options.peer,
      method,
      url,
      headers,
      body: typeof body === 'string' ? body : body && `${body.byteLength} bytes`,
    });
    try {
      const reply = await request(url, {
        method: method as 'GET',
        headers: headers.flat(),
        ...(body === undefined ? {} : { body }),
        dispatcher: this.#dispatcher,
        responseHeaders: 'raw',
      });
      const isLate = () => this.#options.clock.now() - began > this.#options.timeout;
      const text = await readText(reply.body, isLate, url);
      const duration = this.#options.clock.now() - began;
      const received = pairs(reply.headers as unknown as readonly string[]);
      entry.end({ status: reply.statusCode, headers: received, body: text, duration });
      return new Answer(reply.statusCode, received, text, duration, entry.number);
    } catch (error) {
      const problem = asNoAnswer(error, url);
      entry.fail(problem.message, problem.kind === 'refused');
      throw problem;
    }
  }

  /** Bytes as they are. @throws NoAnswer when there is no connection. */
  raw(url: string, sending: RawSending, recorder: Recorder): Promise<RawReply> {
    return sendRaw(url, sending, recorder, this.#options);
  }

  /** Ends every connection. */
  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }
}

/** undici's limits are for silence, so a body that trickles gets a limit of its own. */
async function readText(
  body: AsyncIterable<Uint8Array>,
  isLate: () => boolean,
  url: string,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) break;
    if (isLate()) {
      throw new NoAnswer('timeout', `${new URL(url).host} did not end its answer in time.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `responseHeaders: 'raw'` gives `{ '0': name, '1': value, … }` or a list, by version of undici. */
function pairs(raw: readonly (string | Uint8Array)[]): [string, string][] {
  const flat = Object.values(raw).map((part) => Buffer.from(part as string).toString('latin1'));
  const list: [string, string][] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) {
    list.push([(flat[at] ?? '').toLowerCase(), flat[at + 1] ?? '']);
  }
  return list;
}

function asNoAnswer(error: unknown, url: string): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const host = URL.canParse(url) ? new URL(url).host : url;
  const code = codeOf(error);
  if (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError ||
    code === 'ETIMEDOUT'
  ) {
    return new NoAnswer('timeout', `${host} did not answer in time.`);
  }
  if (code === 'ECONNREFUSED') return new NoAnswer('refused', `Nothing listens at ${host}.`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new NoAnswer('not_found', `There is no host ${host}.`);
  }
  if (/^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(code)) {
    return new NoAnswer('tls', `The connection to ${host} is not trusted (${code}).`);
  }
  return new NoAnswer('broken', `${host} closed the connection (${code || 'no reason given'}).`);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const { code, cause } = inner as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && !code.startsWith('UND_ERR_SOCKET')) return code;
  return cause === undefined ? (typeof code === 'string' ? code : '') : codeOf(cause);
}
