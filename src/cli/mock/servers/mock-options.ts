import { isLifetime } from '../../../mock/config/lifetimes.ts';
import { readAllowedHost } from '../../../mock/http/host-check.ts';
import type { Audience } from '../../../mock-provider/config/config.ts';
import type { ClaimRule } from '../../../mock-provider/config/rules.ts';
import { type AnswerRule, CHANGED_ANSWERS } from '../../../mock-service/config/answer-rule.ts';
import type { TrustEntry } from '../../../mock-service/config/config.ts';
import { dialectProblem, type QuirkName } from '../../../mock-service/dialects/index.ts';
import type { DialectId } from '../../../protocol/constants.ts';
import { parseDurationOrZero } from '../../../protocol/durations.ts';
import { displayText } from '../../../protocol/text.ts';
import { isLoopbackHost, urlProblem } from '../../../protocol/urls.ts';
import { didYouMean } from '../../../runtime/nearest.ts';
import { type CliError, usageError } from '../../shell/cli-error.ts';
import { redactTyped } from '../../shell/redact-url.ts';
import type { Config } from './config/config-schema.ts';
import type { Camel, Renamed } from './config/renamed.ts';

/** Options that are given once for each member of a list of the file. */
export const SINGULAR = {
  allow_hosts: 'allowHost',
  types: 'type',
  quirks: 'quirk',
  clients: 'client',
  audiences: 'audience',
  faults: 'fault',
} as const;

/** The keys of a configuration file, as options are named. */
export type FileOptions = {
  readonly [K in keyof Config as K extends keyof typeof SINGULAR
    ? (typeof SINGULAR)[K]
    : Camel<K & string>]?: Exclude<Config[K], undefined> extends readonly (infer Entry)[]
    ? readonly Renamed<Entry>[]
    : Exclude<Config[K], undefined>;
};

/** What the command line has in another form, or alone. */
interface LineOptions {
  readonly config?: string;
  /** Whether the process ends with its stdin. No configuration file has it: it is about the process. */
  readonly untilStdinEnds?: boolean;
  /** `NAME=DURATION`. */
  readonly lifetime?: readonly string[];
  /** `NAME=VALUE`, `DOCUMENT.NAME=VALUE`. */
  readonly metadata?: readonly string[];
  /** `METHOD PATH=SCOPE`. */
  readonly protect?: readonly string[];
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly trust?: readonly (string | TrustEntry)[];
  readonly audience?: readonly (string | Audience)[];
  readonly preClaimScopes?: string | readonly string[];
  readonly postClaimScopes?: string | readonly string[];
  readonly quirk?: readonly string[];
  readonly fault?: readonly string[];
  readonly claims?: readonly (AnswerRule | ClaimRule)[];
}

/**
 * The options of `mock service`, `mock provider` and `mock up`: those of the command line as commander
 * gives them, and those that a configuration file alone can have.
 */
export type MockOptions = LineOptions & Omit<FileOptions, keyof LineOptions | 'lifetimes'>;

/** The options of some names that were given. */
export function given<T extends object, K extends keyof T>(
  options: T,
  ...names: readonly K[]
): { [N in K]?: Exclude<T[N], undefined> } {
  const pairs = names.map((name) => [name, options[name]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as {
    [N in K]?: Exclude<T[N], undefined>;
  };
}

/**
 * The host to listen on.
 * @throws CliError (usage) for one that others can reach, unless that was asked for by its full name.
 */
export function bindHost({ host, allowRemotePasswordlessSignIn }: MockOptions): string {
  if (host === undefined || isLoopbackHost(host) || allowRemotePasswordlessSignIn) {
    return host ?? '127.0.0.1';
  }
  const shown = displayText(host, 60);
  throw usageError(
    `--host ${shown} can be reached by other machines, and sign-in asks for no password.`,
    {
      code: 'remote_sign_in',
      hint: 'To allow that, add --allow-remote-passwordless-sign-in.',
    },
  );
}

/**
 * `NAME=DURATION` options as milliseconds by name.
 * @throws CliError (usage) for a name that is not in `names`, or no duration.
 */
export function readLifetimes(
  options: readonly string[] | undefined,
  names: readonly string[],
): ReadonlyMap<string, number> {
  const lifetimes = new Map<string, number>();
  for (const option of options ?? []) {
    const [, name = '', text = ''] = /^([^=]*)(?:=(.*))?$/s.exec(option) ?? [];
    const ms = parseDurationOrZero(text);
    if (!names.includes(name)) {
      const hint = `${didYouMean(name, names)} Names: ${names.join(', ')}.`;
      throw invalid('--lifetime', option, hint.trimStart());
    }
    if (!isLifetime(name, ms)) {
      throw usageError(`--lifetime ${name} cannot be "${text}".`, {
        hint: `Use a duration of up to 50 years, for example ${name}=90s.`,
      });
    }
    lifetimes.set(name, ms);
  }
  return lifetimes;
}

/** The values of `lifetimes` that `defaults` has a name for. */
export function pickLifetimes<T extends object>(
  lifetimes: ReadonlyMap<string, number>,
  defaults: T,
): Partial<T> {
  const picked = [...lifetimes].filter(([name]) => Object.hasOwn(defaults, name));
  return Object.fromEntries(picked) as Partial<T>;
}

/** Refuses a value as commander does: the option and the value in one line. */
function invalid(flag: string, value: string, hint: string): CliError {
  return usageError(`Invalid ${flag} '${displayText(value, 60)}'.`, { hint });
}

/** An issuer is compared character for character, so nothing is added to what was typed. */
function issuerUrl(issuer: string, flag: string): string {
  if (urlProblem(issuer) === undefined && !issuer.includes('?')) return issuer;
  throw invalid(
    flag,
    redactTyped(issuer),
    'Use a full URL without a query, https or on loopback, such as https://host.example.',
  );
}

export function trustedIssuers({ trust }: MockOptions): readonly TrustEntry[] {
  return (trust ?? []).map((given) => {
    const entry = typeof given === 'string' ? { issuer: given } : given;
    return { ...entry, issuer: issuerUrl(entry.issuer, '--trust') };
  });
}

/** `any` stands for every service beside the listed ones. */
export function audiences({ audience }: MockOptions): readonly ('any' | Audience)[] {
  return (audience ?? []).map((given) => {
    if (given === 'any' || (typeof given === 'object' && given.issuer === 'any')) return 'any';
    const entry = typeof given === 'string' ? { issuer: given } : given;
    return { ...entry, issuer: issuerUrl(entry.issuer, '--audience') };
  });
}

/** @throws CliError (usage) for a host that is none. */
export function allowedHosts({ allowHost }: MockOptions): readonly string[] {
  const wrong = allowHost?.find((host) => readAllowedHost(host) === undefined);
  if (wrong === undefined) return allowHost ?? [];
  throw invalid('--allow-host', wrong, 'Use HOST or HOST:PORT, for example mock.internal:8080.');
}

/** Whether a rule of `claims` is about an answer of the service; the others are about JWTs of the provider. */
export function isAnswerRule(rule: AnswerRule | ClaimRule): rule is AnswerRule {
  return CHANGED_ANSWERS.some((name) => name === rule.of);
}

/**
 * What the service speaks.
 * @throws CliError (usage) for a quirk that it does not know, or that does not fit.
 */
export function dialectOptions({ dialect, quirk }: MockOptions): {
  readonly dialect?: DialectId;
  readonly quirks?: readonly QuirkName[];
} {
  const problem = dialectProblem({ dialect, quirks: quirk });
  if (problem !== undefined) {
    const flag = problem.option === 'dialect' ? '--dialect' : '--quirk';
    throw invalid(flag, problem.value, problem.description);
  }
  return {
    ...(dialect !== undefined && { dialect }),
    // Each is known, or there would be a problem.
    ...(quirk !== undefined && { quirks: quirk as readonly QuirkName[] }),
  };
}

/** @throws CliError (usage) for a fault of `--fault` that none of the started mocks has. */
export function checkFaults({ fault }: MockOptions, known: readonly string[]): void {
  const unknown = fault?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = `${didYouMean(unknown, known)} agent-auth mock fault --list lists them.`;
  throw invalid('--fault', unknown, hint.trimStart());
}

/** The faults that this mock has; `undefined` leaves those of the store as they are. */
export function pickFaults<F extends string>(
  { fault }: MockOptions,
  known: readonly F[],
): readonly F[] | undefined {
  return fault && known.filter((name) => fault.includes(name));
}
