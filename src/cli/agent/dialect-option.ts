import { Option } from 'commander';
import { DIALECT_IDS } from '../../protocol/constants.ts';

/** The answer to the one question that documents may leave open. */
export function dialectOption(): Option {
  return new Option(
    '--dialect <dialect>',
    'the dialect of a service whose documents leave two open',
  ).choices(DIALECT_IDS);
}
