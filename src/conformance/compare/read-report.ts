import { z } from 'zod';
import type { Catalog } from '../engine/catalog.ts';
import {
  LEVELS,
  OUTCOMES,
  ROLES,
  type Score,
  SECTIONS,
  type Section,
  STATUSES,
} from '../engine/model.ts';
import { plainText } from '../engine/plain-text.ts';
import { isOwed, score } from '../engine/summary.ts';
import type { PastReport } from './past-report.ts';
import { whatItIs } from './what-it-is.ts';

export const REPORT_SCHEMA = 'agent-auth.conformance/1';

const HEADERS = z.array(z.tuple([z.string(), z.string()]));
const BODY = z.string().exactOptional();

const EXCHANGE = z.object({
  number: z.int(),
  from: z.string(),
  to: z.string(),
  at: z.number(),
  request: z.object({ method: z.string(), url: z.string(), headers: HEADERS, body: BODY }),
  response: z
    .object({ status: z.int(), headers: HEADERS, body: BODY, duration: z.number() })
    .exactOptional(),
  problem: z.string().exactOptional(),
});

const CHECK = z.object({
  id: z.string(),
  title: z.string(),
  level: z.enum(LEVELS),
  section: z.enum(SECTIONS).exactOptional(),
  status: z.enum(STATUSES),
  findings: z.array(
    z.object({ expected: z.string(), seen: z.string(), exchange: z.int().exactOptional() }),
  ),
  reason: z.string().exactOptional(),
  restsOn: z.string().exactOptional(),
  ownStatus: z.enum(['fail', 'warn', 'untestable']).exactOptional(),
  known: z.string().exactOptional(),
});

/** A score without `untestable` counts those among the judged ones: it is counted anew. */
const SCORE = z.object({ passed: z.int(), judged: z.int(), untestable: z.int().exactOptional() });

/** Members that a later version may add are left out; those that an earlier one lacks are optional. */
const REPORT = z.object({
  schema: z.literal(REPORT_SCHEMA),
  version: z.string(),
  role: z.enum(ROLES),
  target: z.string(),
  startedAt: z.string(),
  seed: z.int(),
  verdict: z
    .object({
      outcome: z.enum(OUTCOMES),
      selectedOnly: z.boolean().default(false),
      interrupted: z.boolean().default(false),
    })
    .exactOptional(),
  summary: z.object({
    sections: z.object({ protocol: SCORE, standards: SCORE, attacks: SCORE }).exactOptional(),
  }),
  scenarios: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      checks: z.array(CHECK),
      exchanges: z.array(EXCHANGE),
    }),
  ),
});

/**
 * Reads a report: the file of `--report json=FILE`, or what `--json` printed, in which lines about what went
 * wrong may follow. One of an earlier version is read too; `catalog` then says which section a check is of.
 * @throws TypeError with the end of a sentence that begins with the name of the file.
 */
export function readReport(text: string, catalog: Catalog): PastReport {
  const value = reportIn(text);
  if (value === undefined) throw new TypeError(`is no report of a run: it is ${whatItIs(text)}.`);
  const parsed = REPORT.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const { schema } = value as { readonly schema: unknown };
    if (schema !== REPORT_SCHEMA) {
      throw new TypeError(
        `is a report of the schema ${plainText(String(schema), 60)}; this version reads ${REPORT_SCHEMA}.`,
      );
    }
    throw new TypeError(
      `is a report with a defect: ${issue?.path.join('.') || 'it'}: ${plainText(issue?.message ?? 'wrong')}.`,
    );
  }
  return withDerived(parsed.data, catalog);
}

/** The object whose schema is that of a report, of whatever version. */
function reportIn(text: string): unknown {
  const whole = parsed(text);
  if (whole !== undefined) return isReport(whole) ? whole : undefined;
  for (const line of text.split('\n')) {
    const value = line.startsWith('{') ? parsed(line) : undefined;
    if (isReport(value)) return value;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isReport(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('schema' in value)) return false;
  return typeof value.schema === 'string' && value.schema.startsWith('agent-auth.conformance/');
}

type Parsed = z.infer<typeof REPORT>;

function withDerived({ verdict, summary, ...report }: Parsed, catalog: Catalog): PastReport {
  const checks = report.scenarios.flatMap((scenario) => scenario.checks);
  const sectionOf = ({ id, section }: Parsed['scenarios'][number]['checks'][number]) =>
    section ?? catalog.basis(id)?.section;
  const failed = checks.some(({ status }) => status === 'fail');
  const outcome = verdict?.outcome ?? (failed ? 'does_not_conform' : undefined);
  const sections = scoresIn(summary.sections) ?? scoresOf(checks, sectionOf);
  return {
    ...report,
    ...(outcome && { outcome }),
    ...(sections && { sections }),
    interrupted: verdict?.interrupted === true,
    selectedOnly: verdict?.selectedOnly === true,
    scenarios: report.scenarios.map((scenario) => ({
      ...scenario,
      checks: scenario.checks.map((check) => {
        const section = sectionOf(check);
        return section === undefined ? check : { ...check, section };
      }),
    })),
  };
}

type ParsedCheck = Parsed['scenarios'][number]['checks'][number];

function scoresIn(
  sections: Parsed['summary']['sections'],
): Readonly<Record<Section, Score>> | undefined {
  if (sections === undefined) return undefined;
  const whole = SECTIONS.flatMap((section) => {
    const { untestable, ...counts } = sections[section];
    return untestable === undefined ? [] : [[section, { ...counts, untestable }] as const];
  });
  return whole.length === SECTIONS.length
    ? (Object.fromEntries(whole) as Record<Section, Score>)
    : undefined;
}

function scoresOf(
  checks: readonly ParsedCheck[],
  sectionOf: (check: ParsedCheck) => Section | undefined,
): Record<Section, Score> | undefined {
  if (checks.some((check) => sectionOf(check) === undefined)) return undefined;
  return Object.fromEntries(
    SECTIONS.map((section) => {
      const own = checks.filter((check) => sectionOf(check) === section && isOwed(check));
      return [section, score(own)];
    }),
  ) as Record<Section, Score>;
}
