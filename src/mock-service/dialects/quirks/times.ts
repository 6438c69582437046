import { withJson } from '../../../mock/index.ts';
import { DIALECT_IDS, SECOND } from '../../../protocol/index.ts';
import { saying } from './answers.ts';
import type { Quirk } from './quirk.ts';

/** How published services call an instant: `claim_token_expires`, `expires_at`, `credential_expires`. */
const INSTANT = /(?:^|_)expires(?:_at)?$/;

function changed(value: unknown, spell: (instant: number) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => changed(each, spell));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, changed(each, spell, key)]),
    );
  }
  return typeof value === 'string' && INSTANT.test(name) ? spell(Date.parse(value)) : value;
}

const spelled = (spell: (instant: number) => unknown) =>
  saying(withJson((body) => changed(body, spell)));

export const TIME_QUIRKS = {
  'epoch-seconds': {
    description: 'Instants are seconds since 1970, as numbers.',
    fits: DIALECT_IDS,
    about: 'times',
    over: spelled((instant) => Math.floor(instant / SECOND)),
  },
  'epoch-milliseconds': {
    description: 'Instants are milliseconds since 1970, as numbers.',
    fits: DIALECT_IDS,
    about: 'times',
    over: spelled((instant) => instant),
  },
} as const satisfies Readonly<Record<string, Quirk>>;
