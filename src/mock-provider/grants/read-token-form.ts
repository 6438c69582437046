import type { Context } from 'hono';
import { type Form, mediaTypeOf, readForm, readText, wireProblem } from '../../mock/index.ts';
import { MEDIA_TYPE } from '../../protocol/index.ts';
import type { ProviderContext } from '../provider-context.ts';

/** The parameters of a request to the token endpoint (RFC 6749 §3.2). */
export async function readTokenForm({ faults }: ProviderContext, c: Context): Promise<Form> {
  if (faults.has('mintByJson') && mediaTypeOf(c) === MEDIA_TYPE.json) {
    return asForm(await c.req.json());
  }
  const doubled = faults.has('doubledParametersTaken');
  const uncapped = faults.has('formsUncapped');
  if ((!doubled && !uncapped) || mediaTypeOf(c) !== MEDIA_TYPE.form) return readForm(c, 'provider');
  const text = uncapped ? await c.req.text() : await readText(c, MEDIA_TYPE.form);
  const given = [...new URLSearchParams(text)];
  const values = Object.fromEntries(given);
  if (!doubled && Object.keys(values).length < given.length) {
    throw wireProblem('provider', 'invalid_request');
  }
  return asForm(values);
}

function asForm(values: Readonly<Record<string, unknown>>): Form {
  return {
    get: (name) => {
      const value = values[name];
      return typeof value === 'string' && value !== '' ? value : undefined;
    },
  };
}
