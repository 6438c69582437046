import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import { callControl } from './controls/call-control.ts';
import { findMocks, type Part } from './controls/find-mocks.ts';

interface MockAuditEntry {
  readonly part: 'service' | 'provider';
  readonly seq: number;
  /** RFC 3339. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly registration: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The most that the controls return at once. */
const PAGE = 1_000;

/** Every change of state at the running mocks, oldest first. */
export async function mockAudit(context: Context): Promise<Outcome> {
  const parts: MockAuditEntry[][] = [];
  for (const target of await findMocks(context)) {
    const entries: MockAuditEntry[] = [];
    for (let after = 0; ; ) {
      const body = await callControl(context, target, `/audit?after=${after}&limit=${PAGE}`);
      const page = readEntries(target.part, body);
      entries.push(...page);
      after = page.at(-1)?.seq ?? after;
      if (page.length < PAGE) break;
    }
    parts.push(entries);
  }
  context.output.result(presentAudit(merge(parts)));
  return 'done';
}

/** One order by time. Within a part the order is its own: its clock may have been set back. */
function merge(parts: readonly (readonly MockAuditEntry[])[]): readonly MockAuditEntry[] {
  const [first = [], second = []] = parts;
  const rest = [...second];
  const merged = first.flatMap((entry) => {
    const until = rest.findIndex(({ at }) => at > entry.at);
    return [...rest.splice(0, until === -1 ? rest.length : until), entry];
  });
  return [...merged, ...rest];
}

function readEntries(part: Part, body: JsonObject): readonly MockAuditEntry[] {
  const list = body['entries'];
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).map((entry) => ({
    part,
    seq: Number(entry['seq']),
    at: String(entry['at']),
    actor: String(entry['actor']),
    action: String(entry['action']),
    registration: typeof entry['registration_id'] === 'string' ? entry['registration_id'] : null,
    detail: isJsonObject(entry['detail']) ? entry['detail'] : {},
  }));
}

function presentAudit(entries: readonly MockAuditEntry[]): Rendering {
  return {
    schema: 'mockAudit',
    wraps: true,
    json: () => ({
      entries: entries.map(({ part, registration, ...entry }) => ({
        mock: part,
        ...entry,
        registration_id: registration,
      })),
    }),
    human: (style) =>
      entries.length === 0
        ? 'No changes yet.'
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
