import { withJson } from '../../../mock/index.ts';
import { DIALECT_IDS } from '../../../protocol/index.ts';
import { saying } from './answers.ts';
import type { Quirk } from './quirk.ts';

type Members = Record<string, unknown>;

/** A problem as its dialect spells it: the code, the text, and what else it says. */
function problemOf({
  error,
  err,
  error_description: description,
  message,
  description: text,
  ...others
}: Members) {
  return { code: error ?? err, text: description ?? message ?? text, others };
}

const respelled = (spell: (problem: ReturnType<typeof problemOf>) => Members) =>
  saying((response, request) =>
    response.status >= 400
      ? withJson((body) => spell(problemOf(body)))(response, request)
      : response,
  );

export const ERROR_QUIRKS = {
  'nested-errors': {
    description: 'An error is an object with a code and a message, also of the token endpoint.',
    fits: DIALECT_IDS,
    about: 'errors',
    over: respelled(({ code, others, text }) => ({
      error: { code, message: text, retryable: false },
      ...others,
    })),
  },
  'err-description': {
    description: 'Errors are spelled `err` and `description` everywhere.',
    fits: DIALECT_IDS,
    about: 'errors',
    over: respelled(({ code, others, text }) => ({ err: code, description: text, ...others })),
  },
} as const satisfies Readonly<Record<string, Quirk>>;
