import { plainText } from '../engine/plain-text.ts';

/** What a text is that is no report, with its article: whoever named the wrong file sees which one it was. */
export function whatItIs(text: string): string {
  const start = text.trimStart();
  if (start === '') return 'empty';
  if (/^<!doctype html|^<html/i.test(start)) return 'a page of HTML';
  if (/^(<\?xml[^>]*>\s*)?<testsuites?\b/.test(start)) return 'a JUnit report';
  if (start.startsWith('<')) return 'XML';
  if (/^schema: *agent-auth\.conformance-baseline\//m.test(start)) return 'a baseline';
  try {
    return whatValue(JSON.parse(start));
  } catch {
    return whatLine(start) ?? 'not JSON';
  }
}

/** Some commands print several objects, one a line. */
function whatLine(text: string): string | undefined {
  try {
    return whatValue(JSON.parse(text.slice(0, text.indexOf('\n'))));
  } catch {
    return undefined;
  }
}

function whatValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'JSON, but no object';
  if (Array.isArray(value)) return 'a list';
  const { schema, version, runs } = value as Readonly<Record<string, unknown>>;
  if (version === '2.1.0' && Array.isArray(runs)) return 'a SARIF report';
  if (typeof schema !== 'string') return 'JSON of something else';
  if (schema.startsWith('agent-auth.conformance-baseline/')) return 'a baseline';
  if (schema.startsWith('agent-auth.conformance-diff/')) return 'the output of a comparison';
  if (schema.startsWith('agent-auth.error/')) return 'an error of a run that reported nothing';
  return `JSON of the schema ${plainText(schema, 60)}`;
}
