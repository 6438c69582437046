import type { IdentityType } from '../../protocol/index.ts';
import { defect, type Read } from '../defect.ts';
import { inBlock } from '../find-block.ts';
import type { Defect } from '../model.ts';

export function aboutTypes({ found, types, chosen }: Read): readonly Defect[] {
  const list: Defect[] = [];
  const at = [found.document, inBlock(found, types.member ?? 'identity_types_supported')] as const;
  const isRight = types.member === 'identity_types_supported';
  if (types.member === undefined) {
    list.push(
      defect(
        'identity-types-missing',
        chosen === undefined ? 'warning' : 'error',
        at,
        'Nothing says by which identity types an agent registers.',
        'List them in identity_types_supported.',
      ),
    );
  } else if (!isRight) {
    list.push(
      defect(
        'identity-types-older-name',
        'warning',
        at,
        `The identity types are in ${types.member}.`,
        'Name the list identity_types_supported.',
      ),
    );
  }
  if (types.isNoList) {
    list.push(
      defect(
        'identity-types-not-strings',
        'error',
        at,
        `${types.member} is not a list.`,
        'Make it a list of names.',
      ),
    );
  }
  if (types.asObjects) {
    list.push(
      defect(
        'identity-types-not-strings',
        'error',
        at,
        'The list of identity types holds objects.',
        'List the names alone, and describe each type in a member of its name.',
      ),
    );
  }
  const isNone = types.member !== undefined && types.known.length === 0;
  // Where none is known, one finding says it.
  for (const name of isNone ? [] : types.unknown) {
    list.push(
      defect(
        'identity-type-unknown',
        'warning',
        at,
        `The identity type ${name} is not one of this protocol.`,
        instead([name], 'Use'),
      ),
    );
  }
  if (isNone) {
    list.push(
      defect(
        'no-known-identity-type',
        'error',
        at,
        'No identity type of this protocol is listed, so no agent can register.',
        instead(types.unknown, 'List'),
      ),
    );
  }
  return list;
}

function instead(unknown: readonly string[], verb: 'Use' | 'List'): string {
  const near = unknown.flatMap(
    // A misspelled one begins right, mostly.
    (name) => KNOWN.find((known) => known.startsWith(name.slice(0, 5).toLowerCase())) ?? [],
  );
  const all = `${verb} anonymous, identity_assertion or service_auth.`;
  return near.length === 0 ? all : `Did you mean ${near.join(', ')}? ${all}`;
}

const KNOWN: readonly IdentityType[] = ['anonymous', 'identity_assertion', 'service_auth'];
