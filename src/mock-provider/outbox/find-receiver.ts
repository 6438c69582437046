import {
  authorizationServerMetadataUrls,
  isJsonObject,
  type JsonObject,
  MEDIA_TYPE,
  parseJsonObject,
  REVOKED_EVENT_ENDING,
  urlProblem,
} from '../../protocol/index.ts';
import { type BodyResult, readBody } from '../../runtime/index.ts';
import type { Attempt } from './after-attempt.ts';
import { ANSWER_LIMIT, discard, lost, receiveAnswer } from './receive-answer.ts';
import type { Sender } from './sender.ts';

/** Where a service accepts revocation events, and their event type. */
export interface Receiver {
  readonly endpoint: string;
  readonly eventType: string;
}

export type Found = { readonly ok: true; readonly receiver: Receiver } | Failed;

interface Failed {
  readonly ok: false;
  readonly attempt: Attempt;
}

/** Longer than any event type is; it goes into a token. */
const MAX_TYPE_LENGTH = 512;

/**
 * Reads a service's metadata (RFC 8414 §3.1) for where to send events; after a 404 at the other places
 * where it may lie, as agents do (wire contract §2). Events go nowhere else than to the endpoint in there, on
 * the service's own origin (PSH-10, A-09).
 */
export async function findReceiver(
  sender: Sender,
  audience: string,
  signal: AbortSignal,
): Promise<Found> {
  const { isIssuedBy, isReceiverOf } = sender.decisions.receiver;
  let missing = refused('metadata_not_found', 404);
  for (const [place, url] of authorizationServerMetadataUrls(audience).entries()) {
    const read = await readMetadata(sender, url, signal);
    if (read === 'not_found') continue;
    if (!read.ok) return read;
    if (isIssuedBy(read.document, audience)) {
      return readReceiver(read.document, (endpoint) => isReceiverOf(endpoint, audience));
    }
    if (place === 0) return refused('issuer_mismatch');
    // At a fallback URL it may be another server's: try the next.
    missing = refused('issuer_mismatch');
  }
  return missing;
}

type Read = { readonly ok: true; readonly document: JsonObject } | Failed | 'not_found';

async function readMetadata(sender: Sender, url: string, signal: AbortSignal): Promise<Read> {
  const received = await receiveAnswer(sender, url, {
    headers: { accept: MEDIA_TYPE.json },
    signal,
  });
  if (!received.ok) return received;
  const { response } = received;
  const { status } = response;
  if (status === 404) {
    discard(response);
    return 'not_found';
  }
  let body: BodyResult;
  try {
    body = await readBody(response, ANSWER_LIMIT);
  } catch (error) {
    return { ok: false, attempt: lost(error) };
  }
  if (status !== 200) return refused(`http_${status}`, status);
  const document = body.ok ? parseJsonObject(body.text) : undefined;
  return document?.ok
    ? { ok: true, document: document.value }
    : refused('metadata_invalid', status);
}

function readReceiver(document: JsonObject, isReceiver: (endpoint: string) => boolean): Found {
  const agentAuth = document['agent_auth'];
  const { events_endpoint: endpoint, events_supported: types } = isJsonObject(agentAuth)
    ? agentAuth
    : {};
  if (endpoint === undefined) return notWanted('no_events_endpoint');
  if (typeof endpoint !== 'string' || urlProblem(endpoint) !== undefined) {
    return refused('metadata_invalid');
  }
  if (!isReceiver(endpoint)) return refused('foreign_origin');
  const eventType = Array.isArray(types) ? types.find(isRevokedType) : undefined;
  if (eventType === undefined) return notWanted('event_not_supported');
  return { ok: true, receiver: { endpoint, eventType } };
}

/** The vendor's part of the name is never assumed (wire contract §1). */
function isRevokedType(type: unknown): type is string {
  return (
    typeof type === 'string' &&
    type.length <= MAX_TYPE_LENGTH &&
    type.endsWith(REVOKED_EVENT_ENDING)
  );
}

function refused(code: string, status?: number): Failed {
  const problem = { code, ...(status !== undefined && { status }) };
  return { ok: false, attempt: { kind: 'refused', problem } };
}

function notWanted(code: string): Failed {
  return { ok: false, attempt: { kind: 'not_wanted', problem: { code } } };
}
