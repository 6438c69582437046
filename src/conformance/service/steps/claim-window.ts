import { MINUTE } from '../../../protocol/index.ts';
import { NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { ServiceWorld } from '../service-world.ts';
import { toldEnd } from '../told-end.ts';

/**
 * When the window ends, in milliseconds since the epoch, and a while before it: a minute, or less in a short one.
 * @throws NotApplicable when the service does not say.
 */
export function claimWindow(
  registered: Answer,
  { time }: ServiceWorld,
): { readonly end: number; readonly nearly: number } {
  const token = registered.string('claim_token');
  const end = toldEnd(registered, 'claim_token_expires', { now: time.now(), token });
  if (end === undefined) {
    throw new NotApplicable(
      'The service does not say in claim_token_expires when its window ends, nor does its claim_token.',
    );
  }
  return { end, nearly: end - Math.min(MINUTE, Math.floor((end - time.now()) / 4)) };
}
