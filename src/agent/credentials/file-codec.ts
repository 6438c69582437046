import { CLAIM_FORMS, CREDENTIALS_SCHEMA, type CredentialFile } from '../../protocol/index.ts';
import { Secret } from '../../runtime/index.ts';
import type {
  AccessToken,
  Credentials,
  CrossAppAccess,
  IdentityAssertion,
  KeptAnswer,
  KeptClient,
  OpenClaim,
  PageSignIn,
  PendingSignIn,
  ProviderSession,
  ReadBackAttempt,
  Registration,
  ServiceRecord,
  TypeThereAttempt,
} from '../model.ts';

type Entry = Readonly<Record<string, unknown>>;

/** How a value of the model stands in the file; nothing stands for nothing. */
interface Codec {
  /** `undefined`: a value of a later version, which stays in the file. */
  readonly decode: (entry: unknown) => unknown;
  /** @param before what stood there. */
  readonly encode: (value: unknown, before: unknown) => unknown;
}

/** A member of the file, and how it holds what the property does. `optional`: the property may be left out. */
type Field = readonly [member: string, codec?: Codec, optional?: 'optional'];

const same: Codec = { decode: (entry) => entry, encode: (value) => value };
const secret: Codec = {
  decode: (entry) => new Secret(String(entry)),
  encode: (value) => (value as Secret).reveal(),
};

/**
 * An object, by a field for each property.
 * @param identity members that tell it from others. Members that this version does not know describe one registration,
 *   token or code: they are kept while it is the same one, and go with it.
 */
function object<T>(
  fields: { readonly [K in keyof T]-?: Field },
  ...identity: readonly string[]
): Codec {
  const all = Object.entries<Field>(fields);
  const members = new Set(all.map(([, [member]]) => member));
  return {
    decode: (entry) =>
      Object.fromEntries(
        all.flatMap(([property, [member, codec = same, optional]]) => {
          const value = (entry as Entry)[member] ?? null;
          if (value === null) return optional ? [] : [[property, null]];
          const decoded = codec.decode(value);
          return decoded === undefined ? [] : [[property, decoded]];
        }),
      ),
    encode: (value, given) => {
      const encoded = (before: Entry) =>
        Object.fromEntries(
          all.flatMap(([property, [member, codec = same, optional]]) => {
            const part = (value as Entry)[property] ?? null;
            if (part !== null) return [[member, codec.encode(part, before[member])]];
            if (!optional) return [[member, null]];
            const left = before[member] ?? null;
            return left !== null && codec.decode(left) === undefined ? [[member, left]] : [];
          }),
        );
      const next: Entry = encoded({});
      const before = [given as Entry | readonly Entry[] | null | undefined]
        .flat()
        .find((entry) => entry && identity.every((name) => entry[name] === next[name]));
      if (!before) return next;
      const unknown = Object.entries(before).filter(([name]) => !members.has(name));
      return { ...Object.fromEntries(unknown), ...encoded(before) };
    },
  };
}

/** A list of objects: each finds what stood for it by its identity. */
function list(codec: Codec): Codec {
  return {
    decode: (entry) => (entry as readonly unknown[]).map((one) => codec.decode(one)),
    encode: (value, before) =>
      (value as readonly unknown[]).map((one) => codec.encode(one, before)),
  };
}

/** Properties that the file holds as they are, under their names in snake case. */
function plain<Name extends string>(...properties: readonly Name[]): Fields<Name> {
  return fields(properties);
}

/** The same of some that may be left out. */
function optional<Name extends string>(...properties: readonly Name[]): Fields<Name> {
  return fields(properties, 'optional');
}

type Fields<Name extends string> = { readonly [N in Name]: Field };

function fields<Name extends string>(
  properties: readonly Name[],
  ...more: readonly [] | readonly ['optional']
): Fields<Name> {
  const memberOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const entries = properties.map((name) => [name, [memberOf(name), same, ...more]]);
  return Object.fromEntries(entries) as Fields<Name>;
}

const assertion = object<IdentityAssertion>(
  { value: ['value', secret], ...plain('expiresAt') },
  'value',
);

const token = object<AccessToken>(
  {
    value: ['value', secret],
    ...plain('scopes', 'expiresAt'),
    ...optional('direct', 'header', 'loginUrl'),
  },
  'value',
);

const ATTEMPT = plain('kind', 'verificationUri', 'expiresAt', 'ended');
const readBack = object<ReadBackAttempt>(
  { ...ATTEMPT, ...plain('submitUrl') },
  'kind',
  'expires_at',
);
const typeThere = object<TypeThereAttempt>(
  {
    ...ATTEMPT,
    userCode: ['user_code', secret],
    ...plain('interval'),
    ...optional('nextPollAt'),
  },
  'kind',
  'user_code',
);
const codecOf = (attempt: unknown) =>
  (attempt as Entry)['kind'] === 'read_back' ? readBack : typeThere;
const attempt: Codec = {
  decode: (entry) => codecOf(entry).decode(entry),
  encode: (value, before) => codecOf(value).encode(value, before),
};

/** One of this version, or none. */
const form: Codec = { ...same, decode: (entry) => CLAIM_FORMS.find((one) => one === entry) };

const claim = object<OpenClaim>(
  {
    token: ['claim_token', secret],
    url: ['claim_url'],
    ...plain('expiresAt', 'email'),
    attempt: ['attempt', attempt],
    form: ['form', form, 'optional'],
  },
  'claim_token',
);

const crossApp = object<CrossAppAccess>(plain('clientId', 'providerClientId', 'scopes'));

const registration = object<Omit<Registration, 'issuer' | 'resource'>>(
  {
    id: ['registration_id'],
    createdAt: ['created_at_local'],
    assertion: ['identity_assertion', assertion],
    token: ['access_token', token],
    refresh: ['refresh_token', assertion, 'optional'],
    claim: ['claim', claim],
    crossApp: ['cross_app', crossApp, 'optional'],
    ...plain('type', 'dialect', 'claimed', 'email', 'provider', 'ended'),
    ...plain('preClaimScopes', 'postClaimScopes'),
    ...optional('members', 'assertionGiven'),
  },
  'registration_id',
);

const service = object<ServiceRecord>(
  {
    ...plain('issuer', 'resource', 'name', 'clockOffset', 'current'),
    registrations: ['registrations', list(registration)],
  },
  'issuer',
  'resource',
);

const session = object<ProviderSession>(
  {
    ...plain('issuer', 'expiresAt', 'clockOffset', 'account'),
    idToken: ['id_token', secret],
    refresh: ['refresh_token', secret, 'optional'],
    ...optional('clientId'),
  },
  'issuer',
  'client_id',
);

const signIn = object<PendingSignIn>(
  {
    ...plain('issuer', 'verificationUri', 'expiresAt', 'interval', 'clockOffset'),
    deviceCode: ['device_code', secret],
    userCode: ['user_code', secret],
    ...optional('nextPollAt', 'clientId'),
  },
  'device_code',
);

const pageSignIn = object<PageSignIn>(
  {
    ...plain('issuer', 'clientId', 'url', 'redirectUri', 'maxAge'),
    state: ['state', secret],
    nonce: ['nonce', secret],
    verifier: ['verifier', secret],
    expiresAt: ['expires_at_local'],
  },
  'state',
);

const client = object<KeptClient>(
  {
    ...plain('issuer', 'clientId'),
    secret: ['client_secret', secret],
    key: ['client_key', secret],
  },
  'issuer',
);

const kept = object<KeptAnswer>(
  {
    ...plain('id', 'issuer', 'resource', 'name', 'of', 'type', 'email', 'provider', 'subject'),
    ...plain('registrationId', 'status', 'truncated', 'members'),
    keptAt: ['kept_at_local'],
    body: ['body', secret],
  },
  'id',
);

const credentials = object<Credentials>({
  ...plain('lastService'),
  services: ['services', list(service)],
  providers: ['providers', list(session)],
  signIns: ['sign_ins', list(signIn)],
  pageSignIns: ['page_sign_ins', list(pageSignIn), 'optional'],
  clients: ['clients', list(client), 'optional'],
  notUnderstood: ['not_understood', list(kept)],
});

/** The file's members in the normal model. */
export function decodeCredentials(file: CredentialFile): Credentials {
  const { sign_ins = [], not_understood = [] } = file;
  const decoded = credentials.decode({ ...file, sign_ins, not_understood }) as Credentials;
  const services = decoded.services.map((record) => {
    const { issuer, resource } = record;
    const registrations = record.registrations.map((one) => ({ ...one, issuer, resource }));
    return { ...record, registrations };
  });
  return { ...decoded, services };
}

/** The model as the file holds it, over what the file held before: see {@link object}. */
export function encodeCredentials(
  { notUnderstood = [], ...next }: Credentials,
  before: CredentialFile | null,
): CredentialFile {
  const file = credentials.encode({ ...next, notUnderstood }, before ?? undefined);
  return { ...(file as CredentialFile), schema: CREDENTIALS_SCHEMA };
}
