import { type Identity, secret } from './identities.ts';
import { type Fields, fieldsOf, refused, type Service } from './service.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const CLAIM = 'urn:vendor:agent-auth:grant-type:claim';
const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/;

export async function register(service: Service, request: Request): Promise<Response> {
  const { identities, signer } = service;
  const { type, assertion = '', login_hint: email = '' } = await fieldsOf(request);
  switch (type) {
    case 'anonymous': {
      const identity = identities.add({ claimToken: secret() });
      return Response.json({
        identity_assertion: await signer.assertionOf(identity),
        claim_token: identity.claimToken,
      });
    }
    case 'service_auth': {
      if (!EMAIL.test(email)) return refused('invalid_request');
      const identity = identities.add({ claimToken: secret() });
      const claim = newAttempt(service, identity, email);
      return Response.json({ claim_token: identity.claimToken, claim });
    }
    case 'identity_assertion': {
      const claims = await signer.readSigned(assertion);
      if (typeof claims?.['sub'] !== 'string') return refused('invalid_request');
      const subject = JSON.stringify([claims['iss'], claims['sub']]);
      const [known] = identities.ofSubject(subject);
      const identity = known ?? identities.add({ subject });
      return Response.json({ identity_assertion: await signer.assertionOf(identity) });
    }
    default:
      return refused('invalid_request');
  }
}

export async function openClaim(service: Service, request: Request): Promise<Response> {
  const { claim_token: token, email = '' } = await fieldsOf(request);
  const identity = service.identities.withClaimToken(token);
  if (identity === undefined || identity.isClaimed || !EMAIL.test(email)) {
    return refused('invalid_request');
  }
  // Somebody who has learnt the token must not have another account claim it.
  const first = identity.attempt?.email;
  if (first !== undefined && first !== email.toLowerCase()) return refused('invalid_request');
  return Response.json({ claim_attempt: newAttempt(service, identity, email) });
}

function newAttempt({ base, identities }: Service, identity: Identity, email: string): object {
  const { token, userCode } = identities.openAttempt(identity, email.toLowerCase());
  return {
    user_code: userCode,
    verification_uri: `${base}/claim?claim_attempt_token=${token}`,
  };
}

export async function token(service: Service, request: Request): Promise<Response> {
  const given = await fieldsOf(request);
  switch (given['grant_type']) {
    case JWT_BEARER:
      return exchange(service, given);
    case CLAIM:
      return poll(service, given);
    case undefined:
      return refused('invalid_request');
    default:
      return refused('unsupported_grant_type');
  }
}

async function exchange({ signer, identities }: Service, given: Fields): Promise<Response> {
  const read = await signer.readAssertion(given['assertion'] ?? '');
  const identity = identities.withId(read?.id);
  if (identity === undefined || read?.version !== identity.version) return refused('invalid_grant');
  return Response.json({ access_token: identities.newToken(identity) });
}

async function poll({ signer, identities }: Service, given: Fields): Promise<Response> {
  const identity = identities.withClaimToken(given['claim_token']);
  if (identity === undefined || identity.isRevoked) return refused('invalid_grant');
  if (!identity.isClaimed) {
    const isOver = identity.attempt !== undefined && !identities.isOpen(identity);
    return refused(isOver ? 'expired_token' : 'authorization_pending');
  }
  return Response.json({
    access_token: identities.newToken(identity),
    identity_assertion: await signer.assertionOf(identity),
  });
}

/** RFC 7009 §2.2: what is unknown is revoked already. */
export async function revoke(service: Service, request: Request): Promise<Response> {
  const given = await fieldsOf(request);
  if (given['token'] === undefined) return refused('invalid_request');
  service.identities.revokeToken(given['token']);
  return new Response(null, { status: 200 });
}
