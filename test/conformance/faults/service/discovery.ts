import type { FaultCase } from '../fault-case.ts';

export const DISCOVERY_CASES: readonly FaultCase[] = [];
