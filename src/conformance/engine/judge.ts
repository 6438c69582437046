import { Answer } from '../http/answer.ts';
import { NoAnswer } from '../http/no-answer.ts';
import { Redactor } from '../http/redact.ts';
import type { Finding } from './model.ts';

/** What else a finding holds. */
export interface FindingDetails {
  /** What was tried, where a check is judged case by case, e.g. `two of scope`: leads what was seen. */
  readonly case?: string | undefined;
  /** What a correct implementation does, where that is more than the check's own sentence. */
  readonly expected?: string | undefined;
  /** Number of the exchange that shows it. Default: that of `seen`, when it is an answer. */
  readonly exchange?: number | undefined;
  /** Whether another reading of the standards allows it: it is never more than a warning then. */
  readonly warn?: boolean | undefined;
  /** Whose reading that is: a sentence. It makes the finding a warning. */
  readonly reading?: string | undefined;
}

/** What one check finds in a subject. */
export interface Reading extends FindingDetails {
  readonly ok: boolean;
  /** Default: the subject. */
  readonly seen?: string | Answer | undefined;
}

/** How one check reads a subject: a document, an answer, a JWT. `undefined`: nothing to judge. */
export type Row<Subject> = Reading | undefined | ((subject: Subject) => Reading | undefined);

/** Why a check was not judged. */
export interface Unjudged {
  readonly status: 'skip' | 'untestable';
  readonly reason: string;
  /** The option that would have it judged. */
  readonly needs?: string | undefined;
  /** Id of the check that was not right, and before which the scenario ended. */
  readonly restsOn?: string;
}

/** The result of one check so far. */
export interface Verdict {
  passed: number;
  readonly failures: Finding[];
  readonly warnings: Finding[];
  /** Set when it was not judged. */
  unjudged?: Unjudged;
}

/** Ends a scenario: the checks that it has not judged yet do not apply. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** Ends a scenario: the checks that it has not judged yet could be judged with an option that was not given. */
export class NeedsOption extends NotApplicable {
  /** The option as it is typed: `--email`. */
  readonly option: string;

  constructor(message: string, option: string) {
    super(message);
    this.option = option;
  }
}

/** Ends a scenario: the checks that it has not judged yet apply and cannot be judged. */
export class CannotTest extends Error {
  override readonly name = 'CannotTest';
}

/**
 * Collects the findings of a scenario. A check may be judged many times (each claim of a matrix, each
 * endpoint); it passes when it passed every time.
 */
export class Judge<Name extends string = string> {
  readonly #verdicts = new Map<string, Verdict>();
  readonly #checks: Readonly<Record<string, string>>;
  readonly #redactor: Redactor;
  #lastWrong: string | undefined;

  /**
   * @param checks Name of each check → its sentence: what its findings expect where they name nothing else.
   * @param redactor That of the recorder, which has met the secrets of the exchanges.
   */
  constructor(checks: Readonly<Record<Name, string>>, redactor = new Redactor()) {
    this.#checks = checks;
    this.#redactor = redactor;
  }

  /**
   * Judges a check once. Returns `ok`, so that a scenario can depend on it.
   *
   * @param seen A sentence, or the answer that was received. Secrets are redacted.
   * @param more Or the answer that shows what the sentence says.
   */
  expect(name: Name, ok: boolean, seen: string | Answer, more: FindingDetails = {}): boolean {
    const verdict = this.#verdict(name);
    delete verdict.unjudged;
    if (ok) {
      verdict.passed += 1;
      return true;
    }
    this.#lastWrong = name;
    const exchange = more.exchange ?? (seen instanceof Answer ? seen.exchange : undefined);
    const text = seen instanceof Answer ? this.#describe(seen) : cut(this.#redactor.text(seen));
    const isWarning = more.warn === true || more.reading !== undefined;
    const seenText = more.case === undefined ? text : `${this.#redactor.text(more.case)}: ${text}`;
    (isWarning ? verdict.warnings : verdict.failures).push({
      expected: more.expected ?? this.#checks[name] ?? name,
      seen: more.reading === undefined ? seenText : `${seenText} (${more.reading})`,
      ...(exchange === undefined ? {} : { exchange }),
    });
    return false;
  }

  /**
   * Judges one subject by a table: name of a check → how it reads the subject, in one row or several.
   * `rows.ts` has the common ones. Returns whether all were right.
   *
   * @param more Of every finding. The exchange of a subject that is an answer is its own.
   */
  table<Subject>(
    subject: Subject,
    rows: Readonly<Partial<Record<Name, Row<Subject> | readonly Row<Subject>[]>>>,
    more: FindingDetails = {},
  ): boolean {
    let isRight = true;
    for (const [name, some] of Object.entries(rows) as [Name, Row<Subject> | Row<Subject>[]][]) {
      for (const row of [some].flat()) {
        const reading = typeof row === 'function' ? row(subject) : row;
        if (reading === undefined) continue;
        const { ok, seen = subject instanceof Answer ? subject : shown(subject), ...own } = reading;
        const exchange = subject instanceof Answer ? subject.exchange : undefined;
        isRight = this.expect(name, ok, seen, { exchange, ...more, ...own }) && isRight;
      }
    }
    return isRight;
  }

  /**
   * Leaves out what does not apply, or was not selected. Ignored for a check that was judged.
   *
   * @param more.needs The option that would have it judged.
   */
  skip(
    names: Name | readonly Name[],
    reason: string,
    more: { readonly needs?: string | undefined } = {},
  ): void {
    this.leave(names, { status: 'skip', reason, ...more });
  }

  /** Leaves out what applies and cannot be judged. Ignored for a check that was judged. */
  untestable(names: Name | readonly Name[], reason: string): void {
    this.leave(names, { status: 'untestable', reason });
  }

  /** The check with the latest finding. */
  get lastWrong(): string | undefined {
    return this.#lastWrong;
  }

  /** The verdicts as they are now, whatever is judged later. */
  verdicts(): ReadonlyMap<string, Verdict> {
    const copies = [...this.#verdicts].map(([name, { failures, warnings, ...rest }]) => {
      const copy = { ...rest, failures: [...failures], warnings: [...warnings] };
      return [name, copy] as const;
    });
    return new Map(copies);
  }

  /** Ignored for a check that was judged. */
  leave(names: Name | readonly Name[], unjudged: Unjudged): void {
    for (const name of [names].flat()) {
      const verdict = this.#verdict(name);
      const judged = verdict.passed + verdict.failures.length + verdict.warnings.length > 0;
      if (!judged) verdict.unjudged ??= unjudged;
    }
  }

  #verdict(name: string): Verdict {
    let verdict = this.#verdicts.get(name);
    if (verdict === undefined) {
      verdict = { passed: 0, failures: [], warnings: [] };
      this.#verdicts.set(name, verdict);
    }
    return verdict;
  }

  #describe(answer: Answer): string {
    const body = answer.text.replace(/\s+/g, ' ').trim();
    if (body === '') return `${answer.status}, without a body`;
    return `${answer.status}: ${cut(this.#redactor.text(body.slice(0, 4 * MAX_SEEN)))}`;
  }
}

const MAX_SEEN = 300;

function cut(text: string): string {
  return text.length > MAX_SEEN ? `${text.slice(0, MAX_SEEN)}…` : text;
}

/** How a value is shown in a sentence. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** What is said of the checks that an error left; undefined where it says nothing of the target. */
export function unjudgedBy(error: unknown): Unjudged | undefined {
  if (error instanceof NeedsOption) {
    return { status: 'skip', reason: error.message, needs: error.option };
  }
  if (error instanceof NotApplicable) return { status: 'skip', reason: error.message };
  const isOpen = error instanceof CannotTest || error instanceof NoAnswer;
  return isOpen ? { status: 'untestable', reason: error.message } : undefined;
}

/** A part of a scenario on which nothing else rests: what keeps it from being judged leaves the rest alone. */
export async function judgePart<Name extends string>(
  judge: Judge<Name>,
  names: Name | readonly Name[],
  part: () => Promise<void>,
): Promise<void> {
  try {
    await part();
  } catch (error) {
    const left = unjudgedBy(error);
    if (left === undefined) throw error;
    judge.leave(names, left);
  }
}
