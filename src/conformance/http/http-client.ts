import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Client, type Dispatcher, errors, Pool, ProxyAgent } from 'undici';
import { BAD_PORTS, mayReach } from '../../protocol/index.ts';
import type { Clock, ProxyFor, ProxyServer } from '../../runtime/index.ts';
import { Answer } from './answer.ts';
import { codeOf, NoAnswer } from './no-answer.ts';
import { type RawReply, type RawSending, sendRaw } from './raw.ts';
import type { Recorder } from './recorder.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface Sending {
  /** Default: GET, or POST with a body. */
  readonly method?: string;
  /** The header fields, in this order; a name may stand twice. */
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
  /** Through which proxy a URL is reached. Default: none. */
  readonly proxyFor?: ProxyFor | undefined;
  /** What is judged: nothing that is nearer to this machine is asked because it names that. */
  readonly target?: string;
  /** Origins that a user allowed, however near they are. */
  readonly allowOrigins?: readonly string[] | undefined;
}

/**
 * The suite's own HTTP client: sends exactly what it is given, follows no redirect, keeps no state, and
 * records every exchange with the recorder of the scenario.
 */
export class HttpClient {
  /**
   * The pools by origin. undici's Agent counts what ends of a pool that it gave up for the next one, and gives that up,
   * too: from the first broken connection on it would connect anew for each request.
   */
  readonly #direct = new Map<string, Pool>();
  readonly #byProxy = new Map<string, ProxyAgent>();
  readonly #options: HttpClientOptions;
  /** Parsed once: of a `ca` each connection would parse all authorities again. */
  readonly #secureContext: SecureContext | undefined;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    const { ca } = options;
    this.#secureContext = ca === undefined ? undefined : createSecureContext({ ca });
  }

  /** @throws NoAnswer when none came. */
  async send(url: string, sending: Sending, recorder: Recorder): Promise<Answer> {
    const { body, headers = [] } = sending;
    this.#requireReach(url);
    const method = sending.method ?? (body === undefined ? 'GET' : 'POST');
    const began = this.#options.clock.now();
    const proxy = this.#options.proxyFor?.(url);
    const entry = recorder.begin({
      from: sending.from ?? 'suite',
      to: sending.to ?? this.#options.peer,
      method,
      url,
      headers,
      body: typeof body === 'string' ? body : body && `${body.byteLength} bytes`,
    });
    try {
      const { origin, pathname, search } = new URL(url);
      const reply = await this.#dispatcher(url, proxy).request({
        origin,
        path: pathname + search,
        method: method as 'GET',
        headers: headers.flat(),
        ...(body === undefined ? {} : { body }),
        responseHeaders: 'raw',
      });
      const isLate = () => this.#options.clock.now() - began > this.#options.timeout;
      const bytes = await readBytes(reply.body, isLate, url);
      const duration = this.#options.clock.now() - began;
      const received = pairs(reply.headers as unknown as readonly string[]);
      const text = decoded(bytes, received);
      entry.end({ status: reply.statusCode, headers: received, body: text, duration });
      return new Answer(reply.statusCode, received, text, duration, entry.number);
    } catch (error) {
      const problem = proxyProblem(error, url, proxy) ?? asNoAnswer(error, url);
      entry.fail(problem.message, problem.kind === 'refused' && proxy === undefined);
      throw problem;
    }
  }

  /** Bytes as they are. @throws NoAnswer when there is no connection. */
  async raw(url: string, sending: RawSending, recorder: Recorder): Promise<RawReply> {
    this.#requireReach(url);
    const { clock, peer, timeout } = this.#options;
    const through = (to: string) => this.#tunnel(to);
    const options = { clock, peer, timeout, through, ...this.#trust() };
    return sendRaw(url, sending, recorder, options);
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    for (const each of [...this.#direct.values(), ...this.#byProxy.values()]) await each.destroy();
  }

  /** Names are not resolved. @throws NoAnswer */
  #requireReach(url: string): void {
    const { target, allowOrigins = [] } = this.#options;
    const { host, hostname, origin, port } = new URL(url);
    if (BAD_PORTS.has(Number(port))) {
      throw new NoAnswer(
        'bad_port',
        `${host} was not asked: fetch refuses this port (WHATWG fetch, "bad port"), so that no agent built on it gets there. Serve it on another port.`,
      );
    }
    if (target === undefined || mayReach(new URL(target).hostname, hostname)) return;
    if (allowOrigins.some((each) => URL.canParse(each) && new URL(each).origin === origin)) return;
    throw new NoAnswer(
      'too_near',
      `${url} was not asked: it is nearer to this machine than ${target}. If it belongs to it, add --allow-origin ${origin}.`,
    );
  }

  #dispatcher(url: string, proxy: ProxyServer | undefined): Dispatcher {
    if (proxy === undefined) return this.#pool(new URL(url).origin);
    const known = this.#byProxy.get(proxy.variable);
    if (known !== undefined) return known;
    const connect = this.#connect();
    const agent = new ProxyAgent({
      ...this.#limits(),
      uri: proxy.origin,
      ...(proxy.authorization !== undefined && { token: proxy.authorization }),
      requestTls: connect,
      proxyTls: connect,
    });
    this.#byProxy.set(proxy.variable, agent);
    return agent;
  }

  #pool(origin: string): Pool {
    const known = this.#direct.get(origin);
    if (known !== undefined) return known;
    const pool = new Pool(origin, { ...this.#limits(), connect: this.#connect() });
    this.#direct.set(origin, pool);
    return pool;
  }

  /** RFC 9110 §9.3.6. */
  #tunnel(url: string): Promise<Socket> | undefined {
    const proxy = this.#options.proxyFor?.(url);
    if (proxy === undefined) return undefined;
    const { hostname, port, protocol } = new URL(url);
    const { authorization, origin } = proxy;
    const path = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
    const { headersTimeout } = this.#limits();
    const client = new Client(origin, { connect: this.#connect(), headersTimeout });
    const headers = {
      host: path,
      ...(authorization !== undefined && { 'proxy-authorization': authorization }),
    };
    return client.connect({ path, headers }).then(({ socket, statusCode }) => {
      if (statusCode === 200) return socket as Socket;
      socket.on('error', () => {}).destroy();
      throw new Error(`Proxy response (${statusCode})`);
    });
  }

  #limits() {
    const { timeout } = this.#options;
    return { headersTimeout: timeout, bodyTimeout: timeout, connections: 64 };
  }

  #trust() {
    return this.#secureContext && { secureContext: this.#secureContext };
  }

  #connect() {
    const { timeout } = this.#options;
    // Verified even with NODE_TLS_REJECT_UNAUTHORIZED=0.
    return { timeout, rejectUnauthorized: true, ...this.#trust() };
  }
}

/** What went wrong before the target was reached; undefined where no proxy is between, or it did its part. */
function proxyProblem(
  error: unknown,
  url: string,
  proxy: ProxyServer | undefined,
): NoAnswer | undefined {
  if (proxy === undefined) return undefined;
  const named = `The proxy ${proxy.host} (${proxy.variable})`;
  const status = /Proxy response \((\d+)\)/.exec(messagesOf(error))?.[1];
  if (status !== undefined) {
    const why = status === '407' ? 'asks for a user name and a password' : 'does not connect to it';
    return new NoAnswer('refused', `${named} ${why} (${status}): ${new URL(url).host}.`);
  }
  const code = codeOf(error);
  if (!['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) return undefined;
  return new NoAnswer('refused', `${named} cannot be reached (${code}).`);
}

function messagesOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${messagesOf(error.cause)}` : '';
}

/** undici's limits are for silence, so a body that trickles gets a limit of its own. */
async function readBytes(
  body: AsyncIterable<Uint8Array>,
  isLate: () => boolean,
  url: string,
): Promise<Buffer> {
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
  return Buffer.concat(chunks);
}

const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** RFC 9110 §8.4. What cannot be decoded is named in its place, so that each finding says why nothing was read. */
function decoded(bytes: Buffer, headers: readonly (readonly [string, string])[]): string {
  const coding = headers
    .find(([name]) => name === 'content-encoding')?.[1]
    .trim()
    .toLowerCase();
  if (bytes.length === 0 || coding === undefined || coding === '' || coding === 'identity') {
    return bytes.toString('utf8');
  }
  try {
    const decode = DECODERS.get(coding);
    if (decode) return decode(bytes, { maxOutputLength: MAX_ANSWER_BYTES }).toString('utf8');
  } catch {
    // Damaged, or larger than what is read.
  }
  return `(a body with Content-Encoding: ${coding}, which could not be decoded and was not asked for)`;
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
    return new NoAnswer(
      'tls',
      `The connection to ${host} is not trusted (${code}). ${tlsHint(code)}`,
    );
  }
  return new NoAnswer('broken', `${host} closed the connection (${code || 'no reason given'}).`);
}

function tlsHint(code: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Its certificate is for another host.';
  if (code === 'CERT_HAS_EXPIRED') return 'Its certificate has expired.';
  if (/^(ERR_SSL|EPROTO)/.test(code)) return 'It may be an http URL.';
  return 'If you trust it, name its CA certificate with --ca FILE.';
}
