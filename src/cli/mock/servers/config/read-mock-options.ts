import { dirname, resolve } from 'node:path';
import { isDatabaseUrl } from '../../../../mock/store/pg-url.ts';
import { metadataOptions } from '../metadata.ts';
import type { MockOptions } from '../mock-options.ts';
import type { Config, ConfigPart } from './config-schema.ts';
import { resourceOptions } from './resource-values.ts';

/** Where a service container has its configuration: its command and its files are not to be chosen. */
const VARIABLE = 'AGENT_AUTH_MOCK_CONFIG';

/**
 * The options of a `mock` command: those of the command line, and below them those of `--config`, or without
 * it those of AGENT_AUTH_MOCK_CONFIG.
 * @param mockConfig the value of that variable
 * @throws CliError (usage) for a configuration with a mistake.
 */
export async function readMockOptions(
  flags: MockOptions,
  part: ConfigPart,
  signal: AbortSignal,
  mockConfig?: string,
): Promise<MockOptions> {
  const { config } = flags;
  if (config === undefined && mockConfig === undefined) return flags;
  const { readConfigFile, readConfigText } = await import('./config-file.ts');
  const file =
    config === undefined
      ? optionsOf(readConfigText(mockConfig ?? '', VARIABLE, part), '.')
      : optionsOf(await readConfigFile(config, part, signal), dirname(config));
  return {
    ...file,
    ...flags,
    // An option sets one lifetime, not all of them.
    lifetime: [...(file.lifetime ?? []), ...(flags.lifetime ?? [])],
    ...((file.metadata ?? flags.metadata) && {
      metadata: [...(file.metadata ?? []), ...(flags.metadata ?? [])],
    }),
    control: flags.control !== false && file.control !== false,
    live: flags.live !== false && file.live !== false,
    // A kind of certificate on the line replaces the other kind in the file.
    ...(flags.tls && { tlsCert: undefined, tlsKey: undefined }),
    ...(flags.tlsCert !== undefined && { tls: false }),
  };
}

/** The file's values under the names of the options; paths are relative to the file. */
function optionsOf(config: Config, folder: string): MockOptions {
  const path = (name: string | undefined) =>
    name === undefined ? undefined : resolve(folder, name);
  return withoutUndefined({
    port: config.port,
    host: config.host,
    allowRemotePasswordlessSignIn: config.allow_remote_passwordless_sign_in,
    baseUrl: config.base_url,
    providerBaseUrl: config.provider_base_url,
    providerPort: config.provider_port,
    allowHost: config.allow_hosts,
    db: config.db !== undefined && isDatabaseUrl(config.db) ? config.db : path(config.db),
    tls: config.tls,
    tlsCert: path(config.tls_cert),
    tlsKey: path(config.tls_key),
    control: config.control,
    allowRemoteControl: config.allow_remote_control,
    live: config.live,
    exchanges: config.exchanges,
    open: config.open,
    algorithm: config.algorithm,
    cors: config.cors,
    metadata: config.metadata && metadataOptions(config.metadata),
    serviceName: config.service_name,
    providerName: config.provider_name,
    trust: config.trust?.map(({ jwks_uri, client_ids, mail_domains, ...entry }) =>
      withoutUndefined({
        ...entry,
        jwksUri: jwks_uri,
        clientIds: client_ids,
        mailDomains: mail_domains,
      }),
    ),
    users: config.users?.map(({ email_verified, ...user }) =>
      withoutUndefined({ ...user, emailVerified: email_verified }),
    ),
    vendor: config.vendor,
    type: config.types,
    dialect: config.dialect,
    quirk: config.quirks,
    directory: config.directory,
    linkExisting: config.link_existing,
    rateLimit: config.rate_limit,
    preClaimScopes: config.pre_claim_scopes,
    postClaimScopes: config.post_claim_scopes,
    resources: config.resources?.map(resourceOptions),
    codeFormat: config.code_format,
    eventBase: config.event_base,
    acceptResourceAudience: config.accept_resource_audience,
    client: config.clients?.map(({ redirect_uris, ...client }) =>
      withoutUndefined({ ...withoutUndefined(client), redirectUris: redirect_uris }),
    ),
    allowPublic: config.allow_public,
    idJagReuse: config.id_jag_reuse,
    jitAccounts: config.jit_accounts,
    agentAuth: config.agent_auth,
    policy: config.policy?.map(({ max_age, ...rule }) =>
      withoutUndefined({ ...rule, maxAge: max_age }),
    ),
    claims: config.claims?.map(withoutUndefined),
    clientMapping: config.client_mapping,
    refuseUnmapped: config.refuse_unmapped,
    subjectType: config.subject_type,
    tenant: config.tenant,
    audience: config.audiences?.map(withoutUndefined),
    autoApprove: config.auto_approve,
    clientId: config.client_id,
    clientName: config.client_name,
    lifetime: Object.entries(config.lifetimes ?? {}).map(([name, value]) => `${name}=${value}`),
    fault: config.faults,
  });
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** What was left out is absent, so that a flag or a default takes its place. */
function withoutUndefined<T extends object>(object: T): Partial<Present<T>> & Certain<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as Partial<Present<T>> & Certain<T>;
}

/** The members that are never `undefined` stay. */
type Certain<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};
