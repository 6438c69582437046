import { MEDIA_TYPE, REVOKED_EVENT_ENDING } from '../../protocol/constants.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../protocol/json.ts';
import { authorizationServerMetadataUrls, isSameOrigin, urlProblem } from '../../protocol/urls.ts';
import type { Clock, Fetch } from '../../runtime/ports.ts';
import { readBody } from '../../runtime/read-body.ts';
import { ANSWER_LIMIT, AttemptEnded, discard, receiveAnswer, refused } from './receive-answer.ts';

/** Whose metadata is believed, and where events may go. */
export interface ReceiverRules {
  /** RFC 8414 §3.3: the document names the issuer that it was asked for. */
  isIssuedBy(document: JsonObject, audience: string): boolean;
  /** On the service's own origin alone. */
  isReceiverOf(endpoint: string, audience: string): boolean;
}

export const RECEIVER_RULES: ReceiverRules = {
  isIssuedBy: (document, audience) => document['issuer'] === audience,
  isReceiverOf: isSameOrigin,
};

/** Where a service accepts revocation events, and their event type. */
interface Receiver {
  readonly endpoint: string;
  readonly eventType: string;
}

interface Searching {
  readonly clock: Clock;
  readonly decisions: { readonly receiver: ReceiverRules };
  readonly fetch: Fetch;
}

/** Longer than any event type is; it goes into a token. */
const MAX_TYPE_LENGTH = 512;

/**
 * Reads a service's metadata (RFC 8414 §3.1) for where to send events; after a 404 at the other places
 * where it may lie, as agents do (wire contract §2). Events go nowhere else than to the endpoint in there, on
 * the service's own origin (PSH-10, A-09).
 * @throws AttemptEnded where there is no receiver.
 */
export async function findReceiver(
  sender: Searching,
  audience: string,
  signal: AbortSignal,
): Promise<Receiver> {
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
  sender: Searching,
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

function readReceiver(document: JsonObject, isReceiver: (endpoint: string) => boolean): Receiver {
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
