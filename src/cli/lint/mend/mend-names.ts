import { OF_THE_BLOCK, TYPE_NAMES, WRONG_NAMES } from '../../../discovery/names.ts';
import { type Draft, has, isDraft, type Note, rename } from './draft.ts';

/** Gives members the names, and the places, at which agents look for them. */
export function mendNames(root: Draft | undefined, block: Draft, note: Note): void {
  for (const name of OF_THE_BLOCK) {
    if (root === undefined || !has(root, name)) continue;
    // A value of its own is not thrown away: which one is meant, only its author knows.
    if (has(block, name) && !isSame(block[name], root[name])) continue;
    if (!has(block, name)) block[name] = root[name];
    delete root[name];
    note(`${name} stands in agent_auth alone`);
  }
  for (const name of Object.keys(block)) {
    const wrong = WRONG_NAMES.get(name);
    if (wrong === undefined) continue;
    if (wrong.above) {
      if (root !== undefined) settle(block, root, name, wrong.right, note);
    } else if (name.startsWith('credential_types')) {
      mendCredentialTypes(block, name, note);
    } else if (wrong.own || /_(?:endpoint|ur[il])$/.test(name)) {
      settle(block, block, name, wrong.right, note);
    }
  }
}

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
  const known = TYPE_NAMES.filter((type) => Array.isArray(types) && types.includes(type));
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
