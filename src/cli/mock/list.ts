import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { callControl } from './controls/call-control.ts';
import { findMock } from './controls/find-mocks.ts';
import { readRegistration, readRegistrations } from './controls/mock-registration.ts';
import { presentMockRegistration, presentMockRegistrations } from './present-registrations.ts';

/** What is registered at the running mock service; with an id, everything about that one. */
export async function mockList(context: Context, id: string | undefined): Promise<Outcome> {
  const target = await findMock(context, 'service');
  if (id === undefined) {
    const body = await callControl(context, target, '/registrations');
    context.output.result(presentMockRegistrations(target.issuer, readRegistrations(body)));
    return 'done';
  }
  const path = `/registrations/${encodeURIComponent(id)}`;
  const body = await callControl(context, target, path);
  context.output.result(presentMockRegistration(readRegistration(body)));
  return 'done';
}
