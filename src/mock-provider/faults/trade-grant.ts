import { json, wireProblem } from '../../mock/index.ts';
import { decodeJwt, isJwtType, JWT_TYPE } from '../../protocol/index.ts';
import { randomToken } from '../../runtime/index.ts';
import { requireParameter } from '../checks/require-client.ts';
import type { Grant } from '../context/provider-context.ts';

/** What no provider may have: its own ID-JAG for an access token of its own (ID-JAG §9.3). */
export const tradeGrant: Grant = async ({ keys, random }, form) => {
  const assertion = requireParameter(form, 'assertion');
  const isIdJag = isJwtType(decodeJwt(assertion)?.header['typ'], JWT_TYPE.idJag);
  if (!isIdJag || (await keys.verifyOwn(assertion)) === undefined) {
    throw wireProblem('provider', 'invalid_grant');
  }
  return json({ access_token: randomToken(random, 'pat_'), token_type: 'Bearer', expires_in: 60 });
};
