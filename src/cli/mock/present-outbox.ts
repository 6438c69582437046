import { displayText } from '../../protocol/text.ts';
import type { JsonData, Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';

/** An event of the mock provider's outbox. */
export interface MockEventEntry {
  readonly id: string;
  readonly audience: string;
  /** RFC 3339. */
  readonly revokedAt: string;
  readonly state: string;
  readonly attempts: number;
  readonly problem: string | undefined;
  /** Everything, by its name on the wire. */
  readonly body: JsonData;
}

export function presentOutbox(issuer: string, events: readonly MockEventEntry[]): Rendering {
  return {
    schema: 'mockOutbox',
    json: () => ({ provider: issuer, events: events.map(({ body }) => body) }),
    human: (style) =>
      events.length === 0
        ? `The provider at ${issuer} has nothing to tell.`
        : table([
            ['event', 'service', 'revoked', 'state', 'tries', 'problem'].map((name) =>
              style.bold(name),
            ),
            ...events.map((event) => [
              event.id,
              displayText(event.audience, 100),
              event.revokedAt,
              event.state,
              String(event.attempts),
              displayText(event.problem ?? '–', 60),
            ]),
          ]),
  };
}
