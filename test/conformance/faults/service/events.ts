import type { FaultCase } from '../fault-case.ts';

export const EVENTS_CASES: readonly FaultCase[] = [];
