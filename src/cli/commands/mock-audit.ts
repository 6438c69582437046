import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import type { Context } from '../context.ts';
import { callControl } from '../controls/call-control.ts';
import { findMocks, type Part } from '../controls/find-mocks.ts';
import type { Outcome } from '../exit-codes.ts';
import { type MockAuditEntry, presentAudit } from '../presenters/mock-audit.ts';

/** As many as the controls hand out at once. */
const PAGE = 1_000;

/** Every change of state at the running mocks, oldest first. */
export async function mockAudit(context: Context): Promise<Outcome> {
  const entries: MockAuditEntry[] = [];
  for (const target of findMocks(context)) {
    for (let after = 0; ; ) {
      const body = await callControl(context, target, `/audit?after=${after}&limit=${PAGE}`);
      const page = readEntries(target.part, body);
      entries.push(...page);
      after = page.at(-1)?.seq ?? after;
      if (page.length < PAGE) break;
    }
  }
  // Each part counts by itself; the time puts them in one order.
  entries.sort((a, b) => a.at.localeCompare(b.at));
  context.output.result(presentAudit(entries));
  return 'done';
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
