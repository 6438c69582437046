import { memberProblem } from '../../../mock/config/document-members.ts';
import { PROVIDER_DOCUMENTS } from '../../../mock-provider/config/config.ts';
import { SERVICE_DOCUMENTS } from '../../../mock-service/config/config.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';
import { usageError } from '../../shell/cli-error.ts';
import { redactTyped } from '../../shell/redact-url.ts';

/** Members by document, then by name. */
export type Metadata = Readonly<Record<string, JsonObject>>;

/** The documents of each command. */
export const DOCUMENTS = {
  service: SERVICE_DOCUMENTS,
  provider: PROVIDER_DOCUMENTS,
  up: [...SERVICE_DOCUMENTS, ...PROVIDER_DOCUMENTS],
} as const;

/** Where a name without a document goes: the authorization-server metadata. */
const BARE = { service: 'server', provider: 'provider', up: 'server' } as const;

/**
 * `NAME=VALUE` and `DOCUMENT.NAME=VALUE` options. A value that is JSON is that, anything else is text.
 * @throws CliError (usage) that names the option, for an unknown document or a name that no member can have.
 */
export function readMetadata(
  options: readonly string[] | undefined,
  part: keyof typeof DOCUMENTS,
): Metadata {
  const documents: readonly string[] = DOCUMENTS[part];
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
    const shown = `${displayText(key, 60)}=${redactTyped(text)}`;
    if (!documents.includes(document)) {
      throw usageError(`--metadata ${shown}: there is no such document.`, {
        hint: `Documents: ${documents.join(', ')}. Write the document before a name with a dot.`,
      });
    }
    const value = readValue(text);
    const problem = memberProblem(name, value);
    if (problem !== undefined) {
      throw usageError(`--metadata ${shown}: ${problem}.`);
    }
    added[document] = { ...added[document], [name]: value };
  }
  return added;
}

/** The members for the documents of one mock. */
export function pickMetadata(metadata: Metadata, mock: 'service' | 'provider'): Metadata {
  const documents: readonly string[] = DOCUMENTS[mock];
  return Object.fromEntries(
    Object.entries(metadata).filter(([document]) => documents.includes(document)),
  );
}

/** The metadata as the options of a mock take it. */
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
