import type { DescribedClients } from '../../mock/clients/authenticate-client.ts';
import type { Clock, Log, Random } from '../../runtime/ports.ts';
import type { Secrets } from '../claim-secrets/attempt-secrets.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { readIdJag } from '../id-jag/read-id-jag.ts';
import type { ClientTokenStore } from '../store/client-token-store.ts';
import type { ServiceReader } from '../token-request/service-reader.ts';
import type { JwtVerifier } from '../trust/jwt-verifier.ts';
import type { TrustList } from '../trust/trust-list.ts';
import type { RedemptionCheck } from './redemption-checks.ts';

/** What ID-JAGs are redeemed with. */
export interface RedemptionParts {
  readonly clientDocuments: DescribedClients;
  readonly clientTokens: ClientTokenStore;
  readonly clock: Clock;
  readonly config: ServiceConfig;
  readonly decisions: {
    readonly readIdJag: typeof readIdJag;
    readonly redemptionChecks: readonly RedemptionCheck[];
  };
  readonly log: Log;
  readonly random: Random;
  readonly reader: ServiceReader;
  readonly secrets: Pick<Secrets, 'accessToken'>;
  readonly trust: TrustList;
  readonly verifier: JwtVerifier;
}
