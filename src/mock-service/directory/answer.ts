import { NO_STORE } from '../../mock/index.ts';
import type { Format } from './path.ts';
import { type Data, renderXml } from './render-xml.ts';

/** Every status that an answer can say, with its text: what `/server/codes` lists. */
const STATUS_MESSAGES = {
  200: 'Request successful',
  204: 'No data returned',
  401: 'Invalid API key',
  403: 'The provided API key has been banned',
  429: 'API request limit reached',
  501: 'Invalid method',
  511: 'API key is required (?key=)',
} as const;

export type DirectoryStatus = keyof typeof STATUS_MESSAGES;

/** The version of the API; the first part of it is the one in the path. */
const API_VERSION = 2.07;

const MEDIA_TYPES = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  jsonp: 'text/javascript; charset=utf-8',
} as const;

interface DirectoryAnswer {
  /** Successful calls so far. */
  readonly requests: number;
  /** Milliseconds. */
  readonly now: number;
  readonly status: DirectoryStatus;
  /** `null` when the path is of no method. */
  readonly methodId: number | null;
  readonly data: Data;
  readonly format: Format;
  /** The name of a JSONP callback, for JSON alone. */
  readonly callback?: string | undefined;
  /** Of HTTP. Default 200. */
  readonly httpStatus?: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer of the directory, with its members in the published order. The data is live, so it is not cached. */
export async function directoryReply(answer: DirectoryAnswer): Promise<Response> {
  const { callback, data, format, headers, httpStatus = 200, methodId, now, requests } = answer;
  const meta = {
    requests,
    timestamp: Math.floor(now / 1000),
    status: answer.status,
    message: STATUS_MESSAGES[answer.status],
    method_id: methodId,
    version: API_VERSION,
    method: {},
  };
  // Two spaces deep, as the published samples are.
  const json = () => JSON.stringify({ meta, data }, null, 2);
  const body =
    callback !== undefined
      ? toScript(callback, json())
      : await (format === 'xml' ? renderXml({ meta, data }) : json());
  return new Response(body, {
    status: httpStatus,
    headers: {
      'content-type': MEDIA_TYPES[callback === undefined ? format : 'jsonp'],
      'x-content-type-options': 'nosniff',
      ...(callback !== undefined && { 'content-disposition': 'attachment; filename=f.txt' }),
      ...NO_STORE,
      ...headers,
    },
  });
}

/**
 * A script that calls `name`. The comment keeps the first bytes from being chosen by who asks (Rosetta
 * Flash); what ends a script or a line of it is escaped.
 */
function toScript(name: string, json: string): string {
  const escaped = json
    .replaceAll('</', '<\\/')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `/**/${name}(${escaped});`;
}
