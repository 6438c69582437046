import { submitToLapsed } from './decide-submit.ts';
import { refuse } from './events.ts';
import type { Decide } from './machine.ts';

/** The user presses Deny on an open attempt (wire contract §5). */
export const deny: Decide<'deny'> = (facts, { account }, { now }) =>
  account.email === facts.email
    ? { outcome: { kind: 'denied' }, effects: [{ kind: 'deny_attempt', at: now }] }
    : refuse('complete', 'wrong_account');

/** Denying again has the same outcome, for the account that denied before. */
export const denyAgain: Decide<'deny'> = (facts, input) => {
  const deniedByOwner =
    facts.attempt?.deniedAt !== undefined && input.account.email === facts.email;
  return deniedByOwner
    ? { outcome: { kind: 'denied' }, effects: [] }
    : submitToLapsed(facts, input);
};
