import type { Audience, ProviderUser } from '../../../mock-provider/config/config.ts';
import type { TrustEntry } from '../../../mock-service/config/config.ts';
import type { IdentityType } from '../../../protocol/constants.ts';
import { parseDuration } from '../../../protocol/durations.ts';
import { normalizeEmail } from '../../../protocol/email.ts';
import { isLoopbackHost, urlProblem, withoutFinalSlash } from '../../../protocol/urls.ts';
import { usageError } from '../../shell/cli-error.ts';
import { nearest } from '../../shell/nearest.ts';

/**
 * The options of `mock service`, `mock provider` and `mock up`: those of the command line as commander
 * gives them, and those that a configuration file alone can have.
 */
export interface MockOptions {
  readonly config?: string;
  readonly port?: number;
  readonly host?: string;
  readonly allowRemotePasswordlessSignIn?: boolean;
  readonly baseUrl?: string;
  /** Of `mock up`, where `baseUrl` is the service's. */
  readonly providerBaseUrl?: string;
  readonly db?: string;
  readonly lifetime?: readonly string[];
  readonly open?: boolean;
  readonly tls?: boolean;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly trust?: readonly (string | TrustEntry)[];
  readonly vendor?: readonly string[];
  readonly type?: readonly IdentityType[];
  readonly rateLimit?: boolean;
  readonly fault?: readonly string[];
  /** `false` with `--no-control`. */
  readonly control?: boolean;
  readonly audience?: readonly (string | Audience)[];
  readonly autoApprove?: string;
  readonly algorithm?: 'ES256' | 'EdDSA';
  readonly serviceName?: string;
  readonly providerName?: string;
  readonly users?: readonly ProviderUser[];
  readonly eventBase?: string;
  readonly acceptResourceAudience?: boolean;
  readonly clientId?: string;
  readonly clientName?: string;
}

/**
 * The host to listen on.
 * @throws CliError (usage) for one that others can reach, unless that was asked for by its full name.
 */
export function bindHost({ host, allowRemotePasswordlessSignIn }: MockOptions): string {
  if (host === undefined || isLoopbackHost(host) || allowRemotePasswordlessSignIn) {
    return host ?? '127.0.0.1';
  }
  throw usageError(`Other machines can reach ${host}, and sign-in asks for no password.`, {
    code: 'remote_sign_in',
    hint: 'To allow that, add --allow-remote-passwordless-sign-in.',
  });
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
    const [, name = '', text = ''] = /^([^=]*)=(.*)$/.exec(option) ?? [];
    const ms = parseDuration(text);
    if (!names.includes(name)) {
      throw usageError(`--lifetime has no name "${name}".`, {
        hint: `Names: ${names.join(', ')}.`,
      });
    }
    if (ms === undefined) {
      throw usageError(`--lifetime ${name} needs a duration.`, {
        hint: `For example: ${name}=90s.`,
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

/** An issuer is compared character for character, so nothing is added to what was typed. */
function issuerUrl(issuer: string, flag: string): string {
  if (urlProblem(issuer) === undefined) return withoutFinalSlash(issuer);
  throw usageError(`${flag} takes a full URL, https or on loopback, such as https://host.example.`);
}

export function trustedIssuers({ trust }: MockOptions): readonly TrustEntry[] {
  return (trust ?? []).map((given) => {
    const entry = typeof given === 'string' ? { issuer: given } : given;
    return { ...entry, issuer: issuerUrl(entry.issuer, '--trust') };
  });
}

export function audiences({ audience }: MockOptions): readonly Audience[] {
  return (audience ?? []).map((given) => {
    const entry = typeof given === 'string' ? { issuer: given } : given;
    return { ...entry, issuer: issuerUrl(entry.issuer, '--audience') };
  });
}

/** @throws CliError (usage) when it is no email address. */
export function autoApproved({ autoApprove }: MockOptions): string | undefined {
  if (autoApprove === undefined) return undefined;
  const email = normalizeEmail(autoApprove);
  if (email === undefined) throw usageError('--auto-approve takes an email address.');
  return email;
}

/** @throws CliError (usage) for a fault of `--fault` that none of the started mocks has. */
export function checkFaults({ fault }: MockOptions, known: readonly string[]): void {
  const unknown = fault?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  throw usageError(`There is no fault "${unknown}".`, {
    hint: near === undefined ? 'docs/faults.md lists the faults.' : `Did you mean ${near}?`,
  });
}

/** The faults that this mock has; `undefined` leaves those of the store as they are. */
export function pickFaults<F extends string>(
  { fault }: MockOptions,
  known: readonly F[],
): readonly F[] | undefined {
  return fault && known.filter((name) => fault.includes(name));
}
