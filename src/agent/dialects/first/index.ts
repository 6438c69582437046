import { ID_JAG_TOKEN_TYPE } from '../../../protocol/index.ts';
import { jsonRequest } from '../../http/wire-requests.ts';
import type { Service } from '../../model.ts';
import { readProblem } from '../../problems/read-problem.ts';
import type { Dialect, IdentityProof } from '../dialect.ts';
import { flat } from '../flat/index.ts';
import { oneTimeCode } from '../parts/one-time-code.ts';
import { readClaimStart, readCollected, readCompletion } from './read-claim.ts';
import { readRegistration } from './read-registration.ts';

/**
 * Versions 0.1 to 0.3 of the specification: the registration itself gives a credential (0.1) or an assertion,
 * and a claim is completed with a code that comes by mail.
 */
export const first: Dialect = {
  id: 'first',

  encodeIdentity: (service, proof, name) =>
    jsonRequest(service.identityEndpoint, {
      ...identityBody(service, proof),
      ...credentialType(service),
      ...(name !== undefined && { client_name: name }),
    }),
  decodeRegistration: readRegistration,
  decodeInteraction: readRegistration,

  encodeClaimStart: (url, claimToken, claimer) => {
    const claim_token = claimToken.reveal();
    const request = (members: Readonly<Record<string, string>>) =>
      jsonRequest(url, { claim_token, ...members });
    if (claimer.by === 'email') {
      // The second as some services of later versions want it, since no document says which.
      return [request({ email: claimer.email }), request({ login_hint: claimer.email })];
    }
    return [request({ type: 'identity_assertion', assertion: claimer.assertion.reveal() })];
  },
  decodeClaimStart: readClaimStart,

  encodeCode: oneTimeCode,
  decodeCode: readCompletion,

  // The token endpoint came with version 0.2 and has not changed; some that publish the older names poll there.
  encodeClaimPoll: flat.encodeClaimPoll,
  decodeClaimPoll: readCollected,
  encodeExchange: flat.encodeExchange,
  decodeExchange: flat.decodeExchange,
  encodeRevoke: flat.encodeRevoke,

  readProblem,
};

/** What kind of credential is wanted, where a service gives one or says that it may be asked for. */
function credentialType({
  credentialTypes = [],
  tokenEndpoint,
}: Service): Readonly<Record<string, string>> {
  const wanted = credentialTypes.includes('api_key')
    ? 'api_key'
    : credentialTypes.find((type) => type !== 'none');
  // Without a token endpoint there is no other way to be given one (version 0.1, where it is required).
  const type = wanted ?? (tokenEndpoint === undefined ? 'api_key' : undefined);
  return type === undefined ? {} : { requested_credential_type: type };
}

function identityBody(
  { emailForm }: Service,
  proof: IdentityProof,
): Readonly<Record<string, string>> {
  switch (proof.type) {
    case 'anonymous':
      return { type: 'anonymous' };
    case 'service_auth':
      return emailBody(emailForm, proof.loginHint);
    case 'identity_assertion':
      return {
        type: 'identity_assertion',
        assertion_type: ID_JAG_TOKEN_TYPE,
        assertion: proof.assertion.reveal(),
      };
  }
}

function emailBody(form: Service['emailForm'], email: string): Readonly<Record<string, string>> {
  switch (form) {
    case 'service_auth':
      return { type: 'service_auth', login_hint: email };
    case 'verified_email_type':
      return { type: 'verified_email', email };
    case 'verified_email_assertion':
    case undefined:
      return { type: 'identity_assertion', assertion_type: 'verified_email', assertion: email };
  }
}
