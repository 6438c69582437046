import type { XMLElement } from 'xmlbuilder';
import type { Envelope } from '../../mock/http/request.ts';
import { NO_STORE, type WireProblem } from '../../mock/http/response.ts';
import type { Clock } from '../../runtime/ports.ts';
import { type Data, findOpenMethod } from './open-methods.ts';
import { type Format, readDirectoryPath } from './path.ts';

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
  /** The status of HTTP. Default 200. */
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

/** What no XML 1.0 document can hold is shown as this. */
const REPLACEMENT = '\ufffd';

/**
 * An answer as XML: the root `response`, an element for each member, `item` for each entry of a list,
 * an empty element for null and for what is empty. Loaded when it is first asked for.
 */
export async function renderXml(answer: Data): Promise<string> {
  const { create } = await import('xmlbuilder');
  const root = create('response', {
    version: '1.0',
    encoding: 'UTF-8',
    invalidCharReplacement: REPLACEMENT,
  });
  fill(root, answer);
  return root.end({ pretty: true, allowEmpty: true });
}

function fill(element: XMLElement, data: Data): void {
  if (data === null) return;
  // With half of a surrogate pair, xmlbuilder replaces the character before it as well.
  if (typeof data !== 'object') element.txt(String(data).toWellFormed());
  else if (isList(data)) for (const entry of data) fill(element.ele('item'), entry);
  else for (const [member, value] of Object.entries(data)) fill(element.ele(member), value);
}

function isList(data: Data): data is readonly Data[] {
  return Array.isArray(data);
}

/** The count as published for a call without a key: what was not served is not counted. */
const NOT_COUNTED = -1;

/**
 * Problems in the directory's own shape: JSON, or XML where that was asked for. HTTP carries the true
 * status, `meta.status` the nearest one that the directory has published.
 */
export function directoryEnvelope(clock: Clock): Envelope {
  return (problem, request) => {
    const path = readDirectoryPath(new URL(request.url).pathname);
    const methodId = problem.members['method_id'] ?? (path && findOpenMethod(path)?.id);
    return directoryReply({
      format: path?.format ?? 'json',
      httpStatus: problem.status,
      headers: problem.headers,
      requests: NOT_COUNTED,
      now: clock.now(),
      status: publishedStatus(problem),
      methodId: typeof methodId === 'number' ? methodId : null,
      data: {},
    });
  };
}

/** The published list has neither 404 nor 503: of its codes, 429 alone asks a client to come back later. */
function publishedStatus({ code, status, surface }: WireProblem): DirectoryStatus {
  if (surface === 'resource') {
    if (code === 'missing_token') return 511;
    return code === 'insufficient_scope' ? 403 : 401;
  }
  return status === 503 ? 429 : 501;
}
