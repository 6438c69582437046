import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { whichRegistration } from './complete.ts';
import { callControl } from './controls/call-control.ts';
import { callRegistration } from './controls/call-registration.ts';
import { type ControlTarget, findMock } from './controls/find-mocks.ts';
import { presentDecision, readRegistration, readRegistrations } from './mock-registration.ts';

/** Ends a registration at the running mock service, as its user would. */
export async function mockRevoke(context: Context, id: string | undefined): Promise<Outcome> {
  const target = await findMock(context, 'service');
  const body = await callRegistration(context, target, {
    id: id ?? (await onlyLive(context, target)),
    decision: 'revoke',
    body: {},
  });
  context.output.result(presentDecision(readRegistration(body), 'Revoked'));
  return 'done';
}

/** The only one that can still be revoked needs no id. */
async function onlyLive(context: Context, target: ControlTarget): Promise<string> {
  const all = readRegistrations(await callControl(context, target, '/registrations'));
  const live = all.filter(({ state }) => state !== 'revoked' && state !== 'expired');
  const [only, another] = live;
  if (only === undefined) {
    throw usageError('No registration at the mock is live, so there is nothing to revoke.');
  }
  if (another === undefined) return only.id;
  return whichRegistration(context, live, {
    question: 'Which registration?',
    message: 'Several registrations are live.',
  });
}
