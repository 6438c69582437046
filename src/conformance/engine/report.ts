import type { Report, ScenarioResult } from './model.ts';
import { summarize } from './summary.ts';

/** The report of a run. `startedAt` in milliseconds since the epoch. */
export function buildReport({
  startedAt,
  scenarios,
  ...facts
}: Pick<Report, 'version' | 'role' | 'target' | 'duration' | 'seed'> & {
  readonly startedAt: number;
  readonly scenarios: readonly ScenarioResult[];
}): Report {
  return {
    schema: 'agent-auth.conformance/1',
    version: facts.version,
    role: facts.role,
    target: facts.target,
    startedAt: new Date(startedAt).toISOString(),
    duration: facts.duration,
    seed: facts.seed,
    summary: summarize(scenarios),
    scenarios,
  };
}
