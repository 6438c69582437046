import { json, wireProblem } from '../../mock/index.ts';
import type { JsonObject } from '../../protocol/index.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { WorkParts } from '../dialects/dialect.ts';
import { type Gate, spendOnce } from '../store/index.ts';

/** `POST /agent/challenge`: what is to be solved before a registration. */
export function giveChallenge(service: ServiceContext): Response {
  return json(service.dialect.work?.challenge(partsOf(service, service.clock.now())) ?? {});
}

/** Admits a registration with work that was done for it alone, where its dialect asks for work. */
export function workGate(service: ServiceContext, members: JsonObject): Gate | undefined {
  const { work } = service.dialect;
  if (work === undefined) return undefined;
  return async (tx, now) => {
    const parts = partsOf(service, now);
    const solved = work.solved(members, parts);
    if (solved && (await spendOnce(tx, 'work', solved.nonce, solved.expiresAt))) return;
    throw wireProblem('identity', 'invalid_request', {
      description: 'The proof of work is missing, wrong, expired or used before.',
      members: { challenge: work.challenge(parts) },
    });
  };
}

function partsOf({ random, userCodeKey }: ServiceContext, now: number): WorkParts {
  return { key: userCodeKey, random, now };
}
