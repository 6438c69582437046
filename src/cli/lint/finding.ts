import type { DocumentKind, MemberPath } from '../../discovery/document.ts';
import type { Severity } from '../../discovery/rules/rule.ts';
import type { RuleId } from '../../discovery/rules/rule-table.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** What documents are asked for: a registration of agents, or OAuth alone, as MCP uses it. */
export const LINT_PROFILES = ['registration', 'mcp'] as const;
export type LintProfile = (typeof LINT_PROFILES)[number];

/** A discovery document as it was read. */
export interface LintDocument {
  readonly kind: DocumentKind;
  /** The name that findings give it: a path below the folder, or a URL. */
  readonly name: string;
  /** The file that holds it, from the working folder; `undefined` for one from the network. */
  readonly file: string | undefined;
  /** Where it counts as served; `undefined` while nothing says so. */
  readonly url: string | undefined;
  readonly text: string;
  /** `undefined` for what is no JSON, or cannot be used as such. */
  readonly json: JsonObject | undefined;
}

/** A place that was looked at. */
export interface Looked {
  /** A path below the folder, or a URL. */
  readonly name: string;
  /** The status of HTTP; `undefined` for a file, and for a request without an answer. */
  readonly status: number | undefined;
  /** A few words on what came. */
  readonly learnt: string;
}

export interface Collected {
  readonly documents: readonly LintDocument[];
  readonly looked: readonly Looked[];
}

/** Something in a document, or about how it is served, that its publisher should know. */
export interface Finding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** The name of the document; `undefined` for what is about none that was found. */
  readonly document: string | undefined;
  readonly path: MemberPath;
  /** What is wrong. */
  readonly message: string;
  /** What to write, or to do, instead. */
  readonly instead: string | undefined;
}

/** Adds a finding, with the severity of its rule. */
export type Report = (
  rule: RuleId,
  document: string | undefined,
  message: string,
  instead?: string,
  path?: MemberPath,
) => void;
