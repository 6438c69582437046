import type { Form } from '../../mock/http/request.ts';
import { ID_JAG_TOKEN_TYPE, ID_TOKEN_TYPE, REFRESH_TOKEN_TYPE } from '../../protocol/constants.ts';
import { isShortText, MAX_TEXT_BYTES } from '../../protocol/text.ts';
import { isSameOrigin, urlProblem } from '../../protocol/urls.ts';
import type { KnownAudience } from '../config/config.ts';
import { parseScope } from '../mint/scopes.ts';
import type { Check, Refusal } from './check.ts';

/** A request for an ID-JAG: its parameters. */
export interface ExchangeFacts {
  readonly form: Form;
  /** Its audience, where ID-JAGs are minted for it. */
  readonly known: KnownAudience | undefined;
  /** The resources whose own metadata names the audience. */
  readonly named: readonly string[];
}

/**
 * The check of every request for access to a service: what it asks for is stored. Its audience is an issuer, which is
 * short.
 */
export const SHORT_PARAMETERS: Check<{ readonly form: Form }> = {
  name: 'length',
  description: `\`resource\` and each scope have at most ${MAX_TEXT_BYTES} bytes.`,
  check: ({ form }) => {
    if (!form.getAll('resource').every(isShortText)) return tooLong('resource');
    const scopes = form.get('scope')?.split(' ') ?? [];
    return scopes.every(isShortText) ? undefined : tooLong('A scope');
  },
};

function tooLong(what: string) {
  const description = `${what} is longer than ${MAX_TEXT_BYTES} bytes.`;
  return { code: 'invalid_request', description } as const;
}

/**
 * The checks of a request for an ID-JAG, in this order (wire contract §9, RFC 8693 §2.1); the subject token
 * and the consent of its user come after that.
 */
export const EXCHANGE_CHECKS: readonly Check<ExchangeFacts>[] = [
  given('requested_token_type', 'requestedTypeGiven'),
  {
    name: 'requestedType',
    description: '`requested_token_type` is that of an ID-JAG (ID-JAG §4.3).',
    check: ({ form }) => isOrMissing(form, 'requested_token_type', ID_JAG_TOKEN_TYPE),
  },
  given('audience', 'audienceGiven'),
  given('subject_token', 'subjectTokenGiven'),
  given('subject_token_type', 'subjectTypeGiven'),
  {
    name: 'subjectType',
    description: 'The subject token is an ID token or a refresh token.',
    check: ({ form }) =>
      form.get('subject_token_type') === REFRESH_TOKEN_TYPE
        ? undefined
        : isOrMissing(form, 'subject_token_type', ID_TOKEN_TYPE),
  },
  {
    name: 'actor',
    description: 'There is no actor token: delegation is not supported (RFC 8693 §2.1).',
    check: ({ form }) => {
      const name = ['actor_token', 'actor_token_type'].find((one) => form.get(one) !== undefined);
      return name === undefined ? undefined : notSupported(name);
    },
  },
  SHORT_PARAMETERS,
  {
    name: 'audience',
    description: 'ID-JAGs are minted for the audience (RFC 8693 §2.2.2).',
    check: ({ known }) => (known === undefined ? { code: 'invalid_target' } : undefined),
  },
  {
    name: 'resource',
    description:
      'Each resource is absolute, has no fragment, and belongs to the audience (RFC 8707 §2).',
    check: ({ form, known, named }) => {
      const audience = form.get('audience') ?? '';
      const paired = [...named, ...(known?.resources ?? [])];
      const isOfIt = (one: string) => paired.includes(one) || belongsTo(one, audience);
      if (form.getAll('resource').every(isOfIt)) return undefined;
      return {
        code: 'invalid_target',
        description: 'The resource does not belong to the audience.',
      };
    },
  },
  {
    name: 'scope',
    description: '`scope` is well formed (RFC 6749 §3.3).',
    check: ({ form }) => {
      const scope = form.get('scope');
      const isGood = scope === undefined || parseScope(scope) !== undefined;
      return isGood ? undefined : { code: 'invalid_scope' };
    },
  },
];

function given(parameter: string, name: string): Check<ExchangeFacts> {
  return {
    name,
    description: `\`${parameter}\` is present.`,
    check: ({ form }) =>
      form.get(parameter) === undefined
        ? { code: 'invalid_request', description: `${parameter} is missing.` }
        : undefined,
  };
}

function isOrMissing(form: Form, name: string, wanted: string): Refusal | undefined {
  const value = form.get(name);
  return value === undefined || value === wanted ? undefined : notSupported(`The ${name}`);
}

function notSupported(what: string): Refusal {
  return { code: 'invalid_request', description: `${what} is not supported.` };
}

/** A resource belongs to the audience of its origin, whatever its metadata says. */
function belongsTo(resource: string, issuer: string): boolean {
  return urlProblem(resource) === undefined && isSameOrigin(resource, issuer);
}
