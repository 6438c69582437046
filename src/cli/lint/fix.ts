import { type Recognition, recognise } from '../../discovery/index.ts';
import { type Draft, insertAfter, isDraft, isSame } from '../../discovery/rules/fixes.ts';
import { RULES } from '../../discovery/rules/rule-table.ts';
import { IDENTITY_TYPES } from '../../protocol/constants.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import type { LintDocument } from './finding.ts';

/** A document as it could be. */
export interface Fixed {
  /** The name of the document. */
  readonly document: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** Clauses: what was changed, and why. Empty: nothing. */
  readonly changes: readonly string[];
}

/** What one fix leaves, the next may fix; more rounds than this no document needs. */
const MOST_ROUNDS = 8;

/**
 * Fixes JSON documents as far as that needs no knowledge but what stands in them: no URL is made up, and none is
 * guessed to be meant.
 */
export function fixDocuments(
  documents: readonly LintDocument[],
  isHonest: boolean,
): readonly Fixed[] {
  const issuers = documents.flatMap(({ json }) => {
    const issuer = json?.['issuer'];
    return typeof issuer === 'string' ? [issuer] : [];
  });
  return documents.flatMap(({ json, kind, name: document }) => {
    if (json === undefined || kind === 'skill') return [];
    const root = structuredClone(json) as Draft;
    const isBlock = kind === 'block';
    const read = () =>
      recognise(
        kind === 'resource' || kind === 'client' ? { [kind]: root } : { server: root, isBlock },
      );
    const changes = [...fixServers(root, issuers)];
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const more = read().defects.flatMap((defect) => fixOne(root, isBlock, defect) ?? []);
      changes.push(...more);
      if (more.length === 0) break;
    }
    const block = blockOf(root, isBlock);
    const isHidden = block === undefined || isHonest;
    if (!isHidden) changes.push(...finish(isBlock ? block : root, block, read));
    return [{ document, json: root, changes }];
  });
}

function blockOf(root: Draft, isBlock: boolean): Draft | undefined {
  const block = root['agent_auth'];
  if (isDraft(block)) return block;
  return isBlock && block === undefined ? root : undefined;
}

function fixOne(
  root: Draft,
  isBlock: boolean,
  { rule, path, member }: Recognition['defects'][number],
): string | undefined {
  // What is wrong with an entry of a list is fixed in the member that has the list.
  const last = path.findLastIndex((part) => typeof part === 'string');
  const name = String(path[last]);
  const object = path
    .slice(0, last)
    .reduce<unknown>(
      (at, each) => (typeof at === 'object' && at !== null ? (at as Draft)[each] : undefined),
      root,
    );
  if (!isDraft(object)) return undefined;
  const block = blockOf(root, isBlock);
  // A block alone has nothing around it.
  const around = (isBlock && block) || root;
  return RULES[rule].fix?.({ root: around, block, object, name, member });
}

/** Names the authorization servers as they call themselves, where the documents tell. */
function fixServers(root: Draft, issuers: readonly string[]): readonly string[] {
  const [only, ...others] = issuers;
  const listed = root['authorization_servers'];
  if (listed === undefined) {
    const isKnown = only !== undefined && others.length === 0;
    if (!isKnown || typeof root['resource'] !== 'string') return [];
    root['authorization_servers'] = [only];
    return ['authorization_servers names the issuer'];
  }
  if (!Array.isArray(listed)) return [];
  root['authorization_servers'] = listed.map((server: unknown) => {
    if (typeof server !== 'string' || issuers.includes(server)) return server;
    const isAlike = (each: string) => withoutFinalSlash(each) === withoutFinalSlash(server);
    return issuers.find(isAlike) ?? server;
  });
  if (isSame(root['authorization_servers'], listed)) return [];
  return ['authorization_servers spells the issuer as the issuer does'];
}

/** What no rule asks for: members that scanners look for, and the word that nobody registers where that is so. */
function finish(root: Draft, block: Draft, read: () => Recognition): readonly string[] {
  const { verdict, families } = read();
  if (verdict === 'usable') {
    const isFirst = families[0] === 'first';
    const aliases = addAliases(block, isFirst);
    // Where it would make the document look like one of another family, the scanner has to wait.
    const before = structuredClone(block);
    const types = typeof root['token_endpoint'] === 'string' ? addCredentialTypes(block) : [];
    if (read().families[0] === families[0]) return [...aliases, ...types];
    for (const type of IDENTITY_TYPES) {
      if (before[type] === undefined) delete block[type];
      else block[type] = before[type];
    }
    return aliases;
  }
  // Agents could register, if the URLs were of https: the author knows whether they are.
  const secure: unknown = JSON.parse(JSON.stringify(root).replaceAll('"http://', '"https://'));
  if (verdict !== 'published_only' && verdict !== 'client_registration') return [];
  if (recognise({ server: secure }).verdict === 'usable' || block['x-no-registration'] === true) {
    return [];
  }
  const changes: string[] = [];
  const url = block['identity_endpoint'] ?? block['register_uri'];
  if (verdict === 'client_registration' && root !== block && !('registration_endpoint' in root)) {
    root['registration_endpoint'] = url;
    changes.push('the URL of OAuth client registration stands beside agent_auth');
  }
  // Which URL would register agents, only its author knows: as it is, the honest document says that none does.
  block['x-no-registration'] = true;
  const instead = 'where one does, name it in identity_endpoint instead';
  return [...changes, `x-no-registration is set, since no URL here registers agents; ${instead}`];
}

/** The older names beside the newer ones; and the newer ones, where the service is not of the first versions. */
function addAliases(block: Draft, isFirst: boolean): readonly string[] {
  const pairs = [
    ['identity_endpoint', 'register_uri'],
    ['claim_endpoint', 'claim_uri'],
  ] as const;
  return pairs.flatMap(([newer, older]) => {
    const has = (name: string) => typeof block[name] === 'string';
    if (has(newer) && !has(older)) {
      insertAfter(block, newer, older, block[newer]);
      return `${older} is there too, for scanners`;
    }
    if (isFirst || has(newer) || !has(older)) return [];
    insertAfter(block, older, newer, block[older]);
    return `${newer} is there too, as it is named since version 0.2`;
  });
}

/** What a registration leads to in the end, by the name that scanners look for below each type. */
function addCredentialTypes(block: Draft): readonly string[] {
  const types = block['identity_types_supported'];
  return IDENTITY_TYPES.filter((type) => Array.isArray(types) && types.includes(type)).flatMap(
    (type) => {
      const its = block[type] ?? {};
      if (!isDraft(its) || Object.hasOwn(its, 'credential_types_supported')) return [];
      block[type] = { ...its, credential_types_supported: ['access_token'] };
      return `${type}.credential_types_supported is there, for scanners`;
    },
  );
}
