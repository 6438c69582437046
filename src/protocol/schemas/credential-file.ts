import { z } from 'zod';
import { DIALECT_IDS, IDENTITY_TYPES } from '../constants.ts';

/**
 * The credential file, version 1. Instants are milliseconds since the epoch, on the server's clock
 * unless named `_local`. Objects are loose: what a later minor version added survives a rewrite.
 */
export const CREDENTIALS_SCHEMA = 'agent-auth.credentials/1';

const instant = z.number().nullable();
const secret = z.string().min(1);
const names = z.array(z.string());

const readBackEntry = z.looseObject({
  kind: z.literal('read_back'),
  verification_uri: z.string().nullable(),
  submit_url: z.string().nullable(),
  expires_at: z.number(),
  ended: z.enum(['denied', 'expired']).nullable(),
});

const typeThereEntry = z.looseObject({
  // Earlier versions wrote no other kind, and so no `kind`.
  kind: z.literal('type_there').optional(),
  user_code: secret,
  verification_uri: z.string(),
  expires_at: z.number(),
  interval: z.number().positive(),
  ended: z.enum(['denied', 'expired']).nullable(),
  next_poll_at: instant.optional(),
  quiet_until: instant.optional(),
});

const attemptEntry = z.union([readBackEntry, typeThereEntry]);

export type AttemptEntry = z.infer<typeof attemptEntry>;

const openClaimEntry = z.looseObject({
  claim_token: secret,
  claim_url: z.string().nullable(),
  expires_at: instant,
  email: z.string().nullable(),
  attempt: attemptEntry.nullable(),
  // One of CLAIM_FORMS, or of a later version's.
  form: z.string().optional(),
});

const registrationEntry = z.looseObject({
  registration_id: z.string().min(1),
  type: z.enum(IDENTITY_TYPES),
  // Earlier versions called `flat` so.
  dialect: z.enum([...DIALECT_IDS, 'specification']),
  created_at_local: z.number(),
  identity_assertion: z.looseObject({ value: secret, expires_at: instant }).nullable(),
  access_token: z
    .looseObject({
      value: secret,
      scopes: names.nullable(),
      expires_at: instant,
      direct: z.boolean().optional(),
      header: z.string().nullable().optional(),
    })
    .nullable(),
  refresh_token: z
    .looseObject({ value: secret, expires_at: instant, sent_at_local: instant.optional() })
    .nullable()
    .optional(),
  members: z.record(z.string(), z.string()).optional(),
  // Null: the service did not say.
  pre_claim_scopes: names.nullable(),
  post_claim_scopes: names.nullable(),
  claim: openClaimEntry.nullable(),
  claimed: z.boolean(),
  email: z.string().nullable(),
  provider: z.string().nullable(),
  ended: z.enum(['revoked', 'expired']).nullable(),
});
export type RegistrationEntry = z.infer<typeof registrationEntry>;

const serviceEntry = z.looseObject({
  issuer: z.url(),
  resource: z.url(),
  name: z.string().nullable(),
  clock_offset: z.number(),
  current: z.string().nullable(),
  registrations: z.array(registrationEntry),
});
export type ServiceEntry = z.infer<typeof serviceEntry>;

const providerEntry = z.looseObject({
  issuer: z.url(),
  id_token: secret,
  expires_at: instant,
  clock_offset: z.number(),
  account: z.string().nullable(),
});
export type ProviderEntry = z.infer<typeof providerEntry>;

const signInEntry = z.looseObject({
  issuer: z.url(),
  device_code: secret,
  user_code: secret,
  verification_uri: z.string(),
  expires_at: z.number(),
  interval: z.number().positive(),
  next_poll_at: instant.optional(),
  clock_offset: z.number(),
});
export type SignInEntry = z.infer<typeof signInEntry>;

const keptAnswerEntry = z.looseObject({
  id: z.string().min(1),
  issuer: z.url(),
  resource: z.url(),
  name: z.string().nullable(),
  of: z.enum(['registration', 'claim', 'claimed', 'token', 'refresh', 'sign_in']),
  type: z.enum(IDENTITY_TYPES).nullable(),
  email: z.string().nullable(),
  provider: z.string().nullable().optional(),
  subject: z.string().nullable().optional(),
  registration_id: z.string().nullable(),
  kept_at_local: z.number(),
  status: z.number(),
  body: z.string(),
  truncated: z.boolean(),
  members: names,
});
export type KeptAnswerEntry = z.infer<typeof keptAnswerEntry>;

export const credentialFile = z.looseObject({
  schema: z.literal(CREDENTIALS_SCHEMA),
  last_service: z.string().nullable(),
  services: z.array(serviceEntry),
  providers: z.array(providerEntry),
  sign_ins: z.array(signInEntry).optional(),
  not_understood: z.array(keptAnswerEntry).optional(),
});
export type CredentialFile = z.infer<typeof credentialFile>;
