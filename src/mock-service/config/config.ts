import type { Client } from '../../mock/clients/client.ts';
import type { DocumentMembers } from '../../mock/config/document-members.ts';
import { wrongOption } from '../../mock/config/wrong-option.ts';
import { OPENAPI_PATH } from '../../mock/http/openapi-route.ts';
import { claimGrantType, type IdentityType } from '../../protocol/constants.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import type { AnswerRule } from './answer-rule.ts';
import type { CodeFormat } from './code-format.ts';
import type { DirectoryService } from './directory.ts';
import type { Lifetimes } from './lifetimes.ts';
import type { LinkExisting } from './link-existing.ts';
import type { PathTemplate } from './path-template.ts';
import type { ServiceScopes } from './scopes.ts';

/** A provider whose ID-JAGs and events are accepted. */
export interface TrustEntry {
  /** The `iss` of what the provider signs. */
  readonly issuer: string;
  /** Shown to people. Never taken from a token. Default: the issuer's host. */
  readonly name?: string;
  /** Default: what the issuer's metadata says; without metadata `<issuer>/.well-known/jwks.json`. */
  readonly jwksUri?: string;
  /** Accepted `client_id` beside the issuer itself. Default: `<issuer>/agent-auth.json`. */
  readonly clientIds?: readonly string[];
  /** The mail domains that it is trusted for; an email outside them needs its user's consent. Default: all. */
  readonly mailDomains?: readonly string[];
}

/** A trust entry with every default filled in. */
export type TrustedIssuer = TrustEntry & Required<Pick<TrustEntry, 'name' | 'clientIds'>>;

/** A user that the service knows from the start on. */
export interface SeedUser {
  /** What they sign in with. */
  readonly email: string;
  /** The name on pages. Default: the email address. */
  readonly name?: string;
  /** E.164. */
  readonly phone?: string;
}

/** What members can be changed in: protected-resource metadata, server metadata, and its block. */
export const SERVICE_DOCUMENTS = ['resource', 'server', 'agent_auth'] as const;
/** The name of one. */
export type ServiceDocument = (typeof SERVICE_DOCUMENTS)[number];

export const RESOURCE_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** The methods that a resource may be called by. */
export type ResourceMethod = (typeof RESOURCE_METHODS)[number];

/** A body that is the same for everybody. */
export interface FixedBody {
  readonly text: string;
  /** Empty: none is said. */
  readonly contentType: string;
}

/** A resource with every default filled in. */
export interface ServiceResource extends Pick<PathTemplate, 'path'> {
  readonly template: PathTemplate;
  readonly method: ResourceMethod;
  /** A call needs all of them. */
  readonly scopes: readonly string[];
  readonly open: boolean;
  readonly status: number;
  /** Undefined: it says who called. */
  readonly body: FixedBody | undefined;
}

/** The options with every default filled in. */
export interface ServiceConfig {
  readonly issuer: string;
  readonly name: string;
  /** Which requests are for this server at all. */
  isOurHost(request: Request): boolean;
  /** Trusted from the start on. The service's `TrustList` holds who is trusted now. */
  readonly trust: readonly TrustedIssuer[];
  readonly users: readonly SeedUser[];
  readonly vendors: readonly string[];
  readonly eventBase: string;
  readonly lifetimes: Lifetimes;
  readonly codeFormat: CodeFormat;
  /** The origins whose pages may call it. */
  readonly cors: readonly string[];
  /** Members of its metadata beside those that it writes itself, or in their place. */
  readonly metadata: DocumentMembers<ServiceDocument>;
  readonly identityTypes: readonly IdentityType[];
  readonly rateLimit: boolean;
  readonly acceptResourceAudience: boolean;
  readonly linkExisting: LinkExisting;
  /** The clients that may redeem ID-JAGs; empty: any. */
  readonly clients: readonly Client[];
  readonly allowPublic: boolean;
  readonly idJagReuse: boolean;
  readonly jitAccounts: boolean;
  /** What is otherwise in answers to clients. */
  readonly claims: readonly AnswerRule[];
  /** What the directory starts with; undefined: what was published. */
  readonly directory: readonly DirectoryService[] | undefined;
  readonly scopes: ServiceScopes;
  /** What it answers with an access token, beside its directory. */
  readonly resources: readonly ServiceResource[];
  /** Whether its token endpoint takes ID-JAGs of clients, too: in a dialect that has that, while it takes any ID-JAG. */
  readonly redeemsIdJags: boolean;
  /** Whether it is an MCP server, too: one with cross-app access, and no resource of its own there. */
  readonly servesMcp: boolean;
  /** Whether a URL is the base (a final slash tolerated), one of the resources, or in the directory. */
  isResource(url: string): boolean;
}

/** The claim grants that this service advertises and accepts. */
export function claimGrantTypes({ vendors }: Pick<ServiceConfig, 'vendors'>): readonly string[] {
  return vendors.map(claimGrantType);
}

/** @throws TypeError that says which option is wrong. */
export function resolveTrust(entry: TrustEntry): TrustedIssuer {
  if (!URL.canParse(entry.issuer)) {
    throw wrongOption('trust.issuer', entry.issuer, 'Use a full URL.');
  }
  if (entry.jwksUri !== undefined && !URL.canParse(entry.jwksUri)) {
    throw wrongOption('trust.jwksUri', entry.jwksUri, 'Use a full URL.');
  }
  const base = withoutFinalSlash(entry.issuer);
  return {
    ...entry,
    ...(entry.mailDomains && {
      mailDomains: entry.mailDomains.map((domain) => domain.toLowerCase()),
    }),
    name: entry.name ?? new URL(base).host,
    clientIds: entry.clientIds ?? [`${base}/agent-auth.json`],
  };
}

/** Whether the service answers with its own OpenAPI document: a resource at that path goes first. */
export function describesItself({ resources }: Pick<ServiceConfig, 'resources'>): boolean {
  return !resources.some(({ template }) => template.matches(OPENAPI_PATH));
}
