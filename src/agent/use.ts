import { AgentError } from './agent-error.ts';
import { livingOther, useRegistration } from './credentials/change-credentials.ts';
import type { UseOutcome } from './outcomes.ts';
import { findRegistration } from './records/find-registration.ts';
import type { UseRequest } from './requests.ts';
import type { Tools } from './tools.ts';

export async function use(tools: Tools, request: UseRequest): Promise<UseOutcome> {
  return tools.store.update((current) => {
    const found = findRegistration(current, request.registrationId, request.service, 'use');
    const { registration, record } = found;
    if (registration.ended !== null) {
      const what = registration.ended === 'revoked' ? 'was revoked' : 'has expired';
      throw new AgentError(
        `The registration ${registration.id} ${what}: nothing can be done with it.`,
        {
          code: 'registration_over',
          hint: 'Remove it from this machine.',
          next: { command: 'forget', args: [registration.id] },
        },
      );
    }
    const { issuer, name } = record;
    const previous = livingOther(current, registration);
    const outcome = {
      status: 'in_use',
      service: { issuer, name },
      registration,
      previous,
    } as const;
    return [useRegistration(current, registration) ?? current, outcome];
  });
}
