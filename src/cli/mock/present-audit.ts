import { displayText } from '../../protocol/text.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';

export interface MockAuditEntry {
  readonly part: 'service' | 'provider';
  readonly seq: number;
  /** RFC 3339. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly registration: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export function presentAudit(entries: readonly MockAuditEntry[]): Rendering {
  return {
    schema: 'mockAudit',
    json: () => ({
      entries: entries.map(({ part, registration, ...entry }) => ({
        mock: part,
        ...entry,
        registration_id: registration,
      })),
    }),
    human: (style) =>
      entries.length === 0
        ? 'Nothing has happened yet.'
        : table(
            entries.map(({ at, part, actor, action, registration, detail }) => [
              style.dim(at),
              part,
              action,
              `by ${displayText(actor, 120)}`,
              [
                registration ?? '',
                ...Object.entries(detail).map(
                  ([name, value]) => `${name}=${displayText(String(value), 120)}`,
                ),
              ]
                .filter(Boolean)
                .join('  '),
            ]),
          ),
  };
}
