import { submitToLapsed } from './decide-submit.ts';
import { refuse } from './events.ts';
import type { Decide } from './machine.ts';

/** The user approves an open attempt. Doing so again shows the same code again. */
export const confirm: Decide<'confirm'> = (facts, { account }, { now }) => {
  if (account.email !== facts.email) return refuse('complete', 'wrong_account');
  const isConfirmed = facts.attempt?.confirmedAt !== undefined;
  return {
    outcome: { kind: 'confirmed' },
    effects: isConfirmed ? [] : [{ kind: 'confirm_attempt', at: now, userId: account.userId }],
  };
};

export const confirmLapsed: Decide<'confirm'> = submitToLapsed;
