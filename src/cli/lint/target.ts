import { realpathSync, type Stats, statSync } from 'node:fs';
import { absoluteUrl } from '../prompts/service.ts';
import { usageError } from '../shell/cli-error.ts';
import { redactTyped } from '../shell/redact-url.ts';
import { systemReason } from '../shell/system-reason.ts';

/** What is linted. */
export type LintTarget =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'folder' | 'file'; readonly path: string };

/**
 * A URL, else a folder or a file that exists, else a host.
 * @throws CliError (usage) when it is none of them.
 */
export function readTarget(typed: string): LintTarget {
  if (/^https?:\/\//i.test(typed)) return { kind: 'url', url: absoluteUrl(typed, 'The URL') };
  const found = typed === '' ? undefined : statOf(typed);
  if (found?.isDirectory()) return { kind: 'folder', path: realpathSync(typed) };
  if (found?.isFile()) return { kind: 'file', path: typed };
  if (found === undefined && isHost(typed)) {
    return { kind: 'url', url: absoluteUrl(typed, 'The URL') };
  }
  throw usageError(
    found === undefined
      ? `There is no folder ${redactTyped(typed) || '""'}, and it is no URL.`
      : `${redactTyped(typed)} is neither a folder nor a file.`,
    {
      code: 'target_unusable',
      hint: 'Name a folder, a file or an https URL.',
    },
  );
}

/** @throws CliError (usage) for what is there and cannot be looked at. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw usageError(`${redactTyped(path)} cannot be read: ${systemReason(error)}.`, {
      code: 'target_unusable',
      cause: error,
    });
  }
}

/** `localhost:4800`, `api.example.com/v1`: a name with a dot or a port, and not that of a file that is missing. */
function isHost(typed: string): boolean {
  const [host = ''] = typed.split('/', 1);
  if (/\.(?:json|md|html?|ya?ml|txt)$/i.test(host)) return false;
  return /^(?:localhost|\[[0-9a-f:]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d+)?$/i.test(host);
}
