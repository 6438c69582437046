import { json, wireProblem } from '../../../../src/mock/http/response.ts';
import { requireParameter } from '../../../../src/mock-provider/checks/require-agent.ts';
import type { Grant } from '../../../../src/mock-provider/context/provider-context.ts';
import { JWT_TYPE } from '../../../../src/protocol/constants.ts';
import { decodeJwt, isJwtType } from '../../../../src/protocol/jwt.ts';
import { randomToken } from '../../../../src/runtime/random-token.ts';

/** What no provider may have: its own ID-JAG for an access token of its own (ID-JAG §9.3). */
export const tradeGrant: Grant = async ({ keys, random }, form) => {
  const assertion = requireParameter(form, 'assertion');
  const isIdJag = isJwtType(decodeJwt(assertion)?.header['typ'], JWT_TYPE.idJag);
  if (!isIdJag || (await keys.verifyOwn(assertion)) === undefined) {
    throw wireProblem('provider', 'invalid_grant');
  }
  return json({ access_token: randomToken(random, 'pat_'), token_type: 'Bearer', expires_in: 60 });
};
