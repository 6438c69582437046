import {
  displayText,
  isJsonObject,
  type JsonObject,
  parseChallenges,
} from '../../protocol/index.ts';
import { listOf, memberOf, objectOf, textOf } from '../read.ts';
import type { AnswerError } from './model.ts';
import { canonicalCode } from './synonyms.ts';

/** As far as it is needed of `Headers`. */
export interface HeaderFields {
  readonly get: (name: string) => string | null;
}

/**
 * The error of an answer, in whichever of the envelopes that are in use, else of its challenge; of a success only where it
 * has an `error`.
 */
export function readError(
  body: JsonObject,
  status: number,
  headers: HeaderFields | undefined,
): AnswerError | undefined {
  const failed = status >= 400;
  const error = memberOf(body, 'error') ?? firstOf(memberOf(body, 'errors'));
  const stated = [
    ...(isJsonObject(error) ? [memberOf(error, 'code'), memberOf(error, 'category')] : [error]),
    ...(failed ? [memberOf(body, 'err'), memberOf(body, 'code'), challenged(headers)] : []),
  ]
    .map(textOf)
    .find((code) => code !== undefined);
  const text = [
    memberOf(body, 'error_description'),
    memberOf(body, 'message'),
    memberOf(body, 'description'),
    memberOf(objectOf(error), 'message'),
    // Problem details (RFC 9457 §3.1): the explanation, else the kind of problem.
    memberOf(body, 'detail'),
    memberOf(body, 'title'),
  ]
    .map(textOf)
    .find((sentence) => sentence !== undefined);
  if (stated === undefined && !failed && !isJsonObject(error)) return undefined;
  return {
    code: canonicalCode(stated ?? 'unknown'),
    stated: displayText(stated ?? '', 100),
    text: text === undefined ? undefined : displayText(text),
  };
}

/** The first of a list of errors, as some frameworks write even a single one. */
function firstOf(errors: unknown): unknown {
  const [first] = listOf(errors);
  return isJsonObject(first) ? first : undefined;
}

function challenged(headers: HeaderFields | undefined): string | undefined {
  const field = headers?.get('www-authenticate') ?? '';
  return parseChallenges(field)
    .map(({ params }) => params['error'])
    .find((code) => code !== undefined);
}
