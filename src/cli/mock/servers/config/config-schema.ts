import * as z from 'zod';
import { CLIENT_AUTH_METHODS } from '../../../../mock/clients/client.ts';
import { SIGNING_ALGORITHMS } from '../../../../mock/keys/algorithm.ts';
import { DATABASE_PLACE, isDatabasePlace } from '../../../../mock/store/pg-url.ts';
import { CONSENT_BY } from '../../../../mock-provider/clients/provider-client.ts';
import { SUBJECT_TYPES } from '../../../../mock-provider/config/config.ts';
import { DEFAULT_PROVIDER_LIFETIMES } from '../../../../mock-provider/config/lifetimes.ts';
import {
  CHANGED_TOKENS,
  type ChangedToken,
  MOST_AGE,
  REFUSALS,
} from '../../../../mock-provider/config/rules.ts';
import { PROVIDER_FAULT_NAMES } from '../../../../mock-provider/faults/index.ts';
import { CHANGED_ANSWERS } from '../../../../mock-service/config/answer-rule.ts';
import { RESOURCE_METHODS } from '../../../../mock-service/config/config.ts';
import { DEFAULT_LIFETIMES } from '../../../../mock-service/config/lifetimes.ts';
import { LINK_EXISTING } from '../../../../mock-service/config/link-existing.ts';
import { readResource, resourceKey } from '../../../../mock-service/config/resource.ts';
import { QUIRK_NAMES } from '../../../../mock-service/dialects/index.ts';
import { directoryOption } from '../../../../mock-service/directory/entries.ts';
import { SERVICE_FAULT_NAMES } from '../../../../mock-service/faults/index.ts';
import { DIALECT_IDS, IDENTITY_TYPES } from '../../../../protocol/constants.ts';
import { displayText } from '../../../../protocol/text.ts';
import { MOST_KEPT } from '../../../../traffic/exchange.ts';
import { DOCUMENTS } from '../metadata.ts';
import {
  clientId,
  codeFormat,
  corsOrigin,
  count,
  email,
  flag,
  host,
  hostName,
  label,
  lifetime,
  list,
  map,
  members,
  name,
  origin,
  orText,
  phone,
  port,
  scope,
  shownName,
  some,
  text,
  url,
  urlOrAny,
} from './config-values.ts';
import { renamed } from './renamed.ts';

const shape = map({
  path: text('a path like /v1/orders/{id}'),
  method: name('method', RESOURCE_METHODS).optional(),
  scope: text('scopes, separated by spaces').optional(),
  open: flag().optional(),
  status: z.int({ error: 'expected a number from 200 to 299' }).optional(),
  body: z.unknown().optional(),
  content_type: text('a media type like text/plain').optional(),
});

/** Read as the mock will read it. */
const resource = shape.superRefine((given, context) => {
  const read = readResource(renamed(given));
  if (typeof read !== 'string') return;
  const which = displayText(`${given.method ?? 'GET'} ${given.path}`, 100);
  context.addIssue({ code: 'custom', message: `${which}: ${read}` });
});

/** The key `resources`. */
function resources() {
  return list(resource).superRefine((given, context) => {
    const seen = new Set<string>();
    for (const [at, each] of given.entries()) {
      const read = readResource(renamed(each));
      if (typeof read === 'string') continue;
      const key = resourceKey(read);
      if (seen.has(key))
        context.addIssue({ code: 'custom', path: [at], message: `${key} is there twice` });
      seen.add(key);
    }
  });
}

const trusted = orText(
  'issuer',
  map({
    issuer: url(),
    name: text().optional(),
    jwks_uri: url().optional(),
    client_ids: list(text()).optional(),
    mail_domains: list(text('a mail domain like example.com')).optional(),
  }),
);

const audience = orText(
  'issuer',
  map({
    issuer: urlOrAny(),
    name: text().optional(),
    scopes: list(text()).optional(),
    resources: list(url()).optional(),
    algorithm: name('algorithm', SIGNING_ALGORITHMS).optional(),
  }),
);

const user = {
  email: email(),
  name: text().optional(),
  phone: phone().optional(),
};

const serviceUser = map(user);
const providerUser = map({
  ...user,
  email_verified: flag().optional(),
  tenant: text().optional(),
  groups: list(text()).optional(),
});

const client = {
  id: text(),
  secret: text('a test value').optional(),
  public: flag().optional(),
  methods: list(name('client authentication method', CLIENT_AUTH_METHODS)).optional(),
  keys: map({ keys: list(z.looseObject({ kty: text() })) }).optional(),
};

const providerClient = map({
  ...client,
  redirect_uris: list(url()).optional(),
  consent: name('way to decide', CONSENT_BY).optional(),
});

const change = {
  user: email().optional(),
  client: text().optional(),
  audience: url().optional(),
  claims: z.looseObject({}).optional(),
  omit: list(text()).optional(),
};

const header = z.looseObject({}).optional();
const answerRule = map({ of: name('answer', CHANGED_ANSWERS), ...change });
const claimRule = map({ of: name('token', CHANGED_TOKENS), ...change, header });
const eitherRule = map({
  of: name('token or answer', [...CHANGED_TOKENS, ...CHANGED_ANSWERS]),
  ...change,
  header,
}).refine((given) => given.header === undefined || isToken(given.of), {
  path: ['header'],
  error: `a header is for ${CHANGED_TOKENS.join(' and ')}`,
});

function isToken(of: string): of is ChangedToken {
  return CHANGED_TOKENS.some((token) => token === of);
}

const rule = map({
  user: email().optional(),
  group: text().optional(),
  client: text().optional(),
  audience: url().optional(),
  resource: url().optional(),
  scopes: list(scope()).optional(),
  max_age: count(MOST_AGE).optional(),
  refuse: name('code', REFUSALS).optional(),
});

function lifetimes(names: readonly string[]) {
  return map(Object.fromEntries(names.map((each) => [each, lifetime(each).optional()])));
}

const SERVICE_LIFETIMES = Object.keys(DEFAULT_LIFETIMES);
const PROVIDER_LIFETIMES = Object.keys(DEFAULT_PROVIDER_LIFETIMES);

function metadata(documents: readonly string[]) {
  return map(Object.fromEntries(documents.map((document) => [document, members().optional()])));
}

const server = {
  port: port().optional(),
  host: hostName().optional(),
  allow_remote_passwordless_sign_in: flag().optional(),
  base_url: origin().optional(),
  allow_hosts: list(host()).optional(),
  db: text(DATABASE_PLACE, isDatabasePlace).optional(),
  tls: flag().optional(),
  tls_cert: text('the path of a file').optional(),
  tls_key: text('the path of a file').optional(),
  control: flag().optional(),
  allow_remote_control: flag().optional(),
  live: flag().optional(),
  exchanges: count(MOST_KEPT).optional(),
  open: flag().optional(),
  cors: list(corsOrigin()).optional(),
  algorithm: name('algorithm', SIGNING_ALGORITHMS).optional(),
};

const service = {
  service_name: shownName().optional(),
  trust: list(trusted).optional(),
  vendor: z
    .preprocess((value) => (typeof value === 'string' ? [value] : value), some(label()))
    .optional(),
  types: some(name('registration type', IDENTITY_TYPES)).optional(),
  dialect: name('dialect', DIALECT_IDS).optional(),
  quirks: list(name('quirk', QUIRK_NAMES)).optional(),
  directory: directoryOption.optional(),
  link_existing: name('mode', LINK_EXISTING).optional(),
  rate_limit: flag().optional(),
  pre_claim_scopes: list(scope()).optional(),
  post_claim_scopes: list(scope()).optional(),
  resources: resources().optional(),
  code_format: codeFormat().optional(),
  event_base: url().optional(),
  accept_resource_audience: flag().optional(),
  clients: list(providerClient).optional(),
  allow_public: flag().optional(),
  id_jag_reuse: flag().optional(),
  jit_accounts: flag().optional(),
  claims: list(answerRule).optional(),
};

const provider = {
  provider_name: shownName().optional(),
  audiences: list(audience).optional(),
  auto_approve: email().optional(),
  client_id: clientId().optional(),
  client_name: shownName().optional(),
  clients: list(providerClient).optional(),
  agent_auth: flag().optional(),
  policy: list(rule).optional(),
  claims: list(claimRule).optional(),
  subject_type: name('subject type', SUBJECT_TYPES).optional(),
  tenant: text().optional(),
  client_mapping: list(map({ client: text(), audience: url(), id: text() })).optional(),
  refuse_unmapped: flag().optional(),
};

/** What the file of each command may hold. */
export const CONFIG_SCHEMAS = {
  service: map({
    ...server,
    ...service,
    users: list(serviceUser).optional(),
    lifetimes: lifetimes(SERVICE_LIFETIMES).optional(),
    metadata: metadata(DOCUMENTS.service).optional(),
    faults: list(name('fault', SERVICE_FAULT_NAMES)).optional(),
  }),
  provider: map({
    ...server,
    ...provider,
    users: list(providerUser).optional(),
    lifetimes: lifetimes(PROVIDER_LIFETIMES).optional(),
    metadata: metadata(DOCUMENTS.provider).optional(),
    faults: list(name('fault', PROVIDER_FAULT_NAMES)).optional(),
  }),
  up: map({
    ...server,
    provider_base_url: origin().optional(),
    provider_port: port().optional(),
    ...service,
    ...provider,
    claims: list(eitherRule).optional(),
    users: list(providerUser).optional(),
    lifetimes: lifetimes([...new Set([...SERVICE_LIFETIMES, ...PROVIDER_LIFETIMES])]).optional(),
    metadata: metadata(DOCUMENTS.up).optional(),
    faults: list(
      name('fault', [...new Set<string>([...SERVICE_FAULT_NAMES, ...PROVIDER_FAULT_NAMES])]),
    ).optional(),
  }),
} as const;

export type ConfigPart = keyof typeof CONFIG_SCHEMAS;

/** Every key of any command; those of another command are missing. */
export type Config = Partial<z.infer<(typeof CONFIG_SCHEMAS)['up']>>;

/** The commands that have this key: tells a key of another command from a misspelt one. */
export function commandsWith(key: string): readonly ConfigPart[] {
  return (Object.keys(CONFIG_SCHEMAS) as ConfigPart[]).filter((part) =>
    Object.hasOwn(CONFIG_SCHEMAS[part].shape, key),
  );
}
