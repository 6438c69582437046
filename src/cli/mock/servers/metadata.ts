import { memberProblem } from '../../../mock/config/document-members.ts';
import { ownMembers as ownOfProvider } from '../../../mock-provider/discovery/metadata.ts';
import { resolveOptions as resolveProvider } from '../../../mock-provider/options.ts';
import { FLAT } from '../../../mock-service/dialects/flat/flat.ts';
import { ownMembers as ownOfService } from '../../../mock-service/discovery/metadata.ts';
import { resolveOptions as resolveService } from '../../../mock-service/options.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';
import { usageError } from '../../shell/cli-error.ts';
import { redactTyped } from '../../shell/redact-url.ts';

/** Members by document, then by name. */
export type Metadata = Readonly<Record<string, JsonObject>>;

/** What is written into the documents does not depend on where a mock listens. */
const ANYWHERE = { baseUrl: 'http://127.0.0.1' };
const SERVICE: Metadata = ownOfService(resolveService(ANYWHERE), FLAT);
const PROVIDER: Metadata = ownOfProvider(resolveProvider(ANYWHERE));

/** The documents of each command with the members that its mocks write themselves. */
export const OWN_METADATA = {
  service: SERVICE,
  provider: PROVIDER,
  up: { ...SERVICE, ...PROVIDER },
} as const;

/** Where a name without a document goes: the authorization-server metadata. */
const BARE = { service: 'server', provider: 'provider', up: 'server' } as const;

/**
 * `NAME=VALUE` and `DOCUMENT.NAME=VALUE` options. A value that is JSON is that, anything else is text.
 * @throws CliError (usage) that names the option, for an unknown document or a member of the mock's own.
 */
export function readMetadata(
  options: readonly string[] | undefined,
  part: keyof typeof OWN_METADATA,
): Metadata {
  const own: Metadata = OWN_METADATA[part];
  const added: Record<string, Record<string, unknown>> = {};
  for (const option of options ?? []) {
    const [, key = '', text = ''] = /^([^=]*)=(.*)$/s.exec(option) ?? [];
    if (key === '') {
      throw usageError(`--metadata ${displayText(option, 60)} has no value.`, {
        hint: 'For example: --metadata server.service_documentation=https://api.example/docs.',
      });
    }
    const dot = key.indexOf('.');
    const document = dot < 0 ? BARE[part] : key.slice(0, dot);
    const name = key.slice(dot + 1);
    const ours = Object.hasOwn(own, document) ? own[document] : undefined;
    const shown = `${displayText(key, 60)}=${redactTyped(text)}`;
    if (ours === undefined) {
      throw usageError(`--metadata ${shown}: there is no such document.`, {
        hint: `Documents: ${Object.keys(own).join(', ')}. Write the document before a name with a dot.`,
      });
    }
    const value = readValue(text);
    const problem = memberProblem(ours, name, value);
    if (problem !== undefined) {
      throw usageError(`--metadata ${shown}: ${problem}.`);
    }
    added[document] = { ...added[document], [name]: value };
  }
  return added;
}

/** The members for the documents of one mock. */
export function pickMetadata(metadata: Metadata, mock: 'service' | 'provider'): Metadata {
  const own = OWN_METADATA[mock];
  return Object.fromEntries(
    Object.entries(metadata).filter(([document]) => Object.hasOwn(own, document)),
  );
}

/** As the options take it. */
export function metadataOptions(
  metadata: Readonly<Record<string, JsonObject | undefined>>,
): readonly string[] {
  return Object.entries(metadata).flatMap(([document, members]) =>
    Object.entries(members ?? {}).map(
      ([name, value]) => `${document}.${name}=${JSON.stringify(value)}`,
    ),
  );
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
