import { WRONG_NAMES } from '../../../discovery/checks/names.ts';
import { type Draft, has, isDraft, type Note, rename } from './draft.ts';

/** Names of the URL to register at, and of the list of types, that no published family has. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  register_endpoint: 'identity_endpoint',
  registration_uri: 'identity_endpoint',
  registration_url: 'identity_endpoint',
  register_url: 'identity_endpoint',
  supported_identity_types: 'identity_types_supported',
  identity_types: 'identity_types_supported',
};

const TYPES = ['anonymous', 'identity_assertion', 'service_auth', 'verified_email'];

/** Gives members the names, and the places, at which agents look for them. */
export function mendNames(root: Draft | undefined, block: Draft, note: Note): void {
  for (const name of Object.keys(block)) {
    const own = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
    if (own !== undefined) {
      settle(block, block, name, own, note);
      continue;
    }
    const wrong = Object.hasOwn(WRONG_NAMES, name) ? WRONG_NAMES[name] : undefined;
    if (wrong === undefined) continue;
    if (wrong.above) {
      if (root !== undefined) settle(block, root, name, wrong.right, note);
    } else if (name.startsWith('credential_types')) {
      mendCredentialTypes(block, name, note);
    } else if (/_(?:endpoint|ur[il])$/.test(name)) {
      settle(block, block, name, wrong.right, note);
    }
  }
  if (root === undefined) return;
  for (const name of [...OF_THE_BLOCK, ...TYPES].filter((each) => has(root, each))) {
    // A value of its own is not thrown away: which one is meant, only its author knows.
    if (has(block, name) && !isSame(block[name], root[name])) continue;
    if (!has(block, name)) block[name] = root[name];
    delete root[name];
    note(`${name} stands in agent_auth alone`);
  }
}

const OF_THE_BLOCK = [
  'identity_endpoint',
  'claim_endpoint',
  'events_endpoint',
  'register_uri',
  'claim_uri',
  'identity_types_supported',
  'events_supported',
];

/** Moves a member to its right name; what stands there already and says the same takes its place. */
function settle(from: Draft, to: Draft, name: string, right: string, note: Note): void {
  if (has(to, right)) {
    if (!isSame(to[right], from[name])) return;
    delete from[name];
    note(`${name} is gone, since ${right} says the same`);
  } else if (from === to) {
    rename(from, name, right);
    note(`${name} is named ${right}`);
  } else {
    to[right] = from[name];
    delete from[name];
    note(`${name} stands beside agent_auth, as ${right}`);
  }
}

/** A list for the whole block is that of each type which has none. */
function mendCredentialTypes(block: Draft, name: string, note: Note): void {
  const types = block['identity_types_supported'];
  const known = TYPES.filter((type) => Array.isArray(types) && types.includes(type));
  if (known.length === 0 || !Array.isArray(block[name])) return;
  for (const type of known) {
    const its = block[type];
    if (its !== undefined && !isDraft(its)) return;
    block[type] = { credential_types_supported: block[name], ...its };
  }
  delete block[name];
  note(`${name} stands below the types, as credential_types_supported`);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
