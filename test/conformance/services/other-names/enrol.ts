import {
  type IdJag,
  isAimedAt,
  json,
  Problem,
  readEmail,
  readIdJag,
  readJson,
} from '../support.ts';
import type { AgentRecord } from './agent-record.ts';
import type { Desk } from './desk.ts';

/** POST /auth/agent/identity */
export async function enrol(desk: Desk, request: Request): Promise<Response> {
  const { type, login_hint, assertion } = await readJson(request);
  switch (type) {
    case 'anonymous':
      return enrolUnowned(desk);
    case 'service_auth':
      return enrolFor(desk, login_hint);
    case 'identity_assertion':
      return enrolByIdJag(desk, assertion);
    default:
      throw new Problem(400, 'type_unknown', 'No such way to register.');
  }
}

async function enrolUnowned(desk: Desk): Promise<Response> {
  const agent = desk.registry.addUnowned();
  return json(200, {
    identity_assertion: await desk.mint.passport(agent),
    claim_token: agent.claimToken,
  });
}

function enrolFor(desk: Desk, hint: unknown): Response {
  const email = readEmail(hint);
  if (email === undefined)
    throw new Problem(422, 'address_invalid', 'This is not an email address.');
  return json(200, claimBlock(desk, desk.registry.addUnowned(email)));
}

async function enrolByIdJag(desk: Desk, assertion: unknown): Promise<Response> {
  const idJag = await readIdJag(assertion, desk.keys, desk.now());
  if (!isAimedAt(idJag.aud, desk.issuer)) {
    throw new Problem(400, 'assertion_for_other', 'The assertion is for another audience.');
  }
  const agent = admit(desk, idJag);
  return json(200, { identity_assertion: await desk.mint.passport(agent) });
}

/** In one go, so that two requests at the same time cannot both use one assertion. */
function admit({ registry, used, ...desk }: Desk, idJag: IdJag): AgentRecord {
  const principal = { iss: idJag.iss, sub: idJag.sub };
  const mark = JSON.stringify([idJag.iss, 'id-jag', idJag.jti]);
  if (used.has(mark)) throw new Problem(409, 'assertion_used', 'The assertion was used before.');
  if (idJag.iat < registry.withdrawnAt(principal)) {
    throw new Problem(400, 'assertion_withdrawn', 'The provider took the assertion back.');
  }
  const tied = registry.tiedTo(principal);
  if (tied === undefined && registry.hasUser(idJag.email)) {
    const waiting = registry.findWaiting(principal);
    const agent = waiting ?? registry.addUnowned(idJag.email, principal);
    // An equal email does not prove that both are one user: the account's owner confirms it.
    throw new Problem(
      403,
      'owner_must_confirm',
      'The owner of the account has to agree first.',
      claimBlock({ registry, used, ...desk }, agent),
    );
  }
  used.add(mark);
  return registry.addOwned(tied ?? idJag.email, principal);
}

function claimBlock({ registry, issuer }: Desk, agent: AgentRecord) {
  return {
    claim_token: agent.claimToken,
    claim: ceremonyFields(issuer, registry.openCeremony(agent)),
  };
}

/** POST /auth/agent/identity/claim: the members of the attempt stand at the top. */
export async function startCeremony(desk: Desk, request: Request): Promise<Response> {
  const { claim_token, email } = await readJson(request);
  const holder = readEmail(email);
  if (typeof claim_token !== 'string' || holder === undefined) {
    throw new Problem(422, 'member_missing', 'claim_token and email are needed.');
  }
  const agent = desk.registry.findByClaimToken(claim_token);
  if (agent === undefined) throw new Problem(404, 'claim_unknown', 'There is no such claim.');
  if (agent.state !== 'unowned') throw new Problem(409, 'claim_settled', 'It is decided.');
  if (desk.registry.isClaimOver(agent)) throw new Problem(410, 'claim_over', 'It is too late.');
  if (agent.holder !== undefined && agent.holder !== holder) {
    throw new Problem(403, 'claim_for_other', 'The claim is for another email.');
  }
  agent.holder = holder;
  return json(200, ceremonyFields(desk.issuer, desk.registry.openCeremony(agent)));
}

function ceremonyFields(
  issuer: string,
  ceremony: { readonly ref: string; readonly code: string; readonly ends: number },
) {
  return {
    user_code: ceremony.code,
    verification_uri: `${issuer}/link?ref=${ceremony.ref}`,
    valid_until: Math.floor(ceremony.ends / 1000),
  };
}
