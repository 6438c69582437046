import type { UnansweredPolls } from '../outcomes.ts';

/** For a user: what a wait that was given up does not know. */
export function unansweredText(who: string, { polls, status }: UnansweredPolls): string {
  const which = polls === 1 ? 'the last poll' : `the last ${polls} polls`;
  const what = status === null ? `did not answer ${which}` : `answered ${which} with ${status}`;
  return `${who} ${what}, so it is not known whether the user has acted.`;
}
