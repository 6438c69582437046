import type { Faults } from '../../mock/index.ts';
import { sha256 } from '../../runtime/index.ts';
import type { ServiceFault } from '../faults/index.ts';

/** How many letters a column holds that was made too short. */
const CUT = 12;

/** What an access token is stored and found by. */
export function tokenHash(token: string, faults: Faults<ServiceFault>): string {
  return sha256(faults.has('tokensCutOff') ? token.slice(0, CUT) : token);
}
