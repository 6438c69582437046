import { NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { ServiceWorld } from '../service-world.ts';

/** Milliseconds until the window ends. @throws NotApplicable when the service does not say. */
export function claimWindowLeft(registered: Answer, { time }: ServiceWorld): number {
  const end = Date.parse(registered.string('claim_token_expires') ?? '');
  if (Number.isNaN(end)) {
    throw new NotApplicable(
      'The service does not say in claim_token_expires when its window ends.',
    );
  }
  return end - time.now();
}
