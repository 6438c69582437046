import { MEDIA_TYPE, parseJsonObject } from '../../protocol/index.ts';
import { readBody } from '../../runtime/index.ts';
import type { Attempt } from './after-attempt.ts';
import { findReceiver } from './find-receiver.ts';
import type { EventProblem, OutboxEntry } from './outbox-entry.ts';
import { ANSWER_LIMIT, discard, receiveAnswer } from './receive-answer.ts';
import type { Sender } from './sender.ts';

const MAX_CODE_LENGTH = 64;

/** One attempt to send an event: finds the receiver, signs, and pushes (RFC 8935 §2). */
export async function sendEvent(
  sender: Sender,
  entry: OutboxEntry,
  signal: AbortSignal,
): Promise<Attempt> {
  const { clock, config, decisions, keys } = sender;
  const found = await findReceiver(sender, entry.audience, signal);
  if (!found.ok) return found.attempt;
  const { endpoint, eventType } = found.receiver;
  const { issuer } = config;
  const { typ, claims } = decisions.event({ issuer, entry, eventType, now: clock.now() });
  const received = await receiveAnswer(sender, endpoint, {
    method: 'POST',
    headers: { 'content-type': MEDIA_TYPE.securityEvent, accept: MEDIA_TYPE.json },
    body: await keys.sign(typ, claims),
    signal,
  });
  if (!received.ok) return received.attempt;
  const { response } = received;
  if (response.ok) {
    discard(response);
    return { kind: 'delivered' };
  }
  return { kind: 'refused', problem: await readProblem(response, decisions.refusalText) };
}

/** `err` and `description` (RFC 8935 §2.3), as far as the answer has them. */
async function readProblem(
  response: Response,
  shown: (words: string) => string,
): Promise<EventProblem> {
  const { status } = response;
  const nameless = { code: `http_${status}`, status };
  try {
    const body = await readBody(response, ANSWER_LIMIT);
    const parsed = body.ok ? parseJsonObject(body.text) : undefined;
    if (!parsed?.ok) return nameless;
    const { err, description } = parsed.value;
    const text = typeof description === 'string' ? shown(description) : '';
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
