import type { JsonObject } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Schema } from './read-members.ts';

/**
 * The members of a metadata document in the shape that a schema gives: unknown ones ignored, a known
 * one that is malformed an error (ASM-09). @throws AgentError `metadata_invalid`.
 */
export function parseMetadata<T>(document: JsonObject, what: string, schema: Schema<T>): T {
  const result = schema.safeParse(document);
  if (result.success) return result.data;
  const member = result.error.issues[0]?.path.join('.') ?? '';
  throw new AgentError(`${what} cannot be used: ${member} is missing or not what it must be.`, {
    code: 'metadata_invalid',
  });
}
