import type { Data } from './data.ts';

/** An answer as JSON, two spaces deep, as the published samples are. */
export function renderJson(answer: Data): string {
  return JSON.stringify(answer, null, 2);
}

/**
 * An answer as a script that calls `name`. The comment keeps the first bytes from being chosen by who
 * asks (Rosetta Flash); what ends a script or a line of it is escaped.
 */
export function renderJsonp(answer: Data, name: string): string {
  const json = renderJson(answer)
    .replaceAll('</', '<\\/')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `/**/${name}(${json});`;
}
