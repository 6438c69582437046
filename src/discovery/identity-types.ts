import { ID_JAG_TOKEN_TYPE, type IdentityType } from '../protocol/index.ts';
import type { Found } from './find-block.ts';
import type { EmailForm } from './model.ts';
import { listOf, memberOf, namesOf, objectOf, shown } from './read.ts';

/** The identity types of a block in the protocol's own names. */
export interface IdentityTypes {
  readonly known: readonly IdentityType[];
  /** As they are spelled. */
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

const LISTS = ['identity_types_supported', 'supported_identity_types', 'identity_types'];
/** Blocks of the single types, which say that a type is there where no list does. */
const BLOCKS = ['anonymous', 'identity_assertion', 'service_auth', 'verified_email'];

const EMAIL_ASSERTION = /^(verified_email|urn:.*:verified[-_]email)$/i;

export function readIdentityTypes({ block }: Found): IdentityTypes {
  if (block === undefined) return NONE;
  const member = LISTS.find((name) => memberOf(block, name) !== undefined);
  const listed = member === undefined ? undefined : memberOf(block, member);
  const entries = listOf(listed);
  const objects = entries.map(objectOf).filter((entry) => Object.keys(entry).length > 0);
  const fromObjects = objects.flatMap((entry) => [
    ...namesOf(memberOf(entry, 'type')),
    ...(memberOf(entry, 'type') === undefined
      ? Object.keys(entry)
          .slice(0, 8)
          .map((name) => shown(name, 60))
      : []),
  ]);
  const stated = [
    ...namesOf(listed, 60),
    ...fromObjects,
    // Without a list, the blocks of the types are what there is.
    ...(member === undefined ? BLOCKS.filter((type) => isBlock(block, type)) : []),
  ];
  const assertionTypes = [
    ...namesOf(memberOf(objectOf(memberOf(block, 'identity_assertion')), ASSERTIONS)),
    ...objects.flatMap((entry) => [
      ...namesOf(memberOf(entry, ASSERTIONS)),
      ...namesOf(memberOf(objectOf(memberOf(entry, 'identity_assertion')), ASSERTIONS)),
    ]),
  ];
  const emailForm = emailFormOf(block, stated, assertionTypes);
  const known = KNOWN.filter((type) =>
    type === 'service_auth'
      ? emailForm !== undefined
      : type === 'identity_assertion'
        ? stated.includes(type) && takesIdJags(assertionTypes)
        : stated.includes(type) || claims(block, 'anonymous'),
  );
  const spelled: readonly string[] = ['verified_email', ...CLAIMED, ...KNOWN];
  return {
    known,
    stated,
    unknown: stated.filter((name) => !spelled.includes(name)),
    assertionTypes,
    emailForm,
    member,
    asObjects: fromObjects.length > 0,
    isNoList: member !== undefined && !Array.isArray(listed),
  };
}

const ASSERTIONS = 'assertion_types_supported';
const KNOWN: readonly IdentityType[] = ['anonymous', 'identity_assertion', 'service_auth'];
const NONE: IdentityTypes = {
  known: [],
  stated: [],
  unknown: [],
  assertionTypes: [],
  emailForm: undefined,
  member: undefined,
  asObjects: false,
  isNoList: false,
};

/** One vendor's word for what a user claims, with a list of its own of what it may begin with. */
const CLAIMED = ['user_claimed'];

function claims(block: Readonly<Record<string, unknown>>, what: string): boolean {
  return namesOf(memberOf(block, 'user_claimed_supported')).includes(what);
}

function isBlock(block: Readonly<Record<string, unknown>>, type: string): boolean {
  return Object.keys(objectOf(memberOf(block, type))).length > 0;
}

/** Where assertion types are listed, one of them is an ID-JAG; where none are, nothing speaks against it. */
function takesIdJags(assertionTypes: readonly string[]): boolean {
  return (
    assertionTypes.length === 0 ||
    assertionTypes.some((type) => type === ID_JAG_TOKEN_TYPE || /id-?jag/i.test(type))
  );
}

function emailFormOf(
  block: Readonly<Record<string, unknown>>,
  stated: readonly string[],
  assertionTypes: readonly string[],
): EmailForm | undefined {
  if (stated.includes('service_auth')) return 'service_auth';
  const isAssertion = assertionTypes.some((type) => EMAIL_ASSERTION.test(type));
  if (isAssertion && stated.includes('identity_assertion')) return 'verified_email_assertion';
  if (stated.includes('verified_email')) return 'verified_email_type';
  return claims(block, 'email_required') ? 'service_auth' : undefined;
}
