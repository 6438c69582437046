import {
  bearerCredentials,
  bodyReader,
  type Current,
  type Envelope,
  ExpiredRows,
  type MockCore,
  Sessions,
  type Site,
  safeReturnTo,
  sharedSetting,
} from '../../mock/index.ts';
import { type Log, type Random, randomToken } from '../../runtime/index.ts';
import { ShownAttempts } from '../claim-attempt/shown-attempts.ts';
import type { ServiceConfig } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { type MockServiceOptions, resolveOptions } from '../options.ts';
import { VIEWS } from '../pages/views.ts';
import { serviceRoutes } from '../routes.ts';
import { ClientTokenStore } from '../store/client-token-store.ts';
import {
  EventStore,
  IdJagStore,
  MailStore,
  RegistrationStore,
  SERVICE_SCHEMA,
  TokenStore,
  UserStore,
} from '../store/index.ts';
import { targetReader } from '../tokens/target.ts';
import {
  documentFetcher,
  IssuerKeys,
  jwtVerifier,
  KeySource,
  TRUST_SETTING,
  TrustList,
} from '../trust/index.ts';
import { spokenParts } from './spoken-parts.ts';

interface Parts {
  readonly right: ServiceContext;
  /** Renders problems that belong to no route. */
  readonly fallback: Envelope;
}

/** Everything that a right service consists of; its users are seeded. */
export async function serviceParts(
  options: MockServiceOptions,
  core: MockCore,
  current: Current<ServiceContext>,
): Promise<Parts> {
  const { log, random } = options;
  const { clock, db, keys } = core;
  const userCodeKey = await sharedSetting(db, 'service', 'user_code_key', randomToken(random, ''));
  const config = resolveOptions(options);
  const site: Site = { name: config.name, role: 'Mock service', homePath: PATHS.connections };
  const { fallback, ...spoken } = spokenParts(options, { clock, keys, random, site, userCodeKey });
  const { issuerKeys, trust } = trustParts(config, core, current, log);
  const users = new UserStore(db, clock, random);
  await users.seed(config.users);
  const right: ServiceContext = {
    ...spoken,
    ...storeParts(core, current, random),
    site,
    routes: serviceRoutes,
    reader: bodyReader,
    returnTo: safeReturnTo,
    views: VIEWS,
    clock,
    random,
    log,
    db,
    keys,
    credentials: bearerCredentials,
    target: targetReader,
    trust,
    verifier: jwtVerifier(trust, issuerKeys, documentFetcher(options.fetch)),
    shownAttempts: new ShownAttempts(),
    users,
    sessions: new Sessions({ db, owner: 'service', origin: config.issuer, clock, random }),
  };
  return { right, fallback };
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
  const registrations = new RegistrationStore(db, now, expired);
  return {
    registrations,
    idJags: new IdJagStore(db, now),
    tokens: new TokenStore(db, clock),
    clientTokens: new ClientTokenStore(db, expired),
    mails: new MailStore(db, clock, random, expired),
    events: new EventStore(db, clock, registrations, now),
  };
}
