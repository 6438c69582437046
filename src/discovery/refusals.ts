import { type Found, inBlock } from './find-block.ts';
import type { DocumentName } from './model.ts';
import { isNo, isYes, listOf, memberOf, namesOf, objectOf, shown } from './read.ts';

/** A member in which a document itself says that nobody registers there. */
export interface Refusal {
  readonly document: DocumentName;
  readonly member: string;
  readonly value: string;
  /** A clause: what it says. */
  readonly says: string;
}

const NOTHING =
  /^(none|public|no[-_ ]?auth|not[-_ ]?(required|applicable|needed)|n\/a|unauthenticated|open)$/i;
/** Members that switch a registration off by `false`. */
const SWITCHES = [
  'registration_required',
  'requires_registration',
  'registration_supported',
  'registration_enabled',
  'enabled',
  'supported',
  'available',
];

const OFF =
  /^(disabled|unavailable|closed|planned|coming[-_ ]soon|not[-_ ](implemented|available|required|supported|needed)|none|placeholder|draft)$/i;
const BY_HAND = /^(manual|manual[-_].*|e?-?mail|contact|by[-_ ]?hand|human[-_]approval)$/i;

/** What a document says against its own registration, in a member made for it. */
export function refusals(found: Found): readonly Refusal[] {
  const { block, document, server } = found;
  if (block === undefined) return [];
  const at = (member: string, says: string, object = block): Refusal => ({
    document,
    member: inBlock(found, member),
    value: shown(memberOf(object, member)),
    says,
  });
  const list: Refusal[] = [];
  for (const name of ['x-no-registration', 'no_registration', 'registration_not_required']) {
    if (isYes(memberOf(block, name))) list.push(at(name, `${name} is set`));
  }
  for (const name of SWITCHES) {
    if (isNo(memberOf(block, name))) list.push(at(name, `${name} is false`));
  }
  if (isYes(memberOf(server, 'x-no-registration')) && server !== block) {
    list.push({
      document: 'server',
      member: 'x-no-registration',
      value: 'true',
      says: 'x-no-registration is set',
    });
  }
  const state = ['status', 'registration_status', 'registration'].find((name) => {
    const given = memberOf(block, name);
    return typeof given === 'string' && OFF.test(given);
  });
  if (state !== undefined) list.push(at(state, `${state} is ${shown(memberOf(block, state), 40)}`));
  const manual = ['method', 'registration_method', 'methods_supported'].find((name) =>
    isAll(namesOf(memberOf(block, name)), BY_HAND),
  );
  if (manual !== undefined) list.push(at(manual, 'registration is done by hand'));
  const types = typesMember(block);
  if (types !== undefined && isAll(namesOf(memberOf(block, types)), NOTHING)) {
    list.push(at(types, `the identity types are ${shown(memberOf(block, types), 40)} alone`));
  }
  const credentials = credentialLists(block);
  if (
    isAll(
      credentials.flatMap(({ names }) => names),
      NOTHING,
    )
  ) {
    const first = credentials[0]?.member ?? '';
    list.push({
      document,
      member: inBlock(found, first),
      value: 'none',
      says: 'the credential type is none, so nothing is issued',
    });
  }
  return list;
}

function typesMember(block: Readonly<Record<string, unknown>>): string | undefined {
  return ['identity_types_supported', 'supported_identity_types', 'identity_types'].find(
    (name) => memberOf(block, name) !== undefined,
  );
}

/** Every list of credential types: of the block, and of each type in it. */
export function credentialLists(
  block: Readonly<Record<string, unknown>>,
): readonly { readonly member: string; readonly names: readonly string[] }[] {
  const objects: (readonly [prefix: string, object: Readonly<Record<string, unknown>>])[] = [
    ['', block],
    ...['anonymous', 'identity_assertion', 'service_auth', 'verified_email'].map(
      (type) => [`${type}.`, objectOf(memberOf(block, type))] as const,
    ),
    ...listOf(memberOf(block, 'identity_types_supported')).flatMap((entry, index) =>
      Object.entries(objectOf(entry))
        .slice(0, 8)
        .map(
          ([type, its]) =>
            [`identity_types_supported[${index}].${shown(type, 40)}.`, objectOf(its)] as const,
        ),
    ),
  ];
  return objects.flatMap(([prefix, object]) =>
    ['credential_types_supported', 'credential_types'].flatMap((name) => {
      const names = namesOf(memberOf(object, name), 60);
      return names.length === 0 ? [] : [{ member: prefix + name, names }];
    }),
  );
}

function isAll(names: readonly string[], pattern: RegExp): boolean {
  return names.length > 0 && names.every((name) => pattern.test(name));
}

const PROSE = ['note', 'notes', 'x-note', 'description', 'comment', '_comment'];
const SAYS_NO =
  /\b(no|not|without|never|isn't|does not|doesn't)\b[^.;]{0,40}\b(regist(ration|er)|sign-?up|account creation)\b|\bplaceholder\b|\bnot (yet )?(implemented|available)\b/i;

/** Prose that says so: believed only where nothing else speaks for a registration. */
export function proseRefusal(found: Found): Refusal | undefined {
  const { block, document } = found;
  if (block === undefined) return undefined;
  for (const name of PROSE) {
    const text = memberOf(block, name);
    if (typeof text === 'string' && SAYS_NO.test(text.slice(0, 1000))) {
      return {
        document,
        member: inBlock(found, name),
        value: shown(text),
        says: `its ${name} says so: “${shown(text, 80)}”`,
      };
    }
  }
  return undefined;
}
