import { empty, type Operation, type Route } from '../../mock/index.ts';
import type { ServiceEndpoints } from '../dialects/dialect.ts';
import { EndpointTeller } from './endpoint-teller.ts';
import { redeem, register, startClaim } from './registration-operations.ts';
import type { DescribedService, ServiceSamples } from './samples.ts';
import type { ServicePages } from './service-pages.ts';
import { receiveEvent, revoke, token } from './token-operations.ts';

/** An endpoint that a dialect can choose, with what is told of it. */
type Told = Route & { readonly tell: () => Operation };

/**
 * The operations of the protocol, as the dialect of the service lists them: it is asked for its routes with
 * endpoints that tell of themselves.
 */
export function spokenOperations(
  service: DescribedService,
  samples: ServiceSamples,
  pages: ServicePages,
): readonly Operation[] {
  const teller = new EndpointTeller(service, samples);
  const told = (tell: () => Operation): Told => {
    const { method, path } = tell();
    const envelope = service.dialect.problems.registration;
    return { method, path, envelope, handle: () => empty(204), tell };
  };
  const endpoints: ServiceEndpoints = {
    register: told(() => register(teller)),
    startClaim: told(() => startClaim(teller)),
    token: told(() => token(teller)),
    revoke: told(() => revoke(teller)),
    receiveEvent: told(() => receiveEvent(teller)),
    typeThere: {
      page: told(() => pages.claimPage('type')),
      complete: told(() => pages.complete()),
    },
    readBack: {
      page: told(() => pages.claimPage('confirm')),
      confirm: told(() => pages.confirm()),
      redeem: (wire) => told(() => redeem(teller, wire)),
    },
    mailed: { page: told(() => pages.claimPage('deny')), deny: told(() => pages.denyMailed()) },
  };
  const { api, claimPages } = service.dialect.routes(endpoints);
  return [...api, ...claimPages].flatMap((route) =>
    'tell' in route ? [(route as Told).tell()] : [],
  );
}
