import type { KeyRing } from '../../mock/index.ts';
import {
  displayText,
  JWT_TYPE,
  MEDIA_TYPE,
  parseJsonObject,
  SECOND,
} from '../../protocol/index.ts';
import { type Clock, type Fetch, readBody } from '../../runtime/index.ts';
import type { Attempt } from './after-attempt.ts';
import { findReceiver } from './find-receiver.ts';
import type { EventProblem, OutboxEntry } from './outbox-entry.ts';
import { ANSWER_LIMIT, discard, receiveAnswer } from './receive-answer.ts';

export interface Sender {
  readonly issuer: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly keys: Pick<KeyRing, 'sign'>;
}

const MAX_CODE_LENGTH = 64;
const MAX_TEXT_LENGTH = 200;

/** One attempt to tell a service: looks up where, signs, and pushes (RFC 8935 §2). */
export async function sendEvent(
  sender: Sender,
  entry: OutboxEntry,
  signal: AbortSignal,
): Promise<Attempt> {
  const { clock, fetch } = sender;
  const found = await findReceiver(fetch, clock, entry.audience, signal);
  if (!found.ok) return found.attempt;
  const { endpoint, eventType } = found.receiver;
  const received = await receiveAnswer(fetch, clock, endpoint, {
    method: 'POST',
    headers: { 'content-type': MEDIA_TYPE.securityEvent, accept: MEDIA_TYPE.json },
    body: await signEvent(sender, entry, eventType),
    signal,
  });
  if (!received.ok) return received.attempt;
  const { response } = received;
  if (response.ok) {
    discard(response);
    return { kind: 'delivered' };
  }
  return { kind: 'refused', problem: await readProblem(response) };
}

/**
 * A security event token (RFC 8417 §2.2, wire.md §7). The subject is named twice, the same: `sub` is
 * what the profile reads, `sub_id` what RFC 9493 does.
 */
function signEvent(
  { clock, issuer, keys }: Sender,
  { audience, id, revokedAt, subject }: OutboxEntry,
  eventType: string,
): Promise<string> {
  return keys.sign(JWT_TYPE.securityEvent, {
    iss: issuer,
    iat: Math.floor(clock.now() / SECOND),
    jti: id,
    aud: audience,
    toe: Math.floor(revokedAt / SECOND),
    sub: subject,
    sub_id: { format: 'iss_sub', iss: issuer, sub: subject },
    events: { [eventType]: {} },
  });
}

/** `err` and `description` (RFC 8935 §2.3), as far as the answer has them. */
async function readProblem(response: Response): Promise<EventProblem> {
  const { status } = response;
  const nameless = { code: `http_${status}`, status };
  try {
    const body = await readBody(response, ANSWER_LIMIT);
    const parsed = body.ok ? parseJsonObject(body.text) : undefined;
    if (!parsed?.ok) return nameless;
    const { err, description } = parsed.value;
    const text = typeof description === 'string' ? displayText(description, MAX_TEXT_LENGTH) : '';
    return {
      ...nameless,
      ...(typeof err === 'string' && isCode(err) && { code: err }),
      ...(text !== '' && { text }),
    };
  } catch {
    return nameless;
  }
}

function isCode(err: string): boolean {
  return err.length <= MAX_CODE_LENGTH && /^[\w.-]+$/.test(err);
}
