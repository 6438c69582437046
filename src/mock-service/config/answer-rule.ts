import type { JsonObject } from '../../protocol/json.ts';

/** The answers that can be changed: that of the token endpoint to an ID-JAG, and that of introspection. */
export const CHANGED_ANSWERS = ['token_response', 'introspection'] as const;
/** The name of one. */
export type ChangedAnswer = (typeof CHANGED_ANSWERS)[number];

/**
 * What is otherwise in each answer of a kind, or in those for one user, client or resource, whether or not it makes
 * sense: what the token is good for stays as it is.
 */
export interface AnswerRule {
  readonly of: ChangedAnswer;
  /** The email address of an account. Default: everybody. */
  readonly user?: string;
  /** Default: every one. */
  readonly client?: string;
  /** The resource that the token is for. Default: every one. */
  readonly audience?: string;
  /** Members that are added or replaced (RFC 6749 §5.1, RFC 7662 §2.2). */
  readonly claims?: JsonObject;
  /** Members that are left out. */
  readonly omit?: readonly string[];
}

/** Whom an answer is about. */
interface OfWhom {
  readonly email: string | undefined;
  readonly clientId: string;
  readonly resource: string;
}

/** The answer as all rules that fit have it, one after the other. */
export function changedAnswer(
  answer: JsonObject,
  rules: readonly AnswerRule[],
  of: ChangedAnswer,
  whom: OfWhom | undefined,
): JsonObject {
  return rules
    .filter(
      (rule) =>
        rule.of === of &&
        (rule.user === undefined || rule.user === whom?.email) &&
        (rule.client === undefined || rule.client === whom?.clientId) &&
        (rule.audience === undefined || rule.audience === whom?.resource),
    )
    .reduce(changed, answer);
}

function changed(answer: JsonObject, { claims, omit = [] }: AnswerRule): JsonObject {
  const all = Object.entries({ ...answer, ...claims });
  return Object.fromEntries(all.filter(([name]) => !omit.includes(name)));
}
