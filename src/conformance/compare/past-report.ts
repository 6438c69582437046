import type {
  CheckResult,
  OUTCOMES,
  Report,
  ScenarioResult,
  Score,
  Section,
} from '../engine/model.ts';

/** A check of a report that an earlier version may have written. */
export interface PastCheck
  extends Pick<
    CheckResult,
    'id' | 'title' | 'status' | 'findings' | 'reason' | 'restsOn' | 'known'
  > {
  /** Absent where neither the report nor the requirements of this version know it. */
  readonly section?: Section;
}

export interface PastScenario extends Pick<ScenarioResult, 'id' | 'title' | 'exchanges'> {
  readonly checks: readonly PastCheck[];
}

/** What a comparison needs of a report: any `Report`, and what is left of the earlier form. */
export interface PastReport
  extends Pick<Report, 'version' | 'role' | 'target' | 'startedAt' | 'seed'> {
  /** Absent where the report does not say, and nothing in it failed. */
  readonly outcome?: (typeof OUTCOMES)[number];
  readonly interrupted: boolean;
  /** The user selected what is judged. */
  readonly selectedOnly: boolean;
  /** Absent where the section of a check is not known. */
  readonly sections?: Readonly<Record<Section, Score>>;
  readonly scenarios: readonly PastScenario[];
}

/** A report of this run, for a comparison. */
export function pastReport(report: Report): PastReport {
  const { version, role, target, startedAt, seed, verdict, summary, scenarios } = report;
  const { outcome, interrupted, selectedOnly } = verdict;
  const { sections } = summary;
  return {
    ...{ version, role, target, startedAt, seed },
    ...{ outcome, interrupted, selectedOnly, sections, scenarios },
  };
}
