import { type Form, wireProblem } from '../../mock/index.ts';
import type { Target } from '../claim-machine/index.ts';
import type { ServiceContext } from '../service-context.ts';

/** Tried again from every letter of a long word. */
const LEADS_ASTRAY = /\S+!$/;
const MAX_SCOPE = 4096;

/** What a token request asks for (RFC 6749 §3.3, RFC 8707 §2). */
export function readTarget(form: Form, source: Pick<ServiceContext, 'config' | 'faults'>): Target {
  const { config, faults } = source;
  const resource = form.get('resource');
  const isOurs = resource === undefined || config.isResource(resource);
  if (!isOurs && faults.has('anyTargetTaken'))
    return { ...readScopes(form, source), base: config.issuer, resource: undefined };
  if (!isOurs || (resource !== undefined && faults.has('targetsRefused'))) {
    throw wireProblem(
      'token',
      faults.has('targetMiscalled') ? 'invalid_request' : 'invalid_target',
    );
  }
  if (resource?.replace(/\/$/, '') === config.issuer && faults.has('baseRefused')) {
    throw wireProblem('token', 'invalid_target');
  }
  return { ...readScopes(form, source), resource, base: config.issuer };
}

function readScopes(
  form: Form,
  { config, faults }: Pick<ServiceContext, 'config' | 'faults'>,
): Pick<Target, 'scopes'> {
  const scope = form.get('scope');
  if (scope !== undefined && faults.has('longScopesSlow')) LEADS_ASTRAY.test(scope);
  if (scope !== undefined && scope.length > MAX_SCOPE && faults.has('longScopesBreak')) {
    throw new RangeError('The scope does not fit its column.');
  }
  const scopes = scope?.split(' ').filter(Boolean);
  if (scopes?.length === 0) throw wireProblem('token', 'invalid_scope');
  if (scopes !== undefined && faults.has('askedScopeRefused')) {
    throw wireProblem('token', 'invalid_scope');
  }
  if (faults.has('narrowingIgnored')) return { scopes: undefined };
  if (faults.has('unknownScopesGiven') || faults.has('unknownScopesPassedOver')) {
    return { scopes: scopes?.filter((each) => config.scopes.post.includes(each)) };
  }
  if (scopes?.length !== 1 && scopes !== undefined && faults.has('scopeMiscalled'))
    throw wireProblem('token', 'invalid_request');
  return { scopes };
}
