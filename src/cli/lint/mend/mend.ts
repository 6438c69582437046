import { recognise } from '../../../discovery/index.ts';
import type { LintDocument } from '../finding.ts';
import { copyOf, type Draft, has, isDraft, type Note, textAt, wordsOf } from './draft.ts';
import {
  addAliases,
  addCredentialTypes,
  dropBadUrls,
  mendClaim,
  mendTypes,
  mendUrls,
} from './mend-block.ts';
import { mendNames } from './mend-names.ts';
import { mendServers } from './mend-servers.ts';

/** A document as it could be. */
export interface Mended {
  /** The name of the document. */
  readonly document: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** Clauses: what was changed, and why. Empty: nothing. */
  readonly changes: readonly string[];
}

/**
 * Each JSON document, mended as far as that needs no knowledge but what stands in the documents: no URL is made
 * up, and none is guessed to be meant.
 */
export function mend(documents: readonly LintDocument[], isHonest: boolean): readonly Mended[] {
  const issuers = documents.flatMap(({ json }) => {
    const issuer = json?.['issuer'];
    return typeof issuer === 'string' ? [issuer] : [];
  });
  return documents.flatMap((document) => {
    const { json, kind, name } = document;
    if (json === undefined || kind === 'skill') return [];
    const changes: string[] = [];
    const note: Note = (change) => changes.push(change);
    const draft = copyOf(json);
    if (kind === 'server') mendServer(draft, note);
    mendServers(draft, issuers, note);
    const block = blockOf(draft, kind === 'block', note);
    // A block alone has nothing beside it.
    const around = kind === 'block' ? undefined : draft;
    if (block !== undefined && !isHonest) mendBlock(draft, block, around, note);
    return [{ document: name, json: draft, changes }];
  });
}

function mendServer(draft: Draft, note: Note): void {
  dropBadUrls('', draft, note);
  for (const name of Object.keys(draft)) {
    const value = draft[name];
    if (!name.endsWith('_supported') || typeof value !== 'string') continue;
    draft[name] = wordsOf(value);
    note(`${name} is a list`);
  }
  if (Array.isArray(draft['response_types_supported'])) return;
  draft['response_types_supported'] = [];
  note('response_types_supported is there, if only as an empty list');
}

const OF_A_BLOCK = [
  'skill',
  'identity_endpoint',
  'register_uri',
  'claim_endpoint',
  'claim_uri',
  'events_endpoint',
  'identity_types_supported',
  'supported_identity_types',
  'events_supported',
  'anonymous',
  'identity_assertion',
  'service_auth',
];

/** The block; its members are put into one where they stand at the top level. */
function blockOf(draft: Draft, isBlock: boolean, note: Note): Draft | undefined {
  const block = draft['agent_auth'];
  if (isDraft(block)) return block;
  if (block !== undefined) return undefined;
  if (isBlock) return draft;
  const isThere = ['identity_endpoint', 'register_uri'].some((name) => textAt(draft, name));
  if (!isThere) return undefined;
  const made: Draft = {};
  for (const name of OF_A_BLOCK.filter((each) => has(draft, each))) {
    made[name] = draft[name];
    delete draft[name];
  }
  draft['agent_auth'] = made;
  note('the members of agent_auth stand in it');
  return made;
}

/** @param around the document that the block stands in. */
function mendBlock(draft: Draft, block: Draft, around: Draft | undefined, note: Note): void {
  mendNames(around, block, note);
  mendTypes(block, note);
  mendUrls(block, note);
  mendClaim(block, note);
  mendRevocation(draft, block, note);
  const { verdict, families } = recognise({ server: draft });
  if (verdict === 'usable') {
    addAliases(block, families[0] === 'first', note);
    // Where it would make the document look like one of another family, the scanner has to wait.
    const trial = copyOf(draft);
    const trialBlock = isDraft(trial['agent_auth']) ? trial['agent_auth'] : trial;
    addCredentialTypes(trialBlock, () => {});
    const isSafe = recognise({ server: trial }).families[0] === families[0];
    if (isSafe && textAt(draft, 'token_endpoint') !== undefined) addCredentialTypes(block, note);
  } else if (
    (verdict === 'published_only' && !isInsecureAlone(draft)) ||
    verdict === 'client_registration'
  ) {
    sayThatThereIsNone(verdict === 'client_registration' ? around : undefined, block, note);
  }
}

/** Agents could register, if the URLs were of https: the author knows whether they are. */
function isInsecureAlone(draft: Draft): boolean {
  const secure: unknown = JSON.parse(JSON.stringify(draft).replaceAll('"http://', '"https://'));
  return recognise({ server: secure }).verdict === 'usable';
}

/** `revocation_uri` meant something else: where tokens are revoked stands beside the block. */
function mendRevocation(draft: Draft, block: Draft, note: Note): void {
  const older = textAt(block, 'revocation_uri');
  if (older === undefined || older !== textAt(draft, 'revocation_endpoint') || draft === block)
    return;
  delete block['revocation_uri'];
  note('revocation_uri is gone: revocation_endpoint says it');
}

/**
 * Which URL would register agents, only its author knows: as it is, the honest document says that none does.
 * @param around the document to which the URL of OAuth client registration belongs.
 */
function sayThatThereIsNone(around: Draft | undefined, block: Draft, note: Note): void {
  if (around !== undefined && !has(around, 'registration_endpoint')) {
    const url = textAt(block, 'identity_endpoint') ?? textAt(block, 'register_uri');
    if (url !== undefined) {
      around['registration_endpoint'] = url;
      note('the URL of OAuth client registration stands beside agent_auth');
    }
  }
  block['x-no-registration'] = true;
  note(
    'x-no-registration is set, since no URL here registers agents; where one does, name it in identity_endpoint instead',
  );
}
