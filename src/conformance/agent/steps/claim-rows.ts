import type { Reading, Row } from '../../engine/judge.ts';
import { ofKind } from '../agent-world.ts';
import type { ReceivedRequest } from '../received-request.ts';
import { without } from './rows.ts';
import { goodCall, listed, registrations } from './traffic.ts';

type Requests = readonly ReceivedRequest[];

/** The attempt that an agent opens for its user. */
export function attemptRows(
  traffic: Requests,
  email: string,
  registered = registrations(traffic)[0],
): Readonly<Record<'starts' | 'exact-body', Row<Requests>>> {
  const token = registered?.answered?.['claim_token'];
  const [started] = ofKind(traffic, 'claim');
  const members = Object.keys(started?.json ?? {}).toSorted();
  return {
    starts: {
      ok:
        started?.member('claim_token') === token &&
        started?.member('email')?.toLowerCase() === email,
      seen: listed(ofKind(traffic, 'claim')),
      exchange: started?.number,
    },
    'exact-body': started && {
      ok: members.join() === 'claim_token,email',
      seen: members.join(', ') || 'no JSON object',
      exchange: started.number,
    },
  };
}

/** A registration by the email of the user. */
export function emailRows(
  registered: ReceivedRequest | undefined,
  email: string,
): Readonly<Record<'registers' | 'one-hint', Reading>> {
  const body = registered?.json ?? {};
  const hints = Object.keys(body).filter((name) => /hint|^email$/.test(name));
  const exchange = registered?.number;
  return {
    registers: {
      ok: body['type'] === 'service_auth' && body['login_hint'] === email,
      seen: `type ${String(body['type'])}, login_hint ${JSON.stringify(body['login_hint'])}`,
      exchange,
    },
    'one-hint': {
      ok: hints.length === 1 && typeof body[hints[0] ?? ''] === 'string',
      seen: hints.join(', ') || 'no hint',
      exchange,
    },
  };
}

/** Every poll carries the claim token. */
export function allWith(token: unknown, polls: Requests): Reading {
  const other = polls.find((poll) => poll.form.get('claim_token') !== token);
  return without(other, 'another claim token, or none');
}

/** A call after the last poll was answered 200. */
export function calledClaimed(traffic: Requests, ended: string): Reading {
  const lastPoll = ofKind(traffic, 'poll').at(-1)?.number ?? 0;
  const calls = ofKind(traffic, 'resource');
  return {
    ok: goodCall(traffic.filter(({ number }) => number > lastPoll)) !== undefined,
    seen: `${listed(calls)} (${ended})`,
    exchange: calls.at(-1)?.number,
  };
}

/** What was exchanged is the assertion that came with the claim. */
export function exchangedSecond(exchanged: Requests, polls: Requests): Reading {
  const second = polls.at(-1)?.answered?.['identity_assertion'];
  return {
    ok: exchanged.length > 0 && exchanged.every((each) => each.member('assertion') === second),
    seen: exchanged.length === 0 ? 'no exchange' : 'another assertion was exchanged',
    exchange: exchanged[0]?.number,
  };
}
