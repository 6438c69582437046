import { MINUTE } from '../../../protocol/index.ts';
import { NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { ServiceWorld } from '../service-world.ts';

/**
 * When the window ends, in milliseconds since the epoch, and a while before it: a minute, or less in a short one.
 * @throws NotApplicable when the service does not say.
 */
export function claimWindow(
  registered: Answer,
  { time }: ServiceWorld,
): { readonly end: number; readonly nearly: number } {
  const end = Date.parse(registered.string('claim_token_expires') ?? '');
  if (Number.isNaN(end)) {
    throw new NotApplicable(
      'The service does not say in claim_token_expires when its window ends.',
    );
  }
  return { end, nearly: end - Math.min(MINUTE, (end - time.now()) / 4) };
}
