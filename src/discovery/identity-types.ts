import { ID_JAG_TOKEN_TYPE, IDENTITY_TYPES, type IdentityType } from '../protocol/index.ts';
import { type Found, typesIn } from './found.ts';
import type { EmailForm } from './model.ts';
import { TYPE_LISTS } from './names.ts';
import { firstMember, listOf, memberOf, namesOf, objectOf, shown } from './read.ts';

/** The identity types of a block in the protocol's own names. */
export interface IdentityTypes {
  readonly known: readonly IdentityType[];
  /** The types as they are spelled. */
  readonly stated: readonly string[];
  readonly unknown: readonly string[];
  readonly assertionTypes: readonly string[];
  readonly emailForm: EmailForm | undefined;
  /** The member that lists them; `undefined` where none does. */
  readonly member: string | undefined;
  /** Entries of the list are objects. */
  readonly asObjects: boolean;
  /** The member is there, and is no list. */
  readonly isNoList: boolean;
}

/** Every word for a type; one vendor has one for what a user claims, with a list of what it may begin with. */
const WORDS: readonly string[] = [...IDENTITY_TYPES, 'verified_email', 'user_claimed'];

export function readIdentityTypes({ block = {} }: Found): IdentityTypes {
  const member = firstMember(block, TYPE_LISTS);
  const listed = member === undefined ? undefined : memberOf(block, member);
  const objects = listOf(listed)
    .map(objectOf)
    .filter((entry) => Object.keys(entry).length > 0);
  const fromObjects = objects.flatMap((entry) => {
    const type = memberOf(entry, 'type');
    if (type !== undefined) return namesOf(type);
    return Object.keys(entry)
      .slice(0, 8)
      .map((name) => shown(name, 60));
  });
  // Without a list, the blocks of the types are what there is.
  const described = typesIn(block).filter(([, its]) => Object.keys(its).length > 0);
  const stated =
    member === undefined
      ? described.map(([type]) => type)
      : [...namesOf(listed, 60), ...fromObjects];
  const assertionTypes = [
    memberOf(block, 'identity_assertion'),
    ...objects.flatMap((entry) => [entry, memberOf(entry, 'identity_assertion')]),
  ].flatMap((its) => namesOf(memberOf(objectOf(its), 'assertion_types_supported')));
  // Where assertion types are listed, one is an ID-JAG; where none are, nothing speaks against it.
  const takesIdJags =
    assertionTypes.length === 0 ||
    assertionTypes.some((type) => type === ID_JAG_TOKEN_TYPE || /id-?jag/i.test(type));
  const claimed = namesOf(memberOf(block, 'user_claimed_supported'));
  const emailForm = emailFormOf(stated, assertionTypes, claimed);
  const has: Readonly<Record<IdentityType, boolean>> = {
    anonymous: stated.includes('anonymous') || claimed.includes('anonymous'),
    identity_assertion: stated.includes('identity_assertion') && takesIdJags,
    service_auth: emailForm !== undefined,
  };
  return {
    known: IDENTITY_TYPES.filter((type) => has[type]),
    stated,
    unknown: stated.filter((name) => !WORDS.includes(name)),
    assertionTypes,
    emailForm,
    member,
    asObjects: fromObjects.length > 0,
    isNoList: member !== undefined && !Array.isArray(listed),
  };
}

function emailFormOf(
  stated: readonly string[],
  assertionTypes: readonly string[],
  claimed: readonly string[],
): EmailForm | undefined {
  if (stated.includes('service_auth')) return 'service_auth';
  const isAssertion = assertionTypes.some((type) =>
    /^(verified_email|urn:.*:verified[-_]email)$/i.test(type),
  );
  if (isAssertion && stated.includes('identity_assertion')) return 'verified_email_assertion';
  if (stated.includes('verified_email')) return 'verified_email_type';
  return claimed.includes('email_required') ? 'service_auth' : undefined;
}
