import type { KeyRing } from '../../mock/keys/key-ring.ts';
import { JWT_TYPE, MEDIA_TYPE, REVOKED_EVENT_ENDING } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import { authorizationServerMetadataUrls, isSameOrigin, urlProblem } from '../../protocol/urls.ts';
import type { Clock, Fetch } from '../../runtime/ports.ts';
import { readBody } from '../../runtime/read-body.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { JwtContent } from '../id-token/jwt-content.ts';
import type { Attempt, EventProblem, OutboxEntry } from './outbox-entry.ts';
import {
  ANSWER_LIMIT,
  AttemptEnded,
  discard,
  lost,
  receiveAnswer,
  refused,
} from './receive-answer.ts';

/** What events are sent with. */
export interface Sender {
  readonly clock: Clock;
  readonly config: Pick<ProviderConfig, 'issuer'>;
  readonly decisions: {
    readonly event: typeof securityEventOf;
    readonly receiver: ReceiverRules;
    readonly refusalText: typeof refusalText;
  };
  readonly fetch: Fetch;
  readonly keys: Pick<KeyRing, 'sign'>;
}

/** Tries once to send an event. */
export type SendEvent = typeof sendEvent;

const MAX_CODE_LENGTH = 64;
const MAX_TEXT_LENGTH = 200;

/** Tries once to send an event: finds the receiver, signs, and pushes (RFC 8935 §2). */
export async function sendEvent(
  sender: Sender,
  entry: OutboxEntry,
  signal: AbortSignal,
): Promise<Attempt> {
  const { clock, config, decisions, keys } = sender;
  try {
    const { endpoint, eventType } = await findReceiver(sender, entry.audience, signal);
    const { issuer } = config;
    const { typ, claims } = decisions.event({ issuer, entry, eventType, now: clock.now() });
    const response = await receiveAnswer(sender, endpoint, {
      method: 'POST',
      headers: { 'content-type': MEDIA_TYPE.securityEvent, accept: MEDIA_TYPE.json },
      body: await keys.sign(typ, claims),
      signal,
    });
    if (response.ok) {
      discard(response);
      return { kind: 'delivered' };
    }
    return { kind: 'refused', problem: await readProblem(response, decisions.refusalText) };
  } catch (error) {
    return lost(error);
  }
}

export interface SecurityEvent {
  readonly issuer: string;
  readonly entry: OutboxEntry;
  /** The event type as the service lists it. */
  readonly eventType: string;
  /** The time, in milliseconds. */
  readonly now: number;
}

/**
 * What a security event token says (RFC 8417 §2.2, wire contract §7). The subject is named twice:
 * `sub` for the profile, `sub_id` for RFC 9493.
 */
export function securityEventOf({ entry, eventType, issuer, now }: SecurityEvent): JwtContent {
  const { audience, id, revokedAt, subject } = entry;
  return {
    typ: JWT_TYPE.securityEvent,
    claims: {
      iss: issuer,
      iat: Math.floor(now / SECOND),
      jti: id,
      aud: audience,
      toe: Math.floor(revokedAt / SECOND),
      sub: subject,
      sub_id: { format: 'iss_sub', iss: issuer, sub: subject },
      events: { [eventType]: {} },
    },
  };
}

/** The text of a service as it may be shown: no control characters, shortened. */
export function refusalText(words: string): string {
  return displayText(words, MAX_TEXT_LENGTH);
}

/** `err` and `description` (RFC 8935 §2.3), as far as the answer has them. */
async function readProblem(
  response: Response,
  shown: (words: string) => string,
): Promise<EventProblem> {
  const { status } = response;
  // An answer that breaks off has none.
  const body = await readBody(response, ANSWER_LIMIT).catch(() => undefined);
  const parsed = body?.ok ? parseJsonObject(body.text) : undefined;
  const { err, description } = parsed?.ok ? parsed.value : {};
  const text = typeof description === 'string' ? shown(description) : '';
  const isCode = typeof err === 'string' && err.length <= MAX_CODE_LENGTH && /^[\w.-]+$/.test(err);
  return { code: isCode ? err : `http_${status}`, status, ...(text !== '' && { text }) };
}

/** Whose metadata is believed, and where events may go. */
export interface ReceiverRules {
  /** RFC 8414 §3.3: the document names the issuer that it was asked for. */
  isIssuedBy(document: JsonObject, audience: string): boolean;
  /** Whether it is on the service's own origin: no other may receive events. */
  isReceiverOf(endpoint: string, audience: string): boolean;
}

export const RECEIVER_RULES: ReceiverRules = {
  isIssuedBy: (document, audience) => document['issuer'] === audience,
  isReceiverOf: isSameOrigin,
};

/** Where a service accepts revocation events, and their event type. */
interface EventReceiver {
  readonly endpoint: string;
  readonly eventType: string;
}

/** Longer than any event type is; it goes into a token. */
const MAX_TYPE_LENGTH = 512;

/**
 * Reads a service's metadata (RFC 8414 §3.1) for where to send events; after a 404 at the other places
 * where it may lie, as agents do (wire contract §2). Events go nowhere else than to the endpoint in there, on
 * the service's own origin (PSH-10, A-09).
 * @throws AttemptEnded where there is no receiver.
 */
async function findReceiver(
  sender: Sender,
  audience: string,
  signal: AbortSignal,
): Promise<EventReceiver> {
  const { isIssuedBy, isReceiverOf } = sender.decisions.receiver;
  let missing = refused('metadata_not_found', { status: 404 });
  for (const [place, url] of authorizationServerMetadataUrls(audience).entries()) {
    const document = await readMetadata(sender, url, signal);
    if (document === undefined) continue;
    if (isIssuedBy(document, audience)) {
      return readReceiver(document, (endpoint) => isReceiverOf(endpoint, audience));
    }
    // At a fallback URL it may be another server's: try the next.
    missing = refused('issuer_mismatch');
    if (place === 0) break;
  }
  throw missing;
}

/** `undefined` for a 404. */
async function readMetadata(
  sender: Sender,
  url: string,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const headers = { accept: MEDIA_TYPE.json };
  const response = await receiveAnswer(sender, url, { headers, signal });
  const { status } = response;
  if (status === 404) {
    discard(response);
    return undefined;
  }
  const body = await readBody(response, ANSWER_LIMIT);
  if (status !== 200) throw refused(`http_${status}`, { status });
  const document = body.ok ? parseJsonObject(body.text) : undefined;
  if (!document?.ok) throw refused('metadata_invalid', { status });
  return document.value;
}

function readReceiver(
  document: JsonObject,
  isReceiver: (endpoint: string) => boolean,
): EventReceiver {
  const agentAuth = document['agent_auth'];
  const { events_endpoint: endpoint, events_supported: types } = isJsonObject(agentAuth)
    ? agentAuth
    : {};
  if (endpoint === undefined) throw notWanted('no_events_endpoint');
  if (typeof endpoint !== 'string' || urlProblem(endpoint) !== undefined) {
    throw refused('metadata_invalid');
  }
  if (!isReceiver(endpoint)) throw refused('foreign_origin');
  const eventType = Array.isArray(types) ? types.find(isRevokedType) : undefined;
  if (eventType === undefined) throw notWanted('event_not_supported');
  return { endpoint, eventType };
}

/** The vendor's part of the name is never assumed (wire contract §1). */
function isRevokedType(type: unknown): type is string {
  const isShort = typeof type === 'string' && type.length <= MAX_TYPE_LENGTH;
  return isShort && type.endsWith(REVOKED_EVENT_ENDING);
}

function notWanted(code: string): AttemptEnded {
  return new AttemptEnded({ kind: 'not_wanted', problem: { code } });
}
