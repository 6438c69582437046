import { displayText } from '../../protocol/text.ts';
import { chooseOne } from '../choose/one.ts';
import { CliError, type CliErrorOptions } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import { typedAgain } from '../shell/typed-again.ts';
import { callControl } from './controls/call-control.ts';
import { callRegistration } from './controls/call-registration.ts';
import { type ControlTarget, findMock } from './controls/find-mocks.ts';
import {
  type MockRegistration,
  presentDecision,
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
  const body = await callRegistration(context, target, {
    id: id ?? (await onlyPending(context, target, email)),
    decision,
    body: { ...(email !== undefined && { email }) },
  });
  const done = decision === 'complete' ? 'Completed the claim of' : 'Denied the claim of';
  context.output.result(presentDecision(readRegistration(body), done));
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
    return whichRegistration(context, pending, {
      question: 'Which claim?',
      message: 'Several claims are open.',
    });
  }
  throw new CliError('failed', {
    code: 'no_claim_open',
    message: 'No claim is open at the mock.',
    ...wayToAClaim(context, target, all, email),
  });
}

/** One of several. @throws CliError (usage) with the list where no user can be asked. */
export function whichRegistration(
  context: Context,
  among: readonly MockRegistration[],
  { message, question }: { readonly message: string; readonly question: string },
): Promise<string> {
  return chooseOne(context, {
    question,
    choices: among.map((each) => ({ value: each.id, name: nameOf(each) })),
    code: 'registration_missing',
    message,
    flag: 'its registration',
    hint: context.output.json
      ? undefined
      : ['Name one with its registration:', ...among.map(nameOf)].join('\n  '),
    next: typedAgain(context, 'REGISTRATION'),
    details: { registrations: among.map(({ body }) => body) },
  });
}

/** What tells open claims apart: whose each is, and since when. */
function nameOf({ id, who, createdAt }: MockRegistration): string {
  return [
    id,
    who === undefined ? 'nobody named' : displayText(who, 100),
    `since ${createdAt}`,
  ].join('  ');
}

/** What the agent does so that a claim is open, by what is registered. */
function wayToAClaim(
  context: Context,
  { issuer }: ControlTarget,
  all: readonly MockRegistration[],
  email = 'alice@example.com',
): Pick<CliErrorOptions, 'hint' | 'next'> {
  const register = nextLine(context, 'register', issuer);
  const claimable = all.find(({ state }) => state === 'unclaimed' || state === 'lapsed');
  // A refused claim stays refused until a new attempt is started.
  if (claimable?.state === 'lapsed') {
    const hint = `The last code of ${claimable.id} has ended. Get a new one with the agent.`;
    return { hint, next: nextLine(context, 'claim', '--renew') };
  }
  if (claimable !== undefined) {
    const hint = `Open one for ${claimable.id} with the agent.`;
    return { hint, next: nextLine(context, 'claim', '--email', email) };
  }
  const [latest] = all;
  if (latest === undefined) return { hint: 'Nothing is registered there yet.', next: register };
  return latest.state === 'claimed'
    ? { hint: `${latest.id} is claimed already.`, next: nextLine(context, 'mock list', latest.id) }
    : { hint: `${latest.id} is ${latest.state}. Register another one.`, next: register };
}
