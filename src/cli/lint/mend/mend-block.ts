import { IDENTITY_TYPES } from '../../../protocol/constants.ts';
import { type Draft, has, insertAfter, isDraft, type Note, textAt, wordsOf } from './draft.ts';

const TYPES = ['anonymous', 'identity_assertion', 'service_auth', 'verified_email'];

const isUrl = (text: string | undefined): boolean =>
  text !== undefined && /^https?:\/\/[^\s{}<>]+$/i.test(text) && URL.canParse(text);

/** Entries of the list of types as names, and each type that an entry describes in a member of its own. */
export function mendTypes(block: Draft, note: Note): void {
  const given = block['identity_types_supported'];
  const listed = typeof given === 'string' ? wordsOf(given) : given;
  if (!Array.isArray(listed)) return;
  const names = listed.flatMap((entry): readonly string[] => {
    if (typeof entry === 'string') return [entry];
    if (!isDraft(entry)) return [];
    const type = textAt(entry, 'type');
    if (type !== undefined) return [type];
    for (const [name, its] of Object.entries(entry)) {
      if (TYPES.includes(name) && isDraft(its) && !has(block, name)) block[name] = its;
    }
    return Object.keys(entry);
  });
  if (
    typeof given === 'string' ||
    names.length !== listed.length ||
    listed.some((entry) => typeof entry !== 'string')
  ) {
    note('identity_types_supported lists names');
  }
  const known = names.filter((name) =>
    [...IDENTITY_TYPES, 'verified_email'].some((each) => each === name),
  );
  const kept = known.length > 0 ? known : names;
  const gone = names.filter((name) => !kept.includes(name));
  if (gone.length > 0)
    note(`identity_types_supported is without ${gone.join(', ')}, which no agent knows`);
  block['identity_types_supported'] = [...new Set(kept)];
}

/** Members that name a URL and have none, in the block and below its types. */
export function mendUrls(block: Draft, note: Note): void {
  dropBadUrls('', block, note);
  for (const type of TYPES) {
    const its = block[type];
    if (isDraft(its)) dropBadUrls(`${type}.`, its, note);
  }
}

/** What is not there is not named: a member that has no URL which can be called is left out. */
export function dropBadUrls(prefix: string, object: Draft, note: Note): void {
  for (const name of Object.keys(object)) {
    if (!/(?:_endpoint|_ur[il])$|^skill$/.test(name)) continue;
    const value = object[name];
    // A path may be right: its author knows the host.
    if (typeof value === 'string' && (isUrl(value) || value.startsWith('/'))) continue;
    delete object[name];
    note(`${prefix}${name} is gone, since it was no URL that can be called`);
  }
}

/** What one type says of the claim, for all of them. */
export function mendClaim(block: Draft, note: Note): void {
  const claim = textAt(block, 'claim_endpoint');
  if (claim !== undefined && has(block, 'claim_uri') && block['claim_uri'] !== claim) {
    block['claim_uri'] = claim;
    note('claim_uri is the URL of claim_endpoint');
  }
  if (claim !== undefined || has(block, 'claim_uri')) return;
  const ofTypes = TYPES.flatMap((type) => {
    const its = block[type];
    return isDraft(its) ? (textAt(its, 'claim_endpoint') ?? textAt(its, 'claim_uri') ?? []) : [];
  });
  const [first] = [...new Set(ofTypes)];
  if (first === undefined || !isUrl(first)) return;
  const register =
    textAt(block, 'identity_endpoint') === undefined ? 'register_uri' : 'identity_endpoint';
  insertAfter(block, register, register === 'register_uri' ? 'claim_uri' : 'claim_endpoint', first);
  note('the URL of claims stands in agent_auth itself');
}

/**
 * The older names beside the newer ones, which scanners look for; and the newer ones, where the service is not of
 * the first versions.
 */
export function addAliases(block: Draft, isFirst: boolean, note: Note): void {
  const pairs = [
    ['identity_endpoint', 'register_uri'],
    ['claim_endpoint', 'claim_uri'],
  ] as const;
  for (const [newer, older] of pairs) {
    const [its, alias] = [textAt(block, newer), textAt(block, older)];
    if (its !== undefined && alias === undefined) {
      insertAfter(block, newer, older, its);
      note(`${older} is there too, for scanners`);
    } else if (its === undefined && alias !== undefined && !isFirst) {
      insertAfter(block, older, newer, alias);
      note(`${newer} is there too, as it is named since version 0.2`);
    }
  }
}

/** What a registration leads to in the end, by the name that scanners look for below each type. */
export function addCredentialTypes(block: Draft, note: Note): void {
  const types = block['identity_types_supported'];
  for (const type of IDENTITY_TYPES.filter(
    (each) => Array.isArray(types) && types.includes(each),
  )) {
    const its = block[type];
    if (its === undefined) block[type] = { credential_types_supported: ['access_token'] };
    else if (isDraft(its) && !has(its, 'credential_types_supported')) {
      its['credential_types_supported'] = ['access_token'];
    } else continue;
    note(`${type}.credential_types_supported is there, for scanners`);
  }
}
