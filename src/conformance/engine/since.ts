import * as z from 'zod';
import { type Report, ROLES, type Since, STATUSES, type Status } from './model.ts';
import { plainText } from './plain-text.ts';

const SCHEMA: Report['schema'] = 'agent-auth.conformance/1';

/** What a comparison needs of an earlier report; whatever else is in it is left out. */
const EARLIER = z.object({
  schema: z.literal(SCHEMA),
  version: z.string(),
  role: z.enum(ROLES),
  target: z.string(),
  startedAt: z.iso.datetime(),
  scenarios: z.array(
    z.object({
      checks: z.array(
        z.object({
          id: z.string(),
          status: z.enum(STATUSES),
          ownStatus: z.enum(STATUSES).exactOptional(),
        }),
      ),
    }),
  ),
});

/** The report of an earlier run. */
export type EarlierReport = z.infer<typeof EARLIER>;
type EarlierCheck = EarlierReport['scenarios'][number]['checks'][number];

/**
 * Reads a report: the file of `--report json=FILE`, or what `--json` printed.
 * @throws TypeError with the end of a sentence that begins with the name of the file.
 */
export function readEarlierReport(text: string): EarlierReport {
  const value = reportIn(text);
  if (value === undefined) throw new TypeError('is no report of a run.');
  if (value.schema !== SCHEMA) {
    const schema = plainText(value.schema, 60);
    throw new TypeError(`is a report of the format ${schema}; this version reads ${SCHEMA}.`);
  }
  const parsed = EARLIER.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new TypeError(
    `is a report with a defect: ${issue?.path.join('.')}: ${plainText(issue?.message ?? 'wrong')}.`,
  );
}

/** A report of whatever version. After the line that `--json` printed, one about an error may follow. */
function reportIn(text: string): { readonly schema: string } | undefined {
  for (const part of [text, text.slice(0, text.indexOf('\n'))]) {
    try {
      const value: unknown = JSON.parse(part);
      const schema = value instanceof Object && 'schema' in value ? value.schema : undefined;
      const isReport = typeof schema === 'string' && /^agent-auth\.conformance\/\d/.test(schema);
      return isReport ? { ...(value as object), schema } : undefined;
    } catch {
      // The first line alone may be JSON.
    }
  }
  return undefined;
}

/** What of the checks that both runs judged turned out otherwise now. */
export function sinceReport(
  { version, target, startedAt, scenarios }: EarlierReport,
  now: Report['scenarios'],
): Since {
  const before = new Map(scenarios.flatMap(({ checks }) => checks.map((each) => [each.id, each])));
  const both = now
    .flatMap(({ checks }) => checks)
    .flatMap((check) => {
      const earlier = before.get(check.id);
      if (earlier === undefined) return [];
      const { id, title } = check;
      const turned = { id, title, was: ownStatus(earlier), now: ownStatus(check) };
      return turned.was === 'skip' || turned.now === 'skip' ? [] : [turned];
    });
  const failsNow = both.filter(({ was, now }) => isRight(was) && !isRight(now));
  return {
    ...{ version, target, startedAt },
    compared: both.length,
    worse: failsNow.length > 0,
    failsNow,
    passesNow: both.filter(({ was, now }) => !isRight(was) && isRight(now)),
  };
}

/** How it ended by itself, where it was skipped because it rests on another check. */
function ownStatus({ status, ownStatus }: EarlierCheck): Status {
  return ownStatus ?? status;
}

function isRight(status: Status): boolean {
  return status === 'pass' || status === 'warn';
}
