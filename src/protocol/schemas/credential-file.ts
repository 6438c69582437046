import * as z from 'zod/mini';
import { DIALECT_IDS, IDENTITY_TYPES } from '../constants.ts';

/**
 * The credential file, version 1. Instants are milliseconds since the epoch, on the server's clock
 * unless named `_local`. Objects are loose: what a later minor version added survives a rewrite.
 *
 * Written in the small form of zod: `status` and `token` start with it, and load nothing else of the wire's schemas.
 */
export const CREDENTIALS_SCHEMA = 'agent-auth.credentials/1';

const instant = z.nullable(z.number());
const secret = z.string().check(z.minLength(1));
const names = z.array(z.string());

const readBackEntry = z.looseObject({
  kind: z.literal('read_back'),
  verification_uri: z.nullable(z.string()),
  submit_url: z.nullable(z.string()),
  expires_at: z.number(),
  ended: z.nullable(z.enum(['denied', 'expired'])),
});

const typeThereEntry = z.looseObject({
  kind: z.literal('type_there'),
  user_code: secret,
  verification_uri: z.string(),
  expires_at: z.number(),
  interval: z.number().check(z.positive()),
  ended: z.nullable(z.enum(['denied', 'expired'])),
  next_poll_at: z.optional(instant),
});

const attemptEntry = z.union([readBackEntry, typeThereEntry]);

/** A claim attempt in the credential file. */
export type AttemptEntry = z.infer<typeof attemptEntry>;

const openClaimEntry = z.looseObject({
  claim_token: secret,
  claim_url: z.nullable(z.string()),
  expires_at: instant,
  email: z.nullable(z.string()),
  attempt: z.nullable(attemptEntry),
  // One of CLAIM_FORMS, or of a later version's.
  form: z.optional(z.string()),
});

const registrationEntry = z.looseObject({
  registration_id: z.string().check(z.minLength(1)),
  type: z.enum(IDENTITY_TYPES),
  dialect: z.enum(DIALECT_IDS),
  created_at_local: z.number(),
  identity_assertion: z.nullable(z.looseObject({ value: secret, expires_at: instant })),
  access_token: z.nullable(
    z.looseObject({
      value: secret,
      scopes: z.nullable(names),
      expires_at: instant,
      direct: z.optional(z.boolean()),
      header: z.optional(z.nullable(z.string())),
      login_url: z.optional(z.nullable(z.string())),
    }),
  ),
  refresh_token: z.optional(z.nullable(z.looseObject({ value: secret, expires_at: instant }))),
  members: z.optional(z.record(z.string(), z.string())),
  // Null: the service did not say.
  pre_claim_scopes: z.nullable(names),
  post_claim_scopes: z.nullable(names),
  claim: z.nullable(openClaimEntry),
  claimed: z.boolean(),
  email: z.nullable(z.string()),
  provider: z.nullable(z.string()),
  assertion_given: z.optional(z.boolean()),
  // Not registered: a client that another provider's ID-JAGs let in (ID-JAG §4.4).
  cross_app: z.optional(
    z.looseObject({ client_id: secret, provider_client_id: secret, scopes: names }),
  ),
  ended: z.nullable(z.enum(['revoked', 'expired'])),
});
/** A registration in the credential file. */
export type RegistrationEntry = z.infer<typeof registrationEntry>;

const serviceEntry = z.looseObject({
  issuer: z.url(),
  resource: z.url(),
  name: z.nullable(z.string()),
  clock_offset: z.number(),
  current: z.nullable(z.string()),
  registrations: z.array(registrationEntry),
});
/** A service in the credential file. */
export type ServiceEntry = z.infer<typeof serviceEntry>;

const providerEntry = z.looseObject({
  issuer: z.url(),
  id_token: secret,
  expires_at: instant,
  clock_offset: z.number(),
  account: z.nullable(z.string()),
  // Left out: agent-auth.
  client_id: z.optional(z.string()),
  refresh_token: z.optional(z.nullable(secret)),
});
/** A sign-in at a provider in the credential file. */
export type ProviderEntry = z.infer<typeof providerEntry>;

const signInEntry = z.looseObject({
  issuer: z.url(),
  device_code: secret,
  user_code: secret,
  verification_uri: z.string(),
  expires_at: z.number(),
  interval: z.number().check(z.positive()),
  next_poll_at: z.optional(instant),
  clock_offset: z.number(),
  client_id: z.optional(z.string()),
});
/** A sign-in that nobody has completed yet, in the credential file. */
export type SignInEntry = z.infer<typeof signInEntry>;

const pageSignInEntry = z.looseObject({
  issuer: z.url(),
  client_id: secret,
  url: z.url(),
  redirect_uri: z.url(),
  state: secret,
  nonce: secret,
  verifier: secret,
  max_age: instant,
  expires_at_local: z.number(),
});

const clientEntry = z.looseObject({
  issuer: z.url(),
  client_id: secret,
  client_secret: z.nullable(secret),
  // A private key, as PEM or JWK.
  client_key: z.nullable(secret),
});

const keptAnswerEntry = z.looseObject({
  id: z.string().check(z.minLength(1)),
  issuer: z.url(),
  resource: z.url(),
  name: z.nullable(z.string()),
  of: z.enum(['registration', 'claim', 'claimed', 'token', 'refresh', 'sign_in']),
  type: z.nullable(z.enum(IDENTITY_TYPES)),
  email: z.nullable(z.string()),
  provider: z.optional(z.nullable(z.string())),
  subject: z.optional(z.nullable(z.string())),
  registration_id: z.nullable(z.string()),
  kept_at_local: z.number(),
  status: z.number(),
  body: z.string(),
  truncated: z.boolean(),
  members: names,
});
/** An answer that was not understood, in the credential file. */
export type KeptAnswerEntry = z.infer<typeof keptAnswerEntry>;

/** The credential file, as it is written: `version` tells its form. */
export const credentialFile = z.looseObject({
  schema: z.literal(CREDENTIALS_SCHEMA),
  last_service: z.nullable(z.string()),
  services: z.array(serviceEntry),
  providers: z.array(providerEntry),
  sign_ins: z.optional(z.array(signInEntry)),
  page_sign_ins: z.optional(z.array(pageSignInEntry)),
  clients: z.optional(z.array(clientEntry)),
  not_understood: z.optional(z.array(keptAnswerEntry)),
});
/** What the credential file holds. */
export type CredentialFile = z.infer<typeof credentialFile>;
