import type { LiveChange } from '../../mock/live/model.ts';
import { describeOffset } from '../parts/countdown.ts';
import type { Actor, State } from '../state/view-state.ts';

/** How a change by a control is told. */
export interface ChangeWords {
  /** In whose lane: whoever would do it without a control. */
  readonly lane: Actor;
  /** What was done, in a few words. */
  readonly done: string;
  readonly meaning: string;
  /** The state that the registration is in by it. */
  readonly state?: State;
}

/** What it is to approve, refuse or end in the user's place. */
const USERS: Readonly<Record<string, Omit<ChangeWords, 'lane'>>> = {
  'claim.completed': {
    done: 'approve',
    meaning: 'completed the claim in place of its user',
    state: 'claimed',
  },
  'claim.confirmed': {
    done: 'confirm',
    meaning: 'confirmed the claim in place of its user',
  },
  'claim.denied': { done: 'deny', meaning: 'refused the claim in place of its user' },
  'registration.revoked': {
    done: 'end access',
    meaning: 'ended the registration in place of its user',
    state: 'revoked',
  },
  'sign_in.approved': {
    done: 'sign in',
    meaning: 'approved the sign-in in place of its user',
  },
  'sign_in.denied': {
    done: 'deny',
    meaning: 'refused the sign-in in place of its user',
  },
  'consent.granted': { done: 'consent', meaning: 'consented in place of the user' },
  'consent.denied': { done: 'deny', meaning: 'refused consent in place of the user' },
  'consent.expired': { done: 'wait', meaning: 'let the question for consent expire' },
  'consent.revoked': {
    done: 'revoke consent',
    meaning: 'revoked a consent in place of its user',
  },
};

/** What a mock does or is otherwise from then on. */
const MOCKS: Readonly<Record<string, (detail: LiveChange['detail']) => readonly [string, string]>> =
  {
    'clock.moved': ({ offset_ms: ms }) => ['move clock', clockText(Number(ms))],
    'faults.set': ({ faults }) => [
      'set faults',
      faults ? `faults are on: ${faults}` : 'no fault is on',
    ],
    'keys.rotated': () => ['rotate keys', 'there is a next signing key'],
    'trust.added': ({ issuer }) => ['add trust', `the service trusts ${issuer}`],
    'client.set': ({ client }) => ['add client', `${client} is known`],
    'client.removed': ({ client }) => ['remove client', `${client} is unknown`],
    'policy.set': ({ rules }) => ['set policy', `rules: ${rules}`],
    'tokens.ended': ({ tokens }) => ['end tokens', `tokens that ended: ${tokens}`],
    'sign_in.set': ({ decision }) => ['set sign-in', `sign-ins from now on: ${decision}`],
    'event.requeued': () => ['send again', 'an event is sent again'],
    reset: () => ['reset', 'all is as it was at the start'],
  };

function clockText(ms: number): string {
  const offset = describeOffset(ms);
  return offset === undefined
    ? "the clock shows the machine's time"
    : `the clock is at ${offset} from the machine's`;
}

/** undefined for what only goes along with another change. */
export function changeWords({ action, detail, role }: LiveChange): ChangeWords | undefined {
  const users = USERS[action];
  if (users !== undefined) return { lane: 'user', ...users };
  const words = MOCKS[action]?.(detail);
  if (words === undefined) return undefined;
  const [done, meaning] = words;
  return { lane: role, done, meaning };
}
