import type { MemberPath } from '../document.ts';
import type { DocumentName } from '../model.ts';
import type { Read } from '../read-documents.ts';

export type Severity = 'error' | 'warning' | 'note';

/** A rule: what the docs, SARIF and the terminal say of it, and where documents break it. */
export interface Rule {
  /** Default: an error. */
  readonly severity?: Severity;
  /** The severity in documents of the oldest family, v0.1, whose members are others; default: as everywhere. */
  readonly severityElsewhere?: Severity;
  /** Required of a service: who has none to register at is only reminded. */
  readonly ofServices?: true;
  /** What breaks it keeps agents from registering, or leads them astray, in documents of any age. */
  readonly misleads?: true;
  /** What holds where the rule is kept. A sentence. */
  readonly holds: string;
  /** Why. One or two sentences. */
  readonly why: string;
  /** A section of a standard, or what is published; default: the specification's, on discovery. */
  readonly source?: string;
  /** The source of the same, where it is about the metadata of a resource. */
  readonly sourceInResource?: string;
  /** What is said where it is broken, unless the place says more. A sentence. */
  readonly says?: string;
  /** What to write, or to do, instead; the same. */
  readonly instead?: string;
  /**
   * Where documents break it; what it answers is `undefined` where they have nothing that could. Without it, how they
   * are served does, which who fetched them knows.
   */
  readonly find?: (read: Read) => Breach | readonly Breach[] | false | undefined;
  /** Mends it, as far as that needs no knowledge but what stands in the document. */
  readonly fix?: Fix;
}

/** @returns a clause that says what was changed; `undefined` for nothing. */
export type Fix = (at: {
  readonly root: Record<string, unknown>;
  readonly block: Record<string, unknown> | undefined;
  /** What has the member that is wrong, and its name. */
  readonly object: Record<string, unknown>;
  readonly name: string;
  /** Its path, as it is shown. */
  readonly member: string;
}) => string | undefined;

/** A place at which documents break a rule, and what is to be said of this one. */
export interface Breach {
  readonly document: DocumentName;
  readonly path: MemberPath;
  readonly message?: string | undefined;
  readonly fix?: string | undefined;
  /** Default: as the rule does. */
  readonly misleads?: boolean;
}

export function breach(
  document: DocumentName,
  path: MemberPath,
  message?: string,
  fix?: string,
): Breach {
  return { document, path, message, fix };
}

/** A member that is not there, or not as it has to be, and how it is written. */
export function lacking(
  document: DocumentName,
  path: MemberPath,
  json: Readonly<Record<string, unknown>>,
  right: string,
): Breach {
  const name = String(path.at(-1));
  const message = Object.hasOwn(json, name)
    ? `${name} is not what the specification asks for.`
    : `There is no ${name}.`;
  return breach(document, path, message, `"${name}": ${right}`);
}
