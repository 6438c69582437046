import { on, type Tamper, withStatus } from '../../../mock/index.ts';
import { DIALECT_IDS } from '../../../protocol/index.ts';
import { PATHS } from '../../config/paths.ts';
import { saying } from './answers.ts';
import type { Quirk } from './quirk.ts';

/** What makes something: a registration, a claim attempt. */
const MAKING: readonly string[] = [PATHS.identity, PATHS.claim];

const made = (status: number): Tamper =>
  on((path, response) => MAKING.includes(path) && response.status === 200, withStatus(status));

export const STATUS_QUIRKS = {
  created: {
    description: 'Registrations and claim attempts are answered 201.',
    fits: DIALECT_IDS,
    about: 'statuses',
    over: saying(made(201)),
  },
  accepted: {
    description: 'Registrations and claim attempts are answered 202.',
    fits: DIALECT_IDS,
    about: 'statuses',
    over: saying(made(202)),
  },
} as const satisfies Readonly<Record<string, Quirk>>;
