import { isJsonObject, MEDIA_TYPE } from '../../protocol/index.ts';
import type { Random } from '../../runtime/index.ts';
import { newValue, writeText } from '../answer/index.ts';
import type { Bindings } from '../bindings.ts';
import { isJwt } from '../match/index.ts';
import { isName, kindOf, namesIn, type RecordedExchange } from '../recording/index.ts';

export interface BuiltRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Builder {
  readonly bindings: Bindings;
  /** What the recorded answers gave out: nobody can make it up. */
  readonly given: ReadonlySet<string>;
  /** Of the page that came last. */
  readonly fields: ReadonlyMap<string, string>;
  readonly random: Random;
  readonly now: number;
}

/** A request that cannot be sent: what it needs is in no answer. */
export class MissingValue extends Error {
  override readonly name = 'MissingValue';
}

/** Recorded of a connection or a browser; the port sets its own. */
const NOT_SENT =
  /^(?:connection|content-encoding|content-length|expect|host|if-none-match|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|via)$/;

/**
 * A recorded request with the values of the live answers.
 * @throws MissingValue
 */
export function buildRequest({ request }: RecordedExchange, builder: Builder): BuiltRequest {
  const { bindings, fields, given, now, random } = builder;
  // The fields of a form that its page came with.
  if (isJsonObject(request.body)) {
    for (const [member, value] of Object.entries(request.body)) {
      const field = fields.get(member);
      const isNew = typeof value === 'string' && isName(value) && bindings.get(value) === undefined;
      if (isNew && field !== undefined && !given.has(value)) bindings.set(value, field);
    }
  }
  const valueFor = (name: string) => {
    const known = bindings.get(name);
    if (known !== undefined) return known;
    if (given.has(name) || name === '{provider}')
      throw new MissingValue(`${name} was in no answer.`);
    const value = madeUp(name, bindings, random);
    bindings.set(name, value);
    return value;
  };
  const text = (template: string) => writeText(template, { now, valueFor });
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (isJwt(value)) return signed(value.jwt, bindings);
    if (Array.isArray(value)) return value.map(fill);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each)]));
  };
  if (request.body_state !== undefined) {
    throw new MissingValue('The transcript has no more than a part of its body.');
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers)
      .filter(([name]) => !NOT_SENT.test(name))
      .map(([name, value]) => [name, text(value)]),
  );
  const type = headers['content-type'] ?? '';
  return {
    method: request.method,
    url: text(request.url),
    headers,
    ...(request.body !== null && { body: encode(fill(request.body), type) }),
  };
}

/** A JWT is its signer's to make: it comes from an answer, or not at all. */
function signed(name: string, bindings: Bindings): string {
  const jwt = bindings.get(name);
  if (jwt !== undefined) return jwt;
  throw new MissingValue(`${name} is a JWT that was in no answer.`);
}

/** What the recorded agent or user made up, such as a wrong code: another one than any that is known. */
function madeUp(name: string, bindings: Bindings, random: Random): string {
  for (;;) {
    const value = newValue(name, random);
    if (bindings.nameOf(value) === undefined) return value;
  }
}

function encode(body: unknown, type: string): string {
  if (type.startsWith(MEDIA_TYPE.form) && isJsonObject(body)) {
    const fields = Object.entries(body).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each): [string, string] => [
        name,
        String(each),
      ]),
    );
    return new URLSearchParams(fields).toString();
  }
  return typeof body === 'string' && !/\bjson\b/.test(type) ? body : JSON.stringify(body);
}

/** The code that the user was shown last. */
export function codesIn(exchange: RecordedExchange, bindings: Bindings): string | undefined {
  const name = namesIn(exchange.response.body).find((each) => kindOf(each) === 'user_code');
  return name === undefined ? undefined : bindings.get(name);
}
