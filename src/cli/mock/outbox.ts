import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { callControl } from './controls/call-control.ts';
import { findMock } from './controls/find-mocks.ts';
import { type MockEventEntry, presentOutbox } from './present-outbox.ts';

export interface MockOutboxOptions {
  readonly send?: string;
}

/** What the running mock provider told services, or has still to tell them; one can be sent again. */
export async function mockOutbox(context: Context, { send }: MockOutboxOptions): Promise<Outcome> {
  const target = await findMock(context, 'provider');
  if (send !== undefined) {
    const path = `/outbox/${encodeURIComponent(send)}/send`;
    const entry = readEvent(await callControl(context, target, path, {}));
    context.output.result(presentOutbox(target.issuer, [entry]));
    return entry.state === 'parked' ? 'failed' : 'done';
  }
  const { events } = await callControl(context, target, '/outbox');
  const list = Array.isArray(events) ? events.filter(isJsonObject).map(readEvent) : [];
  context.output.result(presentOutbox(target.issuer, list));
  return 'done';
}

function readEvent(body: JsonObject): MockEventEntry {
  const problem = isJsonObject(body['problem']) ? body['problem'] : undefined;
  return {
    id: String(body['id']),
    audience: String(body['audience']),
    revokedAt: String(body['revoked_at']),
    state: String(body['state']),
    attempts: Number(body['attempts']),
    problem: problem === undefined ? undefined : String(problem['code']),
    body,
  };
}
