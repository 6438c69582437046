import type { Answer } from '../../http/answer.ts';

/** The policies that an answer enforces: what one of them forbids is forbidden. */
export function policiesOf(answer: Answer): readonly string[] {
  return (answer.header('content-security-policy') ?? '').split(',').filter((text) => text.trim());
}

/** Name → sources, in lower case. Of a repeated name the first one counts (CSP §2.2.1). */
export function directives(policy: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const directive of policy.toLowerCase().split(';')) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (name && !found.has(name)) found.set(name, sources);
  }
  return found;
}
