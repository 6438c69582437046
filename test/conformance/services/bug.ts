/** One small thing that a right service does wrong, switched on by `--bug`. */
export interface Bug {
  readonly id: string;
  /** What the service does then: a sentence. */
  readonly what: string;
  /** The class of advisory that it is known from: `CWE-347, as in CVE-2015-9235`, or a section of an RFC. */
  readonly advisory: string;
}
