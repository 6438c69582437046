import type { LiveExchange } from '../../src/mock/live/model.ts';

const MESSAGE = { headers: {}, body: null, body_state: 'none', bytes: 0 } as const;

/** An exchange as the page is told it. */
export function liveExchange(seq: number, more: Partial<LiveExchange> = {}): LiveExchange {
  return {
    seq,
    at: '2026-01-05T09:30:00Z',
    duration_ms: 3,
    from: 'agent',
    to: 'service',
    step: 'call',
    meaning: 'the token is valid',
    section: '',
    registration_id: null,
    state: null,
    method: 'GET',
    url: 'http://127.0.0.1:4800/api/resource',
    path: '/api/resource',
    status: 200,
    request: MESSAGE,
    response: MESSAGE,
    findings: [],
    notes: [],
    ...more,
  };
}

export function pollExchange(seq: number, more: Partial<LiveExchange> = {}): LiveExchange {
  return liveExchange(seq, {
    step: 'poll',
    method: 'POST',
    path: '/oauth2/token',
    status: 400,
    meaning: 'authorization_pending: the user has not come yet',
    registration_id: 'reg_1',
    response: { ...MESSAGE, body: { error: 'authorization_pending' }, body_state: 'whole' },
    ...more,
  });
}
