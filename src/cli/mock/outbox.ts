import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import { callControl } from './controls/call-control.ts';
import { findMock } from './controls/find-mocks.ts';

export interface MockOutboxOptions {
  readonly send?: string;
}

/** An event of the mock provider's outbox. */
interface MockEventEntry {
  readonly id: string;
  readonly audience: string;
  /** RFC 3339. */
  readonly revokedAt: string;
  readonly state: string;
  readonly attempts: number;
  readonly problem: string | undefined;
  /** Everything, by its name on the wire. */
  readonly body: JsonObject;
}

/** The revocation events of the running mock provider, sent or pending; one can be sent again. */
export async function mockOutbox(context: Context, { send }: MockOutboxOptions): Promise<Outcome> {
  const target = await findMock(context, 'provider');
  if (send !== undefined) {
    const path = `/outbox/${encodeURIComponent(send)}/send`;
    const sent = await callControl(context, target, path, {}).catch((error: unknown) => {
      const isUnknown = error instanceof CliError && error.code === 'control_not_found';
      throw isUnknown ? error.with(nextLine(context, 'mock outbox')) : error;
    });
    const entry = readEvent(sent);
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
    problem: problem === undefined ? undefined : problemText(problem),
    body,
  };
}

/** The code, and what the provider or the service says of it. */
function problemText({ code, text }: JsonObject): string {
  return typeof text === 'string' ? `${String(code)}: ${text}` : String(code);
}

function presentOutbox(issuer: string, events: readonly MockEventEntry[]): Rendering {
  return {
    schema: 'mockOutbox',
    wraps: true,
    json: () => ({ provider: issuer, events: events.map(({ body }) => body) }),
    human: (style, columns) =>
      events.length === 0
        ? `The provider at ${issuer} has no events.`
        : table(
            [
              ['event', 'service', 'revoked', 'state', 'tries', 'problem'].map((name) =>
                style.bold(name),
              ),
              ...events.map((event) => [
                event.id,
                displayText(event.audience, 100),
                event.revokedAt,
                event.state,
                String(event.attempts),
                displayText(event.problem ?? '–', 120),
              ]),
            ],
            columns,
          ),
  };
}
