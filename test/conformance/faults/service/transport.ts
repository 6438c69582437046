import type { FaultCase } from '../fault-case.ts';

export const TRANSPORT_CASES: readonly FaultCase[] = [];
