import type { LiveChange } from '../../mock/live/model.ts';
import { describeOffset } from '../parts/texts.ts';
import type { Actor, State } from '../state/view-state.ts';

/** How a change by a control is told. */
export interface ChangeWords {
  /** Whose lane it is in: whoever would do it without a control. */
  readonly lane: Actor;
  /** What was done, in a few words. */
  readonly done: string;
  readonly meaning: string;
  /** The state that the registration is in by it. */
  readonly state: State | undefined;
}

/** What it is to approve, refuse or end in the user's place. */
const USERS: Readonly<Record<string, readonly [done: string, meaning: string, state?: State]>> = {
  'claim.completed': ['approve', 'completed the claim in place of its user', 'claimed'],
  'claim.confirmed': ['confirm', 'confirmed the claim in place of its user'],
  'claim.denied': ['deny', 'refused the claim in place of its user'],
  'registration.revoked': ['end access', 'ended the registration in place of its user', 'revoked'],
  'sign_in.approved': ['sign in', 'approved the sign-in in place of its user'],
  'sign_in.denied': ['deny', 'refused the sign-in in place of its user'],
  'consent.granted': ['consent', 'consented in place of the user'],
  'consent.denied': ['deny', 'refused consent in place of the user'],
  'consent.expired': ['wait', 'let the question for consent expire'],
  'consent.revoked': ['revoke consent', 'revoked a consent in place of its user'],
};

/** What a mock does or is otherwise from then on. */
const MOCKS: Readonly<Record<string, (detail: LiveChange['detail']) => [string, string]>> = {
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
  const [done, meaning, state] = users ?? MOCKS[action]?.(detail) ?? [];
  if (done === undefined || meaning === undefined) return undefined;
  return { lane: users === undefined ? role : 'user', done, meaning, state };
}
