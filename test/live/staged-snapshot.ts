import type { LiveRegistration, LiveSnapshot } from '../../src/mock/live/model.ts';

const SERVICE = 'http://127.0.0.1:4800';
const PROVIDER = 'http://127.0.0.1:4801';

interface Staged {
  /** On the mocks' clock, in milliseconds. */
  readonly now: number;
  readonly offset?: number;
  readonly registrations?: readonly LiveRegistration[];
  readonly mails?: LiveSnapshot['mails'];
  readonly changes?: LiveSnapshot['changes'];
}

export function at(ms: number): string {
  return new Date(ms).toISOString();
}

export function stagedRegistration(
  more: Partial<LiveRegistration> & { id: string },
): LiveRegistration {
  return {
    type: 'service_auth',
    state: 'unclaimed',
    specification_state: null,
    email: null,
    agent_name: null,
    created_at: at(0),
    ends_at: null,
    attempt: null,
    history: [],
    ...more,
  };
}

/** Both mocks with all their buttons. */
export function stagedSnapshot({
  changes = [],
  mails = [],
  now,
  offset = 0,
  registrations = [],
}: Staged): LiveSnapshot {
  const faults = FAULTS.map((name) => ({
    name,
    description: `${name.replaceAll('-', ' ')}: the mock does that instead of what is right.`,
    on: name === 'slow-token',
  }));
  const shared = { now: at(now), clock_offset_ms: offset, faults };
  return {
    version: 1,
    title: 'Tern Notes and Heron ID',
    has_controls: true,
    parties: [
      {
        ...shared,
        role: 'service',
        name: 'Tern Notes',
        issuer: SERVICE,
        dialect: 'flat',
      },
      {
        ...shared,
        role: 'provider',
        name: 'Heron ID',
        issuer: PROVIDER,
        dialect: null,
      },
    ],
    registrations,
    mails,
    changes,
  };
}

const FAULTS = [
  'slow-token',
  ...['assertion', 'challenge', 'claim', 'event', 'key-set', 'metadata', 'poll', 'token'].flatMap(
    (noun) =>
      ['missing', 'doubled', 'in-the-past', 'of-another', 'without-end', 'unsigned', 'empty'].map(
        (way) => `${noun}-${way}`,
      ),
  ),
];
