import { displayText } from '../../protocol/text.ts';
import { chooseOne } from '../choose/one.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import { typedAgain } from '../shell/typed-again.ts';
import { callControl } from './controls/call-control.ts';
import { type ControlTarget, findMock } from './controls/find-mocks.ts';
import {
  presentMockRegistration,
  readRegistration,
  readRegistrations,
} from './mock-registration.ts';

export interface MockCompleteOptions {
  readonly email?: string;
}

/** Completes or refuses the open claim attempt at the running mock service, as its user would. */
export async function mockComplete(
  context: Context,
  decision: 'complete' | 'deny',
  id: string | undefined,
  { email }: MockCompleteOptions,
): Promise<Outcome> {
  const target = await findMock(context, 'service');
  const registration = id ?? (await onlyPending(context, target, email));
  const path = `/registrations/${encodeURIComponent(registration)}/${decision}`;
  const body = await callControl(context, target, path, { ...(email !== undefined && { email }) });
  context.output.result(presentMockRegistration(readRegistration(body)));
  return 'done';
}

/** The only open claim needs no id. */
async function onlyPending(
  context: Context,
  target: ControlTarget,
  email: string | undefined,
): Promise<string> {
  const all = readRegistrations(await callControl(context, target, '/registrations'));
  const open = all.filter(({ state }) => state === 'pending');
  const theirs = open.filter(({ who }) => who === email);
  const pending = theirs.length > 0 ? theirs : open;
  const [only, another] = pending;
  if (only !== undefined && another === undefined) return only.id;
  if (another !== undefined) {
    return chooseOne(context, {
      question: 'Which claim?',
      choices: pending.map(({ id: value, who }) => ({
        value,
        name: who ? `${value}  ${displayText(who, 100)}` : value,
      })),
      code: 'registration_missing',
      message: 'Several claims are open.',
      flag: 'its registration',
      next: typedAgain(context, 'REGISTRATION'),
      details: { registrations: pending.map(({ body }) => body) },
    });
  }
  // A refused claim stays refused until a new attempt is started.
  const wasAsked = all[0]?.state === 'lapsed';
  throw new CliError('failed', {
    code: 'no_open_claim',
    message: 'No claim is open at the mock.',
    hint: 'Open one with the agent.',
    next: wasAsked
      ? nextLine(context, 'claim', '--renew')
      : nextLine(context, 'claim', '--email', email ?? 'alice@example.com'),
  });
}
