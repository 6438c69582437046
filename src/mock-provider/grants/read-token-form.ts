import type { Context } from 'hono';
import { type Form, mediaTypeOf, readForm } from '../../mock/index.ts';
import { MEDIA_TYPE } from '../../protocol/index.ts';
import type { ProviderContext } from '../provider-context.ts';

/** The parameters of a request to the token endpoint (RFC 6749 §3.2). */
export async function readTokenForm({ faults }: ProviderContext, c: Context): Promise<Form> {
  if (faults.has('mintByJson') && mediaTypeOf(c) === MEDIA_TYPE.json) {
    return asForm(await c.req.json());
  }
  const lenient = faults.has('doubledParametersTaken') || faults.has('formsUncapped');
  if (!lenient || mediaTypeOf(c) !== MEDIA_TYPE.form) return readForm(c, 'provider');
  return asForm(Object.fromEntries(new URLSearchParams(await c.req.text())));
}

function asForm(values: Readonly<Record<string, unknown>>): Form {
  return {
    get: (name) => {
      const value = values[name];
      return typeof value === 'string' && value !== '' ? value : undefined;
    },
  };
}
