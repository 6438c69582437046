import type { Form } from '../../mock/http/request.ts';
import { invalidRequest, wireProblem } from '../../mock/http/response.ts';
import { isShortText, MAX_TEXT_BYTES } from '../../protocol/text.ts';
import type { Target } from '../claim-machine/events.ts';
import type { ServiceConfig } from '../config/config.ts';

/** How the target of a token request is read. Throws what is wrong with it. */
export interface TargetReader {
  /** RFC 6749 §3.3. Undefined asks for every scope. */
  scopes(form: Form): readonly string[] | undefined;
  /** RFC 8707 §2. Undefined asks for whatever the registration is bound to. */
  resource(form: Form, config: ServiceConfig): string | undefined;
}

export const target: TargetReader = {
  scopes: (form) => {
    const scopes = form.get('scope')?.split(' ').filter(Boolean);
    requireShort('A scope', scopes ?? []);
    if (scopes?.length === 0) throw wireProblem('token', 'invalid_scope');
    return scopes;
  },
  resource: (form, config) => {
    const [resource, another] = form.getAll('resource');
    requireShort('resource', form.getAll('resource'));
    // A token is for one resource.
    const isOne = another === undefined && (resource === undefined || config.isResource(resource));
    if (isOne) return resource;
    throw wireProblem('token', 'invalid_target');
  },
};

function requireShort(what: string, texts: readonly string[]): void {
  if (texts.every(isShortText)) return;
  const description = `${what} is longer than ${MAX_TEXT_BYTES} bytes.`;
  throw invalidRequest('token', description);
}

/** The scopes and the resource that a token request asks for. */
export function readTarget(
  {
    config,
    reader,
  }: { readonly config: ServiceConfig; readonly reader: { readonly target: TargetReader } },
  form: Form,
): Target {
  const resource = reader.target.resource(form, config);
  return { scopes: reader.target.scopes(form), resource, base: config.issuer };
}
