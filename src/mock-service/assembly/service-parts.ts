import type { MockCore } from '../../mock/controls/mock-core.ts';
import type { Current } from '../../mock/faults/wiring.ts';
import { Delay } from '../../mock/http/delay.ts';
import type { Envelope } from '../../mock/http/request.ts';
import { forBrowsers } from '../../mock/pages/page-envelope.ts';
import type { Site } from '../../mock/pages/site.ts';
import { Sessions } from '../../mock/sessions/sessions.ts';
import { ExpiredRows } from '../../mock/store/atomic-store.ts';
import { sharedSetting } from '../../mock/store/settings.ts';
import type { Clock, Log, Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { claimSecrets } from '../claim-secrets/attempt-secrets.ts';
import { ClientDocuments } from '../clients/client-documents.ts';
import type { ServiceConfig } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';
import { DECISIONS } from '../context/decisions.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { ServiceDialect } from '../dialects/dialect.ts';
import { servedDialect } from '../dialects/index.ts';
import { directoryEnvelope } from '../directory/answer.ts';
import { isDirectoryPath } from '../directory/path.ts';
import type { MockServiceOptions } from '../options.ts';
import { viewsOf } from '../pages/views.ts';
import { serviceRoutes } from '../routes.ts';
import { ClientTokenStore } from '../store/client-token-store.ts';
import { EventStore } from '../store/event-store.ts';
import { IdJagStore } from '../store/id-jag-store.ts';
import { MailStore } from '../store/mail-store.ts';
import { RegistrationStore } from '../store/registration-store.ts';
import { SERVICE_SCHEMA } from '../store/schema.ts';
import { TokenStore } from '../store/token-store.ts';
import { UserStore } from '../store/users.ts';
import { serviceReader } from '../token-request/service-reader.ts';
import { IdentityAssertions, writtenAs } from '../tokens/identity-assertion.ts';
import { grantsOf } from '../tokens/token-endpoint.ts';
import { documentFetcher } from '../trust/fetch-document.ts';
import { IssuerKeys } from '../trust/issuer-keys.ts';
import { jwtVerifier } from '../trust/jwt-verifier.ts';
import { KeySource } from '../trust/key-source.ts';
import { TRUST_SETTING, TrustList } from '../trust/trust-list.ts';

interface Parts {
  readonly right: ServiceContext;
  /** Renders problems that belong to no route. */
  readonly fallback: Envelope;
}

/** Everything that a right service consists of; its users are seeded. */
export async function serviceParts(
  options: MockServiceOptions,
  config: ServiceConfig,
  core: MockCore,
  current: Current<ServiceContext>,
): Promise<Parts> {
  const { log, random } = options;
  const { clock, db, keys } = core;
  const stores = storeParts(core, current, random);
  await stores.users.seed(config.users);
  const userCodeKey = await sharedSetting(db, 'service', 'user_code_key', randomToken(random, ''));
  const site: Site = { name: config.name, role: 'Mock service', homePath: PATHS.connections };
  const dialect = servedDialect(options);
  const { issuerKeys, trust } = trustParts(config, core, current, log);
  const right: ServiceContext = {
    config,
    dialect,
    decisions: {
      ...DECISIONS,
      afterClaim: dialect.afterClaim ?? DECISIONS.afterClaim,
      grants: grantsOf(dialect),
    },
    assertions: writtenAs(
      new IdentityAssertions(config.issuer, keys, clock),
      dialect.assertionForm,
    ),
    secrets: claimSecrets(random, userCodeKey, config.codeFormat, dialect),
    ...stores,
    routes: serviceRoutes,
    reader: serviceReader,
    views: viewsOf(site),
    clock,
    random,
    delay: new Delay(options.delay),
    log,
    db,
    keys,
    trust,
    verifier: jwtVerifier({ keys: issuerKeys, trust }, documentFetcher(options.fetch)),
    clientDocuments: new ClientDocuments({
      issuer: config.issuer,
      clock,
      fetch: (guard) => options.guardedFetch?.(guard) ?? options.fetch,
    }),
    sessions: new Sessions({ db, owner: 'service', origin: config.issuer, clock, random }),
  };
  return { right, fallback: fallbackOf(dialect, site, clock) };
}

function fallbackOf(dialect: ServiceDialect, site: Site, clock: Clock): Envelope {
  const inDirectory = directoryEnvelope(clock);
  const elsewhere = forBrowsers(site, dialect.problems.registration);
  return (problem, request) =>
    (isDirectoryPath(new URL(request.url).pathname) ? inDirectory : elsewhere)(problem, request);
}

/** Which providers are trusted, and where their keys are. */
function trustParts(
  { trust: configured }: ServiceConfig,
  { clock, live }: MockCore,
  { now }: Current<ServiceContext>,
  log: Log,
) {
  const fetching = { fetch: (url: string) => now().verifier.fetchDocument(url), clock, log };
  const issuerKeys = new IssuerKeys({ ...fetching, keys: new KeySource(fetching) });
  const stored = () => live.setting(TRUST_SETTING);
  return { issuerKeys, trust: new TrustList({ configured, stored, keys: issuerKeys }) };
}

/** What reads and writes the tables. The stores decide by the mock as it is wired now. */
function storeParts({ clock, db }: MockCore, { now }: Current<ServiceContext>, random: Random) {
  const expired = new ExpiredRows(SERVICE_SCHEMA.tables);
  const atomic = [db, clock, expired] as const;
  const registrations = new RegistrationStore(...atomic, now);
  return {
    registrations,
    idJags: new IdJagStore(...atomic, now),
    tokens: new TokenStore(...atomic),
    clientTokens: new ClientTokenStore(...atomic),
    mails: new MailStore(...atomic, random),
    events: new EventStore(...atomic, registrations, now),
    users: new UserStore(...atomic, random),
  };
}
