import { json, NO_STORE, Problem, readClientForm } from '../support.ts';
import type { AgentRecord } from './agent-record.ts';
import { ALL_SCOPES, type Desk, READ } from './desk.ts';
import { ACCESS_SECONDS } from './mint.ts';

type Form = ReadonlyMap<string, string>;

const GRANTS: Readonly<Record<string, (desk: Desk, form: Form) => Promise<Response>>> = {
  'urn:ietf:params:oauth:grant-type:jwt-bearer': byPassport,
  'urn:vendor:agent-auth:grant-type:claim': byClaim,
};

export const GRANT_TYPES = Object.keys(GRANTS);

/** POST /auth/oauth2/token */
export async function token(desk: Desk, request: Request): Promise<Response> {
  const form = await readClientForm(request);
  const name = needed(form, 'grant_type');
  const grant = Object.hasOwn(GRANTS, name) ? GRANTS[name] : undefined;
  if (grant === undefined) throw new Problem(400, 'unsupported_grant_type', 'No such grant.');
  return grant(desk, form);
}

async function byPassport(desk: Desk, form: Form): Promise<Response> {
  const agent = await desk.mint.openPassport(needed(form, 'assertion'));
  if (agent === undefined) throw new Problem(400, 'invalid_grant', 'The assertion is not valid.');
  return json(200, await tokenFields(desk, agent, form));
}

async function byClaim(desk: Desk, form: Form): Promise<Response> {
  const agent = desk.registry.findByClaimToken(needed(form, 'claim_token'));
  if (agent === undefined || agent.state === 'withdrawn' || desk.registry.isClaimOver(agent)) {
    throw new Problem(400, 'invalid_grant', 'The claim is unknown or over.');
  }
  if (agent.state === 'turned-down') throw new Problem(400, 'access_denied', 'It was refused.');
  if (agent.state === 'unowned') {
    const isWaiting = agent.ceremony === undefined || desk.registry.isOpen(agent);
    throw isWaiting
      ? new Problem(400, 'authorization_pending', 'Nobody has answered yet.')
      : new Problem(400, 'expired_token', 'The code is over; ask for another.');
  }
  const fields = await tokenFields(desk, agent, form);
  return json(200, { ...fields, identity_assertion: await desk.mint.passport(agent) });
}

async function tokenFields(desk: Desk, agent: AgentRecord, form: Form) {
  const allowed = agent.state === 'owned' ? ALL_SCOPES : [READ];
  const scopes = form.get('scope')?.split(' ') ?? allowed;
  if (!scopes.every((scope) => allowed.includes(scope))) {
    throw new Problem(400, 'invalid_scope', 'A scope is unknown, or not for this agent.');
  }
  const resource = form.get('resource');
  if (resource !== undefined && resource !== desk.resource) {
    throw new Problem(400, 'invalid_target', 'The resource is unknown here.');
  }
  return {
    access_token: await desk.mint.access(agent, scopes),
    token_type: 'bearer',
    expires_in: ACCESS_SECONDS,
    scope: scopes.join(' '),
  };
}

/** POST /auth/oauth2/revoke: RFC 7009 §2.2 makes no difference between unknown and revoked. */
export async function revoke(desk: Desk, request: Request): Promise<Response> {
  await desk.mint.revoke(needed(await readClientForm(request), 'token'));
  return new Response(null, { status: 200, headers: NO_STORE });
}

function needed(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new Problem(400, 'invalid_request', `${name} is missing.`);
  return value;
}
