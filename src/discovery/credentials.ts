import type { Found } from './find-block.ts';
import { credentialHeaderName } from './header-name.ts';
import { listOf, memberOf, objectOf, textOf } from './read.ts';
import { credentialLists } from './refusals.ts';

/** The types of credential that a registration may give, as they are spelled. */
export function credentialTypes({ block }: Found): readonly string[] {
  if (block === undefined) return [];
  return [...new Set(credentialLists(block).flatMap(({ names }) => names))];
}

const HEADERS = ['credential_header', 'api_key_header', 'header_name', 'header'];

/** The header field that a service wants its credential in; `undefined` for `Authorization`. */
export function credentialHeader({ block }: Found): string | undefined {
  if (block === undefined) return undefined;
  const places = [
    block,
    ...['anonymous', 'identity_assertion', 'service_auth', 'verified_email'].map((type) =>
      objectOf(memberOf(block, type)),
    ),
    ...listOf(memberOf(block, 'registration_methods')).map((method) =>
      objectOf(memberOf(objectOf(method), 'issued_credential')),
    ),
  ];
  for (const place of places) {
    for (const name of HEADERS) {
      const header = credentialHeaderName(textOf(memberOf(place, name)));
      if (header !== undefined) return header;
    }
  }
  return undefined;
}

const SCHEMAS = ['request_body_schema', 'request_schema', 'required_members'];

/** Members that a service says it wants in a registration, beside those of this protocol. */
export function wantedMembers({ block }: Found): readonly string[] {
  if (block === undefined) return [];
  const methods = listOf(memberOf(block, 'registration_methods')).map(objectOf);
  const names = [block, ...methods].flatMap((place) =>
    SCHEMAS.flatMap((name) => {
      const schema = memberOf(place, name);
      if (Array.isArray(schema)) return listOf(schema).map(textOf);
      const { properties, required } = objectOf(schema);
      if (Array.isArray(required)) return listOf(required).map(textOf);
      return Object.keys(objectOf(properties ?? schema));
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
