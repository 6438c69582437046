import type { FaultCase } from '../fault-case.ts';

export const DIRECTORY_CASES: readonly FaultCase[] = [];
