import { AgentError } from '../agent-error.ts';
import { forget } from '../forget.ts';
import type { Credentials, Registration } from '../model.ts';
import type { ForgetOutcome } from '../outcomes.ts';
import { rememberService, useRegistration } from '../records/change-credentials.ts';
import { findServiceRecord } from '../records/select-service.ts';
import type { Tools } from '../tools.ts';
import type { ConnectStep } from './connect-request.ts';

export interface Leaving {
  /** What this run registered. */
  readonly made: readonly Registration[];
  /** The store as it was before. */
  readonly before: Credentials;
  /** The service that was connected to; `undefined`: it did not come to that. */
  readonly issuer: string | undefined;
  readonly tell: (step: ConnectStep) => void;
}

/**
 * Revokes and forgets what was registered, and puts back what was in use before. It is not aborted: who
 * interrupts wants it all the more. Each is told; what cannot be removed from the store too.
 */
export async function leave(tools: Tools, leaving: Leaving): Promise<readonly ForgetOutcome[]> {
  const { made, before, issuer, tell } = leaving;
  const left: ForgetOutcome[] = [];
  for (const registration of made) {
    try {
      const { id } = registration;
      const forgotten = await forget(tools, { service: registration.issuer, registrationId: id });
      left.push(forgotten);
      tell({ step: 'leave', status: 'left', forgotten });
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      // Somebody else removed it meanwhile.
      if (error.code === 'not_registered') continue;
      tell({ step: 'leave', status: 'failed', registration, error });
    }
  }
  if (left.length > 0) await putBack(tools, before, issuer);
  if (made.length === 0 && issuer !== undefined) await tellKept(tools, issuer, tell);
  return left;
}

async function putBack(
  tools: Tools,
  before: Credentials,
  issuer: string | undefined,
): Promise<void> {
  const current = findServiceRecord(before, issuer)?.current ?? null;
  const { lastService } = before;
  await tools.store.update((now) => {
    const has = (of: string, id?: string) =>
      now.services.some(
        (record) =>
          record.issuer === of &&
          (id === undefined || record.registrations.some((one) => one.id === id)),
      );
    let after = now;
    if (issuer !== undefined && current !== null && has(issuer, current)) {
      after = useRegistration(after, { issuer, id: current });
    }
    if (lastService !== null && has(lastService)) after = rememberService(after, lastService);
    return [after, undefined];
  });
}

async function tellKept(tools: Tools, issuer: string, tell: Leaving['tell']): Promise<void> {
  const record = findServiceRecord(await tools.store.read(), issuer);
  const registration = record?.registrations.find(({ id }) => id === record.current);
  if (registration !== undefined) tell({ step: 'leave', status: 'kept', registration });
}
