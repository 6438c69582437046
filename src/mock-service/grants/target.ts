import { type Form, wireProblem } from '../../mock/index.ts';
import type { Target } from '../claim-machine/index.ts';
import type { ServiceContext } from '../service-context.ts';

/** Tried again from every letter of a long word. */
const LEADS_ASTRAY = /\S+!$/;
const MAX_SCOPE = 4096;

/** What a token request asks for (RFC 6749 §3.3, RFC 8707 §2). */
export function readTarget(
  form: Form,
  { config, faults }: Pick<ServiceContext, 'config' | 'faults'>,
): Target {
  const resource = form.get('resource');
  if (resource !== undefined && !config.isResource(resource)) {
    throw wireProblem('token', 'invalid_target');
  }
  const scope = form.get('scope');
  if (scope !== undefined && faults.has('longScopesSlow')) LEADS_ASTRAY.test(scope);
  if (scope !== undefined && scope.length > MAX_SCOPE && faults.has('longScopesBreak')) {
    throw new RangeError('The scope does not fit its column.');
  }
  const scopes = scope?.split(' ').filter(Boolean);
  if (scopes?.length === 0) throw wireProblem('token', 'invalid_scope');
  return { scopes, resource, base: config.issuer };
}
