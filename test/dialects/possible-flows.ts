import type { DialectId } from '../../src/protocol/index.ts';

/** What can happen between an agent and a service: the rows of the table of docs/dialects.md. */
export const DIALECT_FLOWS = [
  'anonymous',
  'claimed afterwards',
  'by email',
  'by ID-JAG',
  'link confirmed',
  'code before its confirmation',
  'wrong code',
  'expiry',
  're-open',
  'denial',
  'revocation',
  'token revoked by the agent',
  'assertion renewed',
] as const;
export type DialectFlow = (typeof DIALECT_FLOWS)[number];

/** Flows that a dialect does not have: docs/dialects.md says why. What the tests then meet. */
export const NOT_POSSIBLE: Readonly<
  Record<DialectId, Readonly<Partial<Record<DialectFlow, string>>>>
> = {
  flat: {
    'code before its confirmation': 'The agent has no code to hand in',
    'assertion renewed': 'its assertion is expired or was revoked',
  },
  nested: {},
  first: {
    'code before its confirmation': 'There is no page to confirm on',
    'link confirmed': 'Expected claim_pending, got registered',
    'token revoked by the agent': 'The service has no revocation endpoint',
    'assertion renewed': 'The assertion has no end',
  },
};

/** The flows that a dialect has. */
export function flowsOf(dialect: DialectId): readonly DialectFlow[] {
  return DIALECT_FLOWS.filter((flow) => NOT_POSSIBLE[dialect][flow] === undefined);
}
