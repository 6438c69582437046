import {
  CLAIM_FORMS,
  CREDENTIALS_SCHEMA,
  type CredentialFile,
  credentialFile,
} from '../../protocol/index.ts';
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

/** What the file's schema says of an object: its members, in order. */
type Shape = Readonly<Record<string, { readonly type: string }>>;

/** What stands in the file under another name, or in another form. */
type Special = readonly [member: string, codec?: Codec];

/** The property of a member that stands in the file as it is: `expiresAt` of `expires_at`. */
type PropertyOf<Member> = Member extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<PropertyOf<Tail>>}`
  : Member;

const same: Codec = { decode: (entry) => entry, encode: (value) => value };
const secret: Codec = {
  decode: (entry) => new Secret(String(entry)),
  encode: (value) => (value as Secret).reveal(),
};

/**
 * An object, by the members of its schema: each stands as it is, but for the properties that are special.
 * @param identity members that tell it from others. Members that this version does not know describe one registration,
 *   token or code: they are kept while it is the same one, and go with it.
 */
function object<T, S extends Shape>(
  shape: S,
  special: Readonly<Record<Exclude<keyof T, PropertyOf<keyof S>>, Special>> &
    Readonly<Partial<Record<keyof T, Special>>>,
  ...identity: readonly (keyof S & string)[]
): Codec {
  const all = fieldsOf(shape, special);
  return {
    decode: (entry) =>
      Object.fromEntries(
        all.flatMap(({ property, member, codec, optional }) => {
          const value = (entry as Entry)[member] ?? null;
          if (value === null) return optional ? [] : [[property, null]];
          const decoded = codec.decode(value);
          return decoded === undefined ? [] : [[property, decoded]];
        }),
      ),
    encode: (value, given) => {
      const encoded = (before: Entry) =>
        Object.fromEntries(
          all.flatMap(({ property, member, codec, optional }) => {
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
      const unknown = Object.entries(before).filter(([name]) => !Object.hasOwn(shape, name));
      return { ...Object.fromEntries(unknown), ...encoded(before) };
    },
  };
}

function fieldsOf(shape: Shape, special: object) {
  const named = new Map(
    Object.entries<Special>({ ...special }).map(([property, [member, codec = same]]) => [
      member,
      { property, codec },
    ]),
  );
  return Object.entries(shape).map(([member, { type }]) => ({
    property: member.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    member,
    codec: same,
    /** The property may be left out, too. */
    optional: type === 'optional',
    ...named.get(member),
  }));
}

/** A list of objects: each finds what stood for it by its identity. */
function list(codec: Codec): Codec {
  return {
    decode: (entry) => (entry as readonly unknown[]).map((one) => codec.decode(one)),
    encode: (value, before) =>
      (value as readonly unknown[]).map((one) => codec.encode(one, before)),
  };
}

const { schema: _, ...FILE } = credentialFile.shape;
const SERVICE = FILE.services.def.element.shape;
const REGISTRATION = SERVICE.registrations.def.element.shape;
const ASSERTION = REGISTRATION.identity_assertion.def.innerType.shape;
const TOKEN = REGISTRATION.access_token.def.innerType.shape;
const CLAIM = REGISTRATION.claim.def.innerType.shape;
const [{ shape: READ_BACK }, { shape: TYPE_THERE }] = CLAIM.attempt.def.innerType.def.options;
const CROSS_APP = REGISTRATION.cross_app.def.innerType.shape;
const SESSION = FILE.providers.def.element.shape;
const SIGN_IN = FILE.sign_ins.def.innerType.def.element.shape;
const PAGE_SIGN_IN = FILE.page_sign_ins.def.innerType.def.element.shape;
const CLIENT = FILE.clients.def.innerType.def.element.shape;
const KEPT = FILE.not_understood.def.innerType.def.element.shape;

const assertion = object<IdentityAssertion, typeof ASSERTION>(
  ASSERTION,
  { value: ['value', secret] },
  'value',
);

const token = object<AccessToken, typeof TOKEN>(TOKEN, { value: ['value', secret] }, 'value');

const readBack = object<ReadBackAttempt, typeof READ_BACK>(READ_BACK, {}, 'kind', 'expires_at');
const typeThere = object<TypeThereAttempt, typeof TYPE_THERE>(
  TYPE_THERE,
  { userCode: ['user_code', secret] },
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

const claim = object<OpenClaim, typeof CLAIM>(
  CLAIM,
  {
    token: ['claim_token', secret],
    url: ['claim_url'],
    attempt: ['attempt', attempt],
    form: ['form', form],
  },
  'claim_token',
);

const crossApp = object<CrossAppAccess, typeof CROSS_APP>(CROSS_APP, {});

const registration = object<Omit<Registration, 'issuer' | 'resource'>, typeof REGISTRATION>(
  REGISTRATION,
  {
    id: ['registration_id'],
    createdAt: ['created_at_local'],
    assertion: ['identity_assertion', assertion],
    token: ['access_token', token],
    refresh: ['refresh_token', assertion],
    claim: ['claim', claim],
    crossApp: ['cross_app', crossApp],
  },
  'registration_id',
);

const service = object<ServiceRecord, typeof SERVICE>(
  SERVICE,
  { registrations: ['registrations', list(registration)] },
  'issuer',
  'resource',
);

const session = object<ProviderSession, typeof SESSION>(
  SESSION,
  { idToken: ['id_token', secret], refresh: ['refresh_token', secret] },
  'issuer',
  'client_id',
);

const signIn = object<PendingSignIn, typeof SIGN_IN>(
  SIGN_IN,
  { deviceCode: ['device_code', secret], userCode: ['user_code', secret] },
  'device_code',
);

const pageSignIn = object<PageSignIn, typeof PAGE_SIGN_IN>(
  PAGE_SIGN_IN,
  {
    state: ['state', secret],
    nonce: ['nonce', secret],
    verifier: ['verifier', secret],
    expiresAt: ['expires_at_local'],
  },
  'state',
);

const client = object<KeptClient, typeof CLIENT>(
  CLIENT,
  { secret: ['client_secret', secret], key: ['client_key', secret] },
  'issuer',
);

const kept = object<KeptAnswer, typeof KEPT>(
  KEPT,
  { keptAt: ['kept_at_local'], body: ['body', secret] },
  'id',
);

const credentials = object<Credentials, typeof FILE>(FILE, {
  services: ['services', list(service)],
  providers: ['providers', list(session)],
  signIns: ['sign_ins', list(signIn)],
  pageSignIns: ['page_sign_ins', list(pageSignIn)],
  clients: ['clients', list(client)],
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
