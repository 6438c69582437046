import {
  isSecretName,
  type Receiver,
  type RecordedTime,
  type TranscribedExchange,
  type TranscribedMessage,
  type Transcript,
} from '../../exchanges/index.ts';
import { displayText, isJsonObject, type JsonObject } from '../../protocol/index.ts';
import { checkSecrets } from './check-secrets.ts';
import { TranscriptError } from './transcript-error.ts';

/** A longer file is refused, in letters. */
export const MAX_TRANSCRIPT = 16 * 1024 * 1024;
const MAX_EXCHANGES = 20_000;
const MAX_DEPTH = 80;
const METHOD = /^[A-Z][A-Z-]{0,31}$/;
const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]{1,256}$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Nothing is ever sent to anybody that the file names. */
const URL_START = /^\{(?:service|provider)\}(?:[/?#]|$)/;
const RECEIVERS: readonly unknown[] = ['service', 'provider'] satisfies readonly Receiver[];
const UNITS: readonly unknown[] = [
  'text',
  'seconds',
  'milliseconds',
] satisfies readonly RecordedTime['as'][];

/**
 * Reads a transcript, as `mock exchanges --transcript` and `proxy --transcript` write them.
 * @throws TranscriptError for anything else, with the place.
 */
export function readTranscript(text: string): Transcript {
  if (text.length > MAX_TRANSCRIPT) throw new TranscriptError('$', 'is longer than 16 MB');
  const document = parse(text);
  if (!isJsonObject(document)) throw new TranscriptError('$', 'must be an object');
  const { exchanges, transcript } = document;
  if (transcript !== 1) {
    throw new TranscriptError(
      '$.transcript',
      transcript === undefined
        ? 'is missing: this is no transcript'
        : `must be 1, the version that this program reads, not ${shown(transcript)}`,
    );
  }
  if (!Array.isArray(exchanges)) throw new TranscriptError('$.exchanges', 'must be a list');
  if (exchanges.length > MAX_EXCHANGES) {
    throw new TranscriptError('$.exchanges', `has more than ${MAX_EXCHANGES} exchanges`);
  }
  return { transcript: 1, exchanges: exchanges.map(readExchange) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TranscriptError('$', 'is no JSON');
  }
}

function readExchange(value: unknown, index: number): TranscribedExchange {
  const path = `$.exchanges[${index}]`;
  const exchange = object(value, path);
  const { to } = exchange;
  if (!RECEIVERS.includes(to)) {
    throw new TranscriptError(`${path}.to`, 'must be "service" or "provider"');
  }
  const request = object(exchange['request'], `${path}.request`);
  const response = object(exchange['response'], `${path}.response`);
  const method = matching(request['method'], METHOD, `${path}.request.method`, 'an HTTP method');
  const url = matching(
    request['url'],
    URL_START,
    `${path}.request.url`,
    'a URL of {service} or {provider}',
  );
  const { status } = response;
  const isStatus = typeof status === 'number' && Number.isInteger(status);
  if (status !== null && !(isStatus && status >= 200 && status <= 599)) {
    throw new TranscriptError(`${path}.response.status`, 'must be null or from 200 to 599');
  }
  return {
    to: to as Receiver,
    request: { method, url, ...readMessage(request, `${path}.request`) },
    response: {
      status,
      ...readMessage(response, `${path}.response`),
      ...readTimes(response['times'], `${path}.response.times`),
    },
  };
}

function readMessage(message: JsonObject, path: string): TranscribedMessage {
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(object(message['headers'] ?? {}, `${path}.headers`))) {
    const at = `${path}.headers.${displayText(name, 60)}`;
    if (!HEADER_NAME.test(name)) throw new TranscriptError(at, 'is no name of a header');
    const text = matching(value, HEADER_VALUE, at, 'the value of a header');
    if (isSecretName(name)) checkSecrets({ [name]: text }, `${path}.headers`);
    headers.push([name.toLowerCase(), text]);
  }
  const body = message['body'] ?? null;
  checkDepth(body, `${path}.body`);
  checkSecrets(body, `${path}.body`);
  const { body_state: state } = message;
  if (state !== undefined && state !== 'cut' && state !== 'incomplete' && state !== 'binary') {
    throw new TranscriptError(`${path}.body_state`, 'must be "cut", "incomplete" or "binary"');
  }
  return {
    headers: Object.fromEntries(headers),
    body,
    ...(state !== undefined && { body_state: state }),
  };
}

function readTimes(value: unknown, path: string) {
  if (value === undefined) return {};
  const times = Object.entries(object(value, path)).map(([pointer, each]) => {
    const at = `${path}[${displayText(JSON.stringify(pointer), 120)}]`;
    const { after, as } = object(each, at);
    if (typeof after !== 'number' || Math.abs(after) > 1e10) {
      throw new TranscriptError(`${at}.after`, 'must be a number of seconds');
    }
    if (!UNITS.includes(as)) {
      throw new TranscriptError(`${at}.as`, 'must be "text", "seconds" or "milliseconds"');
    }
    return [pointer, { after, as: as as RecordedTime['as'] }] as const;
  });
  return { times: Object.fromEntries(times) };
}

function object(value: unknown, path: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new TranscriptError(path, value === undefined ? 'is missing' : 'must be an object');
}

function matching(value: unknown, form: RegExp, path: string, wanted: string): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw new TranscriptError(path, value === undefined ? 'is missing' : `must be ${wanted}`);
}

/** What is worked through step by step elsewhere must not be deeper than the stack. */
function checkDepth(body: unknown, path: string): void {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new TranscriptError(path, `is deeper than ${MAX_DEPTH} levels`);
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  }
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}
