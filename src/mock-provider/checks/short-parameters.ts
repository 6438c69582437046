import type { Form } from '../../mock/http/form.ts';
import { isShortText, MAX_TEXT_BYTES } from '../../protocol/text.ts';
import type { Check } from './check.ts';

/** Of every request for access to a service: what it asks for is stored. Its audience is an issuer, which is short. */
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
