import { idJagClaims, type JsonObject, SECOND } from '../../protocol/index.ts';
import type { Moment } from '../claim-machine/index.ts';

const OPTIONAL = ['tenant', 'scope', 'resource', 'amr', 'acr', 'email', 'name', 'auth_time'];

/** The claims as a service with the mistake reads them; as they are without one. */
export function readClaimsCarelessly(claims: JsonObject, { faults, now }: Moment): JsonObject {
  const read: Record<string, unknown> = { ...claims };
  const seconds = Math.floor(now / SECOND);
  if (faults.has('jtiOptional')) read['jti'] ??= JSON.stringify(claims);
  if (faults.has('issuedAtOptional')) {
    read['iat'] ??= seconds;
    read['client_id'] ??= claims['iss'];
  }
  if (faults.has('subjectOfAnyType') && read['sub'] !== undefined) {
    read['sub'] = JSON.stringify(read['sub']);
  }
  if (faults.has('timesAsText')) {
    for (const name of ['iat', 'exp', 'nbf']) {
      if (typeof read[name] === 'string') read[name] = Number(read[name]);
    }
  }
  if (faults.has('optionalTypesUnchecked')) {
    for (const name of OPTIONAL) {
      const sound = idJagClaims.pick({ [name]: true } as { name: true }).safeParse(read).success;
      if (!sound) delete read[name];
    }
    read['auth_time'] ??= seconds;
  }
  return read;
}

/** Whether a mistake refuses claims that are right. */
export function refusesRightClaims(claims: JsonObject, { faults }: Moment): boolean {
  const known = new Set(Object.keys(idJagClaims.shape));
  const unknown = Object.keys(claims).some((name) => !known.has(name));
  const fraction = ['iat', 'exp'].some((name) => !Number.isInteger(claims[name]));
  return (
    faults.has('idJagsRefused') ||
    (unknown && faults.has('unknownClaimsRefused')) ||
    (fraction && faults.has('fractionsRefused')) ||
    (Array.isArray(claims['aud']) && faults.has('audienceListRefused')) ||
    (claims['resource'] !== undefined && faults.has('resourceClaimRefused'))
  );
}
