import { inBlock } from '../find-block.ts';
import type { Defect } from '../model.ts';
import { defect, type Read } from './read.ts';

export function aboutTypes({ found, types, chosen }: Read): readonly Defect[] {
  const list: Defect[] = [];
  const at = [found.document, inBlock(found, types.member ?? 'identity_types_supported')] as const;
  const isRight = types.member === 'identity_types_supported';
  if (types.member === undefined) {
    list.push(
      defect(
        'identity_types_missing',
        chosen === undefined ? 'warning' : 'error',
        at,
        'Nothing says by which identity types an agent registers.',
        'List them in identity_types_supported.',
      ),
    );
  } else if (!isRight) {
    list.push(
      defect(
        'identity_types_older_name',
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
        'identity_types_not_strings',
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
        'identity_types_not_strings',
        'error',
        at,
        'The list of identity types holds objects.',
        'List the names alone, and describe each type in a member of its name.',
      ),
    );
  }
  for (const name of types.unknown) {
    list.push(
      defect(
        'identity_type_unknown',
        'warning',
        at,
        `The identity type ${name} is not one of this protocol.`,
        'Use anonymous, identity_assertion or service_auth.',
      ),
    );
  }
  if (types.member !== undefined && types.known.length === 0) {
    list.push(
      defect(
        'no_known_identity_type',
        'error',
        at,
        'No identity type of this protocol is listed, so no agent can register.',
        'List anonymous, identity_assertion or service_auth.',
      ),
    );
  }
  return list;
}
