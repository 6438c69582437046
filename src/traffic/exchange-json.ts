import { instant, isJsonObject, type JsonObject } from '../protocol/index.ts';
import type { BodyState, Exchange, ExchangeMessage, ExchangeNote } from './exchange.ts';

/** An exchange as the controls give it over HTTP: names in snake_case, times as RFC 3339. */
export function exchangeJson(exchange: Exchange) {
  const {
    at,
    duration,
    method,
    notes = [],
    path,
    registrationId,
    request,
    response,
    seq,
    status,
    to,
    url,
  } = exchange;
  return {
    seq,
    to,
    at: instant(at),
    duration_ms: duration,
    registration_id: registrationId ?? null,
    method,
    url,
    path,
    request: messageJson(request),
    status,
    response: messageJson(response),
    notes,
  };
}

export type ExchangeJson = ReturnType<typeof exchangeJson>;

/** The way back, for whoever read it from controls. */
export function readExchange(json: JsonObject): Exchange {
  const { at, registration_id: registrationId, status, to } = json;
  return {
    seq: Number(json['seq']),
    to: to === 'provider' ? 'provider' : 'service',
    at: Date.parse(String(at)),
    duration: Number(json['duration_ms']),
    method: String(json['method']),
    url: String(json['url']),
    path: String(json['path']),
    request: readMessage(json['request']),
    status: typeof status === 'number' ? status : null,
    response: readMessage(json['response']),
    ...(typeof registrationId === 'string' && { registrationId }),
    notes: readNotes(json['notes']),
  };
}

/** Reads the notes; a mock of a version that had none gives none. */
function readNotes(json: unknown): readonly ExchangeNote[] {
  const notes = Array.isArray(json) ? json.filter(isJsonObject) : [];
  return notes.map(({ event, fields }) => ({
    event: String(event),
    fields: (isJsonObject(fields) ? fields : {}) as ExchangeNote['fields'],
  }));
}

function messageJson({ headers, body, bodyState, bytes }: ExchangeMessage) {
  return { headers, body, body_state: bodyState, bytes };
}

function readMessage(json: unknown): ExchangeMessage {
  const message = isJsonObject(json) ? json : {};
  const headers = isJsonObject(message['headers']) ? message['headers'] : {};
  return {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ),
    body: message['body'],
    bodyState: String(message['body_state']) as BodyState,
    bytes: Number(message['bytes']),
  };
}
