import type { Faults, KeyRing } from '../../mock/index.ts';
import {
  displayText,
  JWT_TYPE,
  MEDIA_TYPE,
  parseJsonObject,
  REVOKED_EVENT_ENDING,
  SECOND,
} from '../../protocol/index.ts';
import { type Clock, type Fetch, type Random, randomToken, readBody } from '../../runtime/index.ts';
import type { ProviderFault } from '../faults/index.ts';
import { tamper } from '../id-tokens.ts';
import type { Attempt } from './after-attempt.ts';
import { findReceiver } from './find-receiver.ts';
import type { EventProblem, OutboxEntry } from './outbox-entry.ts';
import { ANSWER_LIMIT, discard, receiveAnswer } from './receive-answer.ts';

export interface Sender {
  readonly issuer: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: Pick<KeyRing, 'sign'>;
  readonly faults: Faults<ProviderFault>;
}

const MAX_CODE_LENGTH = 64;
const MAX_TEXT_LENGTH = 200;
/** What a provider sends that looks nothing up. */
const ASSUMED_TYPE = `https://other.example/events${REVOKED_EVENT_ENDING}`;

/** One attempt to tell a service: looks up where, signs, and pushes (RFC 8935 §2). */
export async function sendEvent(
  sender: Sender,
  entry: OutboxEntry,
  signal: AbortSignal,
): Promise<Attempt> {
  const { faults } = sender;
  const found = await findReceiver(sender, entry.audience, signal);
  if (!found.ok) return found.attempt;
  const { endpoint, eventType } = found.receiver;
  const received = await receiveAnswer(sender, endpoint, {
    method: 'POST',
    headers: {
      'content-type': faults.has('eventAsJson') ? MEDIA_TYPE.json : MEDIA_TYPE.securityEvent,
      accept: MEDIA_TYPE.json,
    },
    body: await signEvent(sender, entry, eventType),
    signal,
  });
  if (!received.ok) return received.attempt;
  const { response } = received;
  if (response.ok) {
    discard(response);
    return { kind: 'delivered' };
  }
  return { kind: 'refused', problem: await readProblem(response, faults) };
}

/**
 * A security event token (RFC 8417 §2.2, wire.md §7). The subject is named twice, the same: `sub` is
 * what the profile reads, `sub_id` what RFC 9493 does.
 */
async function signEvent(
  { clock, faults, issuer, keys, random }: Sender,
  { audience, id, revokedAt, subject }: OutboxEntry,
  listedType: string,
): Promise<string> {
  const iat = Math.floor(clock.now() / SECOND);
  const eventType = faults.has('eventVendorAssumed') ? ASSUMED_TYPE : listedType;
  const sub = faults.has('eventSubjectOther') ? `${subject}_` : subject;
  const type = faults.has('eventTypeless') ? 'JWT' : JWT_TYPE.securityEvent;
  const signed = await keys.sign(type, {
    iss: issuer,
    iat,
    ...(!faults.has('eventUnnamed') && {
      jti: faults.has('eventRenamed') ? randomToken(random, 'set_') : id,
    }),
    ...(!faults.has('eventUnaddressed') && { aud: audience }),
    ...(faults.has('eventExpires') && { exp: iat + 300 }),
    toe: Math.floor(revokedAt / SECOND),
    sub,
    sub_id: { format: 'iss_sub', ...(!faults.has('eventSubIdHalved') && { iss: issuer }), sub },
    events: { [eventType]: {}, ...(faults.has('eventsBundled') && { [`${eventType}/2`]: {} }) },
  });
  return faults.has('eventTampered') ? tamper(signed) : signed;
}

/** `err` and `description` (RFC 8935 §2.3), as far as the answer has them. */
async function readProblem(
  response: Response,
  faults: Faults<ProviderFault>,
): Promise<EventProblem> {
  const { status } = response;
  const nameless = { code: `http_${status}`, status };
  try {
    const body = await readBody(response, ANSWER_LIMIT);
    const parsed = body.ok ? parseJsonObject(body.text) : undefined;
    if (!parsed?.ok) return nameless;
    const { err, description } = parsed.value;
    const words = typeof description === 'string' ? description : '';
    const raw = faults.has('refusalTextRaw');
    const text = raw ? words : displayText(words, MAX_TEXT_LENGTH);
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
