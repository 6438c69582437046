import type { FaultCase } from '../fault-case.ts';

export const PAGES_CASES: readonly FaultCase[] = [];
