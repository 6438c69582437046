import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import {
  GAINS,
  type Gain,
  LEVELS,
  type Level,
  ROLES,
  type Role,
  SECTIONS,
  type Section,
} from './model.ts';

/** The folder of this package, wherever it is installed and however it is built. */
const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('agent-auth/package.json')),
  'fixtures',
  'requirements',
);

/** What the build makes of them: reading them as YAML takes a good part of a second. None beside the sources. */
const BUILT = new URL('./requirements.json', import.meta.url);

const sentence = z.string().min(1);

/** The form of one entry of `fixtures/requirements/*.yaml`. */
const REQUIREMENT: z.ZodType<Requirement> = z
  .strictObject({
    id: z.string().regex(/^[A-Z]+\d*-[A-Z0-9-]+(\.(service|agent|provider))?$/),
    role: z.enum(ROLES),
    level: z.enum(LEVELS),
    section: z.enum(SECTIONS).optional(),
    description: sentence,
    gain: z.enum(GAINS).optional(),
    can: sentence.optional(),
    sources: z.array(sentence).min(1),
    checks: z.array(sentence).min(1).optional(),
    rules: z.array(sentence).min(1).optional(),
    untestable: sentence.optional(),
    clash: z
      .strictObject({
        id: z.string().regex(/^(X|WIRE|D)-\d\d$/),
        judged: sentence,
        other: sentence,
      })
      .optional(),
  })
  .refine(
    ({ checks, rules, untestable }) =>
      (checks === undefined && rules === undefined) !== (untestable === undefined),
    { error: 'It has either checks or rules, or a reason why it is untestable.' },
  )
  .refine(({ gain, can }) => (gain === undefined) === (can === undefined), {
    error: 'What an attacker gains and what an attacker can do are said together.',
  });

/** The requirements of this package, once read: they do not change while a process runs. */
let ours: readonly Requirement[] | undefined;

/**
 * Every requirement, in the order of the files and of their entries.
 * @throws Error naming the file and the entry that is wrong.
 */
export function readRequirements(folder = FOLDER): readonly Requirement[] {
  if (folder !== FOLDER) return readFolder(folder);
  ours ??= existsSync(BUILT)
    ? (JSON.parse(readFileSync(BUILT, 'utf8')) as readonly Requirement[])
    : readFolder(folder);
  return ours;
}

function readFolder(folder: string): readonly Requirement[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => {
      const entries = z
        .array(REQUIREMENT)
        .safeParse(parse(readFileSync(join(folder, name), 'utf8')));
      if (!entries.success) throw new Error(`${name}: ${z.prettifyError(entries.error)}`);
      return entries.data;
    });
}

/** An entry of `fixtures/requirements/*.yaml`. */
export interface Requirement {
  /** Stable: reports and baselines name it. */
  readonly id: string;
  /** Whom it binds. */
  readonly role: Role;
  /** How much it demands. */
  readonly level: Level;
  /** Default: by its sources. */
  readonly section?: Section | undefined;
  /** What has to hold, as a sentence. */
  readonly description: string;
  /** What an attack brings whoever succeeds with it. */
  readonly gain?: Gain | undefined;
  /** What an attacker can do where it is broken: a sentence without its subject. */
  readonly can?: string | undefined;
  /** Where that is said: sections of RFCs, drafts and our own pages. */
  readonly sources: readonly string[];
  /** The checks that judge it. */
  readonly checks?: readonly string[] | undefined;
  /** The rules of passive judging that see it broken in traffic that others make. */
  readonly rules?: readonly string[] | undefined;
  /** Why it cannot be tested from outside. */
  readonly untestable?: string | undefined;
  /** Where two sources disagree: the reading that is judged, and the other one, which only warns. */
  readonly clash?:
    | { readonly id: string; readonly judged: string; readonly other: string }
    | undefined;
}
