import { type Form, wireProblem } from '../../mock/index.ts';
import type { Target } from '../claim-machine/index.ts';
import type { ServiceConfig } from '../options.ts';

/** What a token request asks for (RFC 6749 §3.3, RFC 8707 §2). */
export function readTarget(form: Form, config: ServiceConfig): Target {
  const resource = form.get('resource');
  if (resource !== undefined && !config.isResource(resource)) {
    throw wireProblem('token', 'invalid_target');
  }
  const scopes = form.get('scope')?.split(' ').filter(Boolean);
  if (scopes?.length === 0) throw wireProblem('token', 'invalid_scope');
  return { scopes, resource, base: config.issuer };
}
