import { jsonRequest } from '../../http/wire-requests.ts';
import { readProblem } from '../../problems/read-problem.ts';
import type { Dialect } from '../dialect.ts';
import { flat } from '../flat/index.ts';
import { readClaimStart, readCompletion, readPolled, readRefreshed } from './read-claim.ts';
import { readRegistration } from './read-registration.ts';

/**
 * The reconciled version: `identity` and `claim` are objects, the page shows the code and the agent hands it in,
 * and a refresh token gets the next assertion. Requests that no version changed are those of `flat`.
 */
export const nested: Dialect = {
  id: 'nested',

  encodeIdentity: flat.encodeIdentity,
  decodeRegistration: readRegistration,
  decodeInteraction: readRegistration,

  encodeClaimStart: (url, claimToken, claimer, { form }) => {
    const claim_token = claimToken.reveal();
    if (claimer.by === 'identity_assertion') {
      const assertion = claimer.assertion.reveal();
      return [jsonRequest(url, { type: 'identity_assertion', claim_token, assertion })];
    }
    const { email } = claimer;
    const own = jsonRequest(url, { type: 'service_auth', claim_token, login_hint: email });
    // As `flat` has it, since no document says which: a strict service refuses both in one.
    const other = { ...jsonRequest(url, { claim_token, email }), form: 'email' } as const;
    return form === 'email' ? [other, own] : [own, other];
  },
  decodeClaimStart: readClaimStart,

  encodeCode: (url, claimToken, code) => [
    jsonRequest(url, { claim_token: claimToken.reveal(), user_code: code.reveal() }),
  ],
  decodeCode: readCompletion,

  // Of no reconciled version; a service that mixes families may list the grant all the same.
  encodeClaimPoll: flat.encodeClaimPoll,
  decodeClaimPoll: readPolled,

  encodeExchange: flat.encodeExchange,
  decodeExchange: flat.decodeExchange,

  encodeRefresh: ({ identityEndpoint }, refresh) =>
    jsonRequest(identityEndpoint, { type: 'refresh', refresh_token: refresh.reveal() }),
  decodeRefresh: readRefreshed,

  encodeRevoke: flat.encodeRevoke,

  readProblem,
};
