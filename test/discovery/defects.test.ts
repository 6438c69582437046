import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recognise } from '../../src/discovery/index.ts';
import type { JsonObject } from '../../src/protocol/index.ts';

const wild = (name: string): JsonObject =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../../fixtures/wild', `${name}.json`), 'utf8'),
  ) as JsonObject;

const rulesOf = (server: JsonObject) => recognise({ server }).defects.map(({ rule }) => rule);

describe('defects', () => {
  it('says of a URL for events that it is the one where tokens are revoked', () => {
    expect(rulesOf(wild('as-dermascope'))).toContain('events-url-is-revocation');
    expect(rulesOf(wild('as-arananet-auth-md-example'))).not.toContain('events-url-is-revocation');
  });

  it('says of a skill file that it is of somebody else, and not of one on a sister host', () => {
    expect(rulesOf(wild('as-gauntlet-group'))).toContain('skill-of-another-host');
    expect(rulesOf(wild('as-workos-reconciled'))).not.toContain('skill-of-another-host');
  });

  it('takes a missing token endpoint for an error only where its grants are listed', () => {
    const { token_endpoint: _, ...without } = wild('as-workos-v06');
    const severity = (server: JsonObject) =>
      recognise({ server }).defects.find(({ rule }) => rule === 'token-endpoint-missing')?.severity;
    expect(severity(without)).toBe('error');
    expect(severity(wild('as-arananet-auth-md-example'))).toBe('warning');
    expect(severity(wild('as-workos-v06'))).toBeUndefined();
  });
});
