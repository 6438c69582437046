export { diffMarkdown } from './diff-markdown.ts';
export { type PastReport, pastReport } from './past-report.ts';
export { REPORT_SCHEMA, readReport } from './read-report.ts';
export {
  type AnswerChange,
  CHANGES,
  type Change,
  type CheckChange,
  diffReports,
  type ReportDiff,
} from './report-diff.ts';
