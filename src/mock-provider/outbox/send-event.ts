import type { KeyRing } from '../../mock/keys/key-ring.ts';
import { JWT_TYPE, MEDIA_TYPE } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import { parseJsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import type { Clock, Fetch } from '../../runtime/ports.ts';
import { readBody } from '../../runtime/read-body.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { JwtContent } from '../id-token/jwt-content.ts';
import type { Attempt } from './after-attempt.ts';
import { findReceiver, type ReceiverRules } from './find-receiver.ts';
import type { EventProblem, OutboxEntry } from './outbox-entry.ts';
import { ANSWER_LIMIT, discard, lost, receiveAnswer } from './receive-answer.ts';

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

/** One attempt to send an event. */
export type SendEvent = typeof sendEvent;

const MAX_CODE_LENGTH = 64;
const MAX_TEXT_LENGTH = 200;

/** One attempt to send an event: finds the receiver, signs, and pushes (RFC 8935 §2). */
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
  /** As the service lists it. */
  readonly eventType: string;
  /** In milliseconds. */
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
