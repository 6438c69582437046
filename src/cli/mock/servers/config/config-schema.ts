import { z } from 'zod';
import { DEFAULT_PROVIDER_LIFETIMES } from '../../../../mock-provider/config/lifetimes.ts';
import { PROVIDER_FAULT_NAMES } from '../../../../mock-provider/faults/index.ts';
import { DEFAULT_LIFETIMES } from '../../../../mock-service/config/lifetimes.ts';
import { SERVICE_FAULT_NAMES } from '../../../../mock-service/faults/index.ts';
import { IDENTITY_TYPES } from '../../../../protocol/constants.ts';
import {
  duration,
  email,
  flag,
  label,
  list,
  map,
  name,
  origin,
  orText,
  phone,
  port,
  text,
  url,
} from './config-values.ts';

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
  map({ issuer: url(), name: text().optional(), scopes: list(text()).optional() }),
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
});

function lifetimes(names: readonly string[]) {
  return map(Object.fromEntries(names.map((each) => [each, duration().optional()])));
}

const SERVICE_LIFETIMES = Object.keys(DEFAULT_LIFETIMES);
const PROVIDER_LIFETIMES = Object.keys(DEFAULT_PROVIDER_LIFETIMES);

const server = {
  port: port().optional(),
  host: text('a host name or an IP address').optional(),
  allow_remote_passwordless_sign_in: flag().optional(),
  base_url: origin().optional(),
  provider_base_url: origin().optional(),
  db: text('the path of a file, or postgres://user@host/name').optional(),
  tls: flag().optional(),
  tls_cert: text('the path of a file').optional(),
  tls_key: text('the path of a file').optional(),
  control: flag().optional(),
  open: flag().optional(),
  algorithm: name('algorithm', ['ES256', 'EdDSA']).optional(),
};

const service = {
  service_name: text().optional(),
  trust: list(trusted).optional(),
  vendor: z
    .preprocess((value) => (typeof value === 'string' ? [value] : value), list(label()))
    .optional(),
  types: list(name('registration type', IDENTITY_TYPES)).optional(),
  rate_limit: flag().optional(),
  event_base: url().optional(),
  accept_resource_audience: flag().optional(),
};

const provider = {
  provider_name: text().optional(),
  audiences: list(audience).optional(),
  auto_approve: email().optional(),
  client_id: text().optional(),
  client_name: text().optional(),
};

/** What the file of each command may hold. */
export const CONFIG_SCHEMAS = {
  service: map({
    ...server,
    ...service,
    users: list(serviceUser).optional(),
    lifetimes: lifetimes(SERVICE_LIFETIMES).optional(),
    faults: list(name('fault', SERVICE_FAULT_NAMES)).optional(),
  }),
  provider: map({
    ...server,
    ...provider,
    users: list(providerUser).optional(),
    lifetimes: lifetimes(PROVIDER_LIFETIMES).optional(),
    faults: list(name('fault', PROVIDER_FAULT_NAMES)).optional(),
  }),
  up: map({
    ...server,
    ...service,
    ...provider,
    users: list(providerUser).optional(),
    lifetimes: lifetimes([...new Set([...SERVICE_LIFETIMES, ...PROVIDER_LIFETIMES])]).optional(),
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
