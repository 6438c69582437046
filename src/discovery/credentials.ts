import { type Found, typesIn } from './found.ts';
import { listOf, memberOf, objectOf, textAt, textOf } from './read.ts';
import { credentialLists } from './refusals.ts';

/** The types of credential that a registration may give, as they are spelled. */
export function credentialTypes({ block = {} }: Found): readonly string[] {
  return [...new Set(credentialLists(block).flatMap(({ names }) => names))];
}

const HEADERS = ['credential_header', 'api_key_header', 'header_name', 'header'];

/** The header field that a service wants its credential in; `undefined` for `Authorization`. */
export function credentialHeader({ block = {} }: Found): string | undefined {
  const places = [
    block,
    ...typesIn(block).map(([, its]) => its),
    ...methodsIn(block).map((method) => objectOf(memberOf(method, 'issued_credential'))),
  ];
  return places
    .flatMap((place) => HEADERS.map((name) => credentialHeaderName(textAt(place, name))))
    .find((header) => header !== undefined);
}

function methodsIn(block: NonNullable<Found['block']>) {
  return listOf(memberOf(block, 'registration_methods')).map(objectOf);
}

const SCHEMAS = ['request_body_schema', 'request_schema', 'required_members'];

/** Members that the service says it wants in a registration, beside those of this protocol. */
export function wantedMembers({ block = {} }: Found): readonly string[] {
  const names = [block, ...methodsIn(block)].flatMap((place) =>
    SCHEMAS.flatMap((name) => {
      const schema = memberOf(place, name);
      const { properties, required } = objectOf(schema);
      const listed = [schema, required].find(Array.isArray);
      return listed === undefined
        ? Object.keys(objectOf(properties ?? schema))
        : listOf(listed).map(textOf);
    }),
  );
  const fit = names.filter((name) => name !== undefined && /^[A-Za-z_][\w.-]{0,63}$/.test(name));
  return [...new Set(fit as string[])]
    .filter((name) => !MEMBERS_OF_THE_PROTOCOL.has(name))
    .slice(0, 16);
}

/** Members that the agent writes itself: a user's word in their place would change what is asked for. */
export const MEMBERS_OF_THE_PROTOCOL: ReadonlySet<string> = new Set([
  'type',
  'grant_type',
  'assertion',
  'assertion_type',
  'claim_token',
  'email',
  'login_hint',
  'otp',
  'refresh_token',
  'requested_credential_type',
  'token',
  'token_type_hint',
  'user_code',
]);

/** A token of RFC 9110 §5.6.2, of a length that a name has. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/**
 * Headers that frame a message, choose its way, its cache or its form, or that a browser or a proxy fills in:
 * no service gets a credential sent there.
 */
const RESERVED =
  /^(?:age|allow|alt-svc|cache-control|connection|cookie2?|date|dnt|etag|expect|expires|forwarded|from|host|http2-settings|keep-alive|last-modified|link|location|max-forwards|origin|pragma|range|referer|retry-after|server|set-cookie2?|te|trailer|transfer-encoding|upgrade|user-agent|vary|via|warning|www-authenticate|accept|(?:accept|access-control|content|if|proxy|sec|x-forwarded|x-http-method|x-original|x-rewrite)-.*)$/i;

/**
 * A header that a service wants its credential in. `undefined`: it is no name of a header, one that may not
 * carry a credential, or `Authorization`, where every credential goes by itself (RFC 6750 §2.1).
 */
export function credentialHeaderName(given: unknown): string | undefined {
  if (typeof given !== 'string' || !TOKEN.test(given)) return undefined;
  return RESERVED.test(given) || given.toLowerCase() === 'authorization' ? undefined : given;
}
