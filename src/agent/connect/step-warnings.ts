import type { Warning } from '../model.ts';
import type { ConnectStep } from './connect-request.ts';

/** The warnings of a step. */
export function stepWarnings(step: ConnectStep): readonly Warning[] {
  switch (step.step) {
    case 'discover':
      return step.discovery.warnings;
    case 'register':
    case 'exchange':
    case 'call':
      return step.warnings;
    case 'claim':
      return step.status === 'claimed' ? step.warnings : step.open.warnings;
    case 'token':
    case 'leave':
      return [];
  }
}

/** The warnings that are not in `before`, each once. */
export function newWarnings(
  before: readonly Warning[],
  warnings: readonly Warning[],
): readonly Warning[] {
  const isKnown = (known: readonly Warning[], { code, message }: Warning) =>
    known.some((one) => one.code === code && one.message === message);
  return warnings.filter((each, index) => !isKnown([...before, ...warnings.slice(0, index)], each));
}
