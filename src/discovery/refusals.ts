import type { JsonObject } from '../protocol/index.ts';
import { type MemberPath, shownPath } from './document.ts';
import { type Found, typesIn } from './found.ts';
import type { DocumentName } from './model.ts';
import { TYPE_LISTS } from './names.ts';
import { firstMember, isNo, isYes, listOf, memberOf, namesOf, objectOf, shown } from './read.ts';

/** A member in which a document itself says that nobody registers there. */
export interface Refusal {
  readonly document: DocumentName;
  readonly path: MemberPath;
  /** The path as it is shown. */
  readonly member: string;
  readonly value: string;
  /** A clause: what it says. */
  readonly says: string;
}

const NO_REGISTRATION = ['x-no-registration', 'no_registration', 'registration_not_required'];
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
const STATES = ['status', 'registration_status', 'registration'];
const METHODS = ['method', 'registration_method', 'methods_supported'];

const NOTHING =
  /^(none|public|no[-_ ]?auth|not[-_ ]?(required|applicable|needed)|n\/a|unauthenticated|open)$/i;
const OFF =
  /^(disabled|unavailable|closed|planned|coming[-_ ]soon|not[-_ ](implemented|available|required|supported|needed)|none|placeholder|draft)$/i;
const BY_HAND = /^(manual|manual[-_].*|e?-?mail|contact|by[-_ ]?hand|human[-_]approval)$/i;

/** What a document says against its own registration, in a member made for it. */
export function refusals({ block, document, path: at, server }: Found): readonly Refusal[] {
  if (block === undefined) return [];
  const given = (name: string) => memberOf(block, name);
  const said = (names: readonly string[], says: (name: string) => string) =>
    names.map((name) => refusal(document, [...at, name], given(name), says(name)));
  const isAll = (name: string, pattern: RegExp) => areAll(namesOf(given(name)), pattern);
  const state = STATES.find((name) => {
    const text = given(name);
    return typeof text === 'string' && OFF.test(text);
  });
  const manual = METHODS.find((name) => isAll(name, BY_HAND));
  const types = firstMember(block, TYPE_LISTS);
  const credentials = credentialLists(block);
  const issuesNothing = areAll(
    credentials.flatMap(({ names }) => names),
    NOTHING,
  );
  const says = 'the credential type is none, so nothing is issued';
  const isSet = (name: string) => `${name} is set`;
  const [ofServer = ''] = NO_REGISTRATION;
  return [
    ...said(
      NO_REGISTRATION.filter((name) => isYes(given(name))),
      isSet,
    ),
    ...said(
      SWITCHES.filter((name) => isNo(given(name))),
      (name) => `${name} is false`,
    ),
    ...(isYes(memberOf(server, ofServer)) && server !== block
      ? [refusal('server', [ofServer], true, isSet(ofServer))]
      : []),
    ...said(state === undefined ? [] : [state], (name) => `${name} is ${shown(given(name), 40)}`),
    ...said(manual === undefined ? [] : [manual], () => 'registration is done by hand'),
    ...said(
      types !== undefined && isAll(types, NOTHING) ? [types] : [],
      (name) => `the identity types are ${shown(given(name), 40)} alone`,
    ),
    ...credentials
      .slice(0, issuesNothing ? 1 : 0)
      .map(({ path }) => refusal(document, [...at, ...path], 'none', says)),
  ];
}

function refusal(document: DocumentName, path: MemberPath, value: unknown, says: string): Refusal {
  return { document, path, member: shownPath(path), value: shown(value), says };
}

/** Every list of credential types: of the block, and of each type in it. */
export function credentialLists(
  block: JsonObject,
): readonly { readonly path: MemberPath; readonly names: readonly string[] }[] {
  const objects: (readonly [MemberPath, unknown])[] = [
    [[], block],
    ...typesIn(block).map(([type, its]) => [[type], its] as const),
    ...listOf(memberOf(block, 'identity_types_supported')).flatMap((entry, index) =>
      Object.entries(objectOf(entry))
        .slice(0, 8)
        .map(([type, its]) => [['identity_types_supported', index, shown(type, 40)], its] as const),
    ),
  ];
  return objects.flatMap(([path, object]) =>
    ['credential_types_supported', 'credential_types'].flatMap((name) => {
      const names = namesOf(memberOf(objectOf(object), name), 60);
      return names.length === 0 ? [] : [{ path: [...path, name], names }];
    }),
  );
}

function areAll(names: readonly string[], pattern: RegExp): boolean {
  return names.length > 0 && names.every((name) => pattern.test(name));
}

const PROSE = ['note', 'notes', 'x-note', 'description', 'comment', '_comment'];
const SAYS_NO =
  /\b(no|not|without|never|isn't|does not|doesn't)\b[^.;]{0,40}\b(regist(ration|er)|sign-?up|account creation)\b|\bplaceholder\b|\bnot (yet )?(implemented|available)\b/i;

/** Prose that says so: believed only where nothing else speaks for a registration. */
export function proseRefusal({ block = {}, document, path }: Found): Refusal | undefined {
  return PROSE.map((name) => [name, memberOf(block, name)] as const)
    .filter(([, text]) => typeof text === 'string' && SAYS_NO.test(text.slice(0, 1000)))
    .map(([name, text]) => {
      const says = `its ${name} says so: “${shown(text, 80)}”`;
      return refusal(document, [...path, name], text, says);
    })[0];
}
