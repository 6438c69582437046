import type { FaultCase } from '../fault-case.ts';

export const TOKEN_CASES: readonly FaultCase[] = [];
