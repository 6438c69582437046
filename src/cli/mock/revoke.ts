import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { callRegistration } from './controls/call-registration.ts';
import { findMock } from './controls/find-mocks.ts';
import { presentMockRegistration, readRegistration } from './mock-registration.ts';

/** Ends a registration at the running mock service, as its user would. */
export async function mockRevoke(context: Context, id: string): Promise<Outcome> {
  const target = await findMock(context, 'service');
  const body = await callRegistration(context, target, { id, decision: 'revoke', body: {} });
  context.output.result(presentMockRegistration(readRegistration(body)));
  return 'done';
}
