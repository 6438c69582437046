import type { LiveRegistration, LiveSnapshot } from '../../src/mock/live/index.ts';

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
    parties: [
      {
        ...shared,
        role: 'service',
        name: 'Tern Notes',
        issuer: SERVICE,
        controls: ['clock', 'complete', 'deny', 'revoke', 'rotate', 'faults', 'dialect', 'reset'],
        dialect: 'flat',
        dialects: ['flat', 'nested', 'first'],
      },
      {
        ...shared,
        role: 'provider',
        name: 'Heron ID',
        issuer: PROVIDER,
        controls: ['clock', 'rotate', 'faults', 'reset'],
        dialect: null,
        dialects: [],
      },
    ],
    registrations,
    mails,
    changes,
    tour: TOUR,
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

const TOUR: LiveSnapshot['tour'] = [
  {
    id: 'discover',
    flow: 'anonymous',
    title: 'Find out how to register',
    text: 'The agent calls the API without a token. The challenge leads it to the metadata.',
    curl: `curl -i ${SERVICE}/api/resource`,
    line: `agent-auth discover ${SERVICE}`,
    is_ready: false,
    is_done: true,
  },
  {
    id: 'register',
    flow: 'anonymous',
    title: 'Register without a user',
    text: 'One request gives the agent a registration, an assertion, and a token to claim it with later.',
    curl: `curl -s ${SERVICE}/agent/identity -H 'content-type: application/json' -d '{"type":"anonymous"}'`,
    line: `agent-auth register ${SERVICE} --type anonymous`,
    is_ready: true,
    is_done: false,
  },
  {
    id: 'claim',
    flow: 'service_auth',
    title: 'Open a claim',
    text: 'The service makes a code. The user types it on a page, and the agent polls meanwhile.',
    curl: `curl -s ${SERVICE}/agent/identity/claim -d claim_token=…`,
    line: 'agent-auth claim --email alice@example.com',
    is_ready: false,
    is_done: false,
  },
];
