import { Document, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import * as z from 'zod';
import { didYouMean } from '../../runtime/index.ts';
import { isJudged } from './core.ts';
import { type CheckResult, type Report, ROLES } from './model.ts';
import { plainText } from './plain-text.ts';
import { readChecked } from './read-checked.ts';
import { isRed } from './verdict.ts';

const BASELINE_SCHEMA = 'agent-auth.conformance-baseline/1';

const BASELINE = z.strictObject({
  schema: z.literal(BASELINE_SCHEMA),
  role: z.enum(ROLES),
  known: z.array(z.strictObject({ check: z.string().min(1), reason: z.string().optional() })),
});

/** Known failures: they do not fail a run until they pass. */
export type Baseline = z.infer<typeof BASELINE>;

/**
 * Reads a baseline, YAML or JSON.
 * @param checks The ids that it may list. Default: any.
 * @throws TypeError with a sentence that names the line.
 */
export function readBaseline(text: string, checks?: readonly string[]): Baseline {
  if (text.trim() === '') throw new TypeError('it is empty. --write-baseline FILE makes one.');
  const { lineOf, value } = readChecked(text, BASELINE);
  const names = value.known.map(({ check }) => check);
  const again = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (again >= 0) {
    throw new TypeError(`line ${lineOf(['known', again])}: ${names[again]} is listed twice.`);
  }
  const strange = checks === undefined ? -1 : names.findIndex((name) => !checks.includes(name));
  if (checks !== undefined && strange >= 0) {
    const name = names[strange] ?? '';
    throw new TypeError(
      `line ${lineOf(['known', strange])}: there is no check ${name}.` +
        (didYouMean(name, checks) || ' Take it out.'),
    );
  }
  return value;
}

/**
 * A baseline of what fails now, as YAML. Of the one that is there stays what this run did not judge, and what
 * its user wrote: reasons and comments. What was judged and does not fail is taken out, and what is no check. What
 * could not be tested is not added: once it can be, nobody knows whether it fails.
 * @param before The text of the file that is replaced: a baseline, or empty.
 * @param ids Of the checks that there are. Default: any.
 */
export function writeBaseline(report: Report, before = '', ids?: readonly string[]): string {
  const kept = before.trim() === '' ? undefined : readBaseline(before);
  if (kept === undefined) return textOf(newDocument(report, [], ids));
  const document = parseDocument(before);
  if (isMap(document.contents) && document.contents.flow !== true) {
    update(document, report, ids);
    try {
      return textOf(document);
    } catch {
      // What was taken out had an anchor that something else names.
    }
  }
  return textOf(newDocument(report, kept.known, ids));
}

function newDocument(
  report: Report,
  known: Baseline['known'],
  ids: readonly string[] | undefined,
): Document {
  const document = new Document({ schema: BASELINE_SCHEMA, role: report.role, known });
  document.commentBefore =
    ' Known failures: a run with --baseline fails for others alone. Say why in reason.';
  update(document, report, ids);
  return document;
}

/** The text of a baseline, not folded: a reason is one line. */
function textOf(document: Document): string {
  return document.toString({ lineWidth: 0 });
}

function update(document: Document, report: Report, ids: readonly string[] | undefined): void {
  const checks = new Map(
    report.scenarios.flatMap(({ checks: all }) => all.map((check) => [check.id, check])),
  );
  const entries = document.get('known');
  if (!isSeq(entries)) return;
  entries.flow = false;
  entries.items = entries.items.filter((item) => {
    const name = nameOf(item) ?? '';
    const check = checks.get(name);
    if (check === undefined) return ids?.includes(name) !== false;
    return !isJudged(check) || isRed(check);
  });
  const listed = new Set(entries.items.map((item) => nameOf(item)));
  for (const item of entries.items) {
    const check = checks.get(nameOf(item) ?? '');
    const why = check === undefined ? undefined : reasonOf(check);
    if (isMap(item) && !item.has('reason') && why !== undefined) {
      item.set('reason', why);
    }
  }
  for (const check of checks.values()) {
    if (!isRed(check) || listed.has(check.id)) continue;
    const why = reasonOf(check);
    entries.add(
      document.createNode({ check: check.id, ...(why !== undefined && { reason: why }) }),
    );
  }
  // An empty list in block style would be nothing at all.
  if (entries.items.length === 0) entries.flow = true;
}

function nameOf(item: unknown): string | undefined {
  if (!isMap(item)) return undefined;
  const name = item.get('check', true);
  const value = isScalar(name) ? name.value : undefined;
  return typeof value === 'string' ? value : undefined;
}

function reasonOf({ findings: [first], reason }: CheckResult): string | undefined {
  const why = first?.expected ?? reason;
  return why === undefined ? undefined : plainText(why);
}
