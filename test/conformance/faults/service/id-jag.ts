import type { FaultCase } from '../fault-case.ts';

export const ID_JAG_CASES: readonly FaultCase[] = [];
