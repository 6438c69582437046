import type { Rendering } from '../shell/output.ts';

export function presentCompletion(shell: string, script: string): Rendering {
  return {
    schema: 'completion',
    json: () => ({ shell, script }),
    human: () => script.trimEnd(),
  };
}
