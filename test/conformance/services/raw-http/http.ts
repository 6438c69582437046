import type { IncomingMessage, ServerResponse } from 'node:http';
import type { State } from './state.ts';

const LARGEST_BODY = 64 * 1024;

export interface Call {
  readonly state: State;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export type Handler = (call: Call) => Reply | Promise<Reply>;

/** What a handler throws to answer so. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly more: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    text: string,
    more: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(text);
    this.status = status;
    this.code = code;
    this.more = more;
    this.headers = headers;
  }
}

export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

export function json(status: number, value: unknown, headers: Reply['headers'] = NO_STORE): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}

/** Reads all of a body, as UTF-8. @throws Refusal when it is too large or no text. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= LARGEST_BODY) parts.push(part);
  }
  if (size > LARGEST_BODY) throw new Refusal(413, 'invalid_request', 'The body is too large.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new Refusal(400, 'invalid_request', 'The body is not UTF-8.');
  }
}

export function mediaType({ headers }: Call): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** A body that is a JSON object. */
export function jsonBody(call: Call): Readonly<Record<string, unknown>> {
  if (mediaType(call) !== 'application/json') {
    throw new Refusal(415, 'invalid_request', 'Send application/json.');
  }
  return objectIn(call.body);
}

export function objectIn(body: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new Refusal(400, 'invalid_request', 'The body is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'invalid_request', 'The body is not a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** A member that is a string, not empty. */
export function text(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (typeof value !== 'string' || value === '' || !isText(value)) {
    throw new Refusal(400, 'invalid_request', `${name} has to be a string.`);
  }
  return value;
}

/** Neither a null character nor half of a pair of surrogates. */
export function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** A form whose parameters are there once each. */
export function formBody(call: Call): ReadonlyMap<string, string> {
  if (mediaType(call) !== 'application/x-www-form-urlencoded') {
    throw new Refusal(415, 'invalid_request', 'Send application/x-www-form-urlencoded.');
  }
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(call.body)) {
    if (form.has(name)) throw new Refusal(400, 'invalid_request', 'A parameter is there twice.');
    form.set(name, value);
  }
  return form;
}

/** RFC 9110 §5.6.4: what is quoted keeps to these characters. */
export function quoted(value: string): string {
  return `"${value.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '')}"`;
}

export function send(response: ServerResponse, reply: Reply, isHead: boolean): void {
  const body = Buffer.from(reply.body ?? '');
  response.writeHead(reply.status, {
    'x-content-type-options': 'nosniff',
    ...Object.fromEntries(
      Object.entries(reply.headers ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : [...value],
      ]),
    ),
    'content-length': body.length,
  });
  response.end(isHead ? undefined : body);
}
