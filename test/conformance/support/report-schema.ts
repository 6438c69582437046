import { z } from 'zod';
import {
  CAUSE_KINDS,
  GAINS,
  LEVELS,
  OUTCOMES,
  ROLES,
  SECTIONS,
  STATUSES,
} from '../../../src/conformance/engine/model.ts';

const number = z.number().min(0);
const headers = z.array(z.tuple([z.string(), z.string()]));
const COUNTS = z.strictObject(
  Object.fromEntries(STATUSES.map((status) => [status, z.int().min(0)])) as Record<
    (typeof STATUSES)[number],
    z.ZodInt
  >,
);

const ATTACK = z.strictObject({ gain: z.enum(GAINS), can: z.string() });

const TOKEN = z.strictObject({
  mark: z.string(),
  header: z.record(z.string(), z.unknown()).optional(),
  claims: z.record(z.string(), z.unknown()).optional(),
});

const EXCHANGE = z.strictObject({
  number: z.int().min(1),
  from: z.string(),
  to: z.string(),
  at: number,
  request: z.strictObject({
    method: z.string(),
    url: z.string(),
    headers,
    body: z.string().optional(),
  }),
  response: z
    .strictObject({
      status: z.int(),
      headers,
      body: z.string().optional(),
      duration: number,
    })
    .optional(),
  problem: z.string().optional(),
  tokens: z.array(TOKEN).optional(),
});

const CAUSE = z.strictObject({
  kind: z.enum(CAUSE_KINDS),
  status: z.enum(STATUSES).exclude(['pass']),
  title: z.string(),
  section: z.enum(SECTIONS),
  level: z.enum(LEVELS),
  attack: ATTACK.optional(),
  checks: z.array(z.string()),
  resting: z.array(z.string()),
  expected: z.string().optional(),
  seen: z.string().optional(),
  also: z.array(z.strictObject({ check: z.string(), seen: z.string() })).optional(),
  moreFindings: z.int().min(0),
  tokens: z.array(TOKEN).optional(),
  exchange: z.strictObject({ scenario: z.string(), number: z.int().min(1) }).optional(),
  repeat: z.string().optional(),
  sources: z.array(z.strictObject({ text: z.string(), href: z.string().optional() })),
  option: z.string().optional(),
  known: z.string().optional(),
});

const CHECK = z.strictObject({
  id: z.string(),
  title: z.string(),
  level: z.enum(LEVELS),
  section: z.enum(SECTIONS),
  attack: ATTACK.optional(),
  status: z.enum(STATUSES),
  requirements: z.array(z.string()),
  sources: z.array(z.string()),
  findings: z.array(
    z.strictObject({
      expected: z.string(),
      seen: z.string(),
      exchange: z.int().optional(),
    }),
  ),
  moreFindings: z.int().min(0),
  reason: z.string().optional(),
  needs: z.string().optional(),
  restsOn: z.string().optional(),
  ownStatus: z.enum(['fail', 'warn', 'untestable']).optional(),
  deselected: z.literal(true).optional(),
  known: z.string().optional(),
});

const TURNED = z.strictObject({
  id: z.string(),
  title: z.string(),
  was: z.enum(STATUSES),
  now: z.enum(STATUSES),
});

/** The JSON of a report. A member may be added within a version; none goes away or changes its meaning. */
export const REPORT = z.strictObject({
  schema: z.literal('agent-auth.conformance/1'),
  version: z.string(),
  role: z.enum(ROLES),
  target: z.string(),
  startedAt: z.iso.datetime(),
  duration: number,
  seed: z.int().min(0),
  verdict: z.strictObject({
    outcome: z.enum(OUTCOMES),
    known: z.int().min(0),
    fixed: z.array(z.string()),
    unjudged: z.array(
      z.strictObject({ story: z.string(), why: z.string(), option: z.string().optional() }),
    ),
    selectedOnly: z.boolean(),
    interrupted: z.boolean(),
    died: z.string().optional(),
  }),
  summary: z.strictObject({
    checks: COUNTS,
    byLevel: z.record(z.enum(LEVELS), COUNTS),
    sections: z.record(
      z.enum(SECTIONS),
      z.strictObject({
        passed: z.int().min(0),
        judged: z.int().min(0),
        untestable: z.int().min(0),
      }),
    ),
  }),
  since: z
    .strictObject({
      version: z.string(),
      target: z.string(),
      startedAt: z.iso.datetime(),
      compared: z.int().min(0),
      worse: z.boolean(),
      failsNow: z.array(TURNED),
      passesNow: z.array(TURNED),
    })
    .optional(),
  causes: z.array(CAUSE),
  scenarios: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      duration: number,
      checks: z.array(CHECK),
      exchanges: z.array(EXCHANGE),
      died: z.string().optional(),
    }),
  ),
});
